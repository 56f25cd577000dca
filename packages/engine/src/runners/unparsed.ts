import { type Run, shorten } from "@belay/core";
import { isOneProgram, shellFor } from "../process/group.ts";

/** dash, then bash: `guard.sh: 3: Syntax error: …`, `guard.sh: line 3: syntax error …`; a command is `-c` to bash. */
const SYNTAX =
  /^([^\n]*?[^\n:])(?:: -c)?: (?:\d+: Syntax error: |line \d+: (?=syntax error|unexpected EOF while looking for ))([^\n]+)/;
/** A shell says it at once; a longer text is a hook's own. */
const LONGEST = 4096;
const MAX_PROBLEM = 200;
/** Between the words of a command line, and the parts of a path. */
const BETWEEN = /[\s"'/\\;&|()<>`]+/;

/**
 * A shell that cannot read what it is to run exits with 2, as a hook does that refuses. So does a hook that has a shell read
 * something else, and refuses by what it says: only a script that its command names is its own, unless it is but read
 * (`-n`), and only the shell that it was given to says so of the command.
 */
export function unparsedBy(
  { exitCode, stdout, stderr }: Run,
  command: string,
  args: readonly string[] | undefined,
): Run["unparsed"] {
  if (exitCode !== 2 || stderr.length > LONGEST || stdout.trim() !== "") return undefined;
  const [, reader = "", said = ""] = SYNTAX.exec(stderr) ?? [];
  if (reader === "") return undefined;
  const problem = shorten(said, MAX_PROBLEM);
  const words = [command, ...(args ?? [])].join(" ").split(BETWEEN);
  const name = reader.replace(/^.*[/\\]/, "");
  const shell = shellFor(command).file;
  if (reader !== shell)
    return words.includes(name) && !words.includes("-n") ? { script: reader, problem } : undefined;
  const isGivenToShell = args === undefined && !isOneProgram(command) && !command.includes(shell);
  return isGivenToShell ? { problem } : undefined;
}
