import { diagnose } from "./diagnostics.ts";
import type { Diagnostic } from "./types.ts";
import { brief } from "./wording.ts";

/** How a shell says which word of which line it could not start: a script goes by its name, a command by that of its shell. */
const SAYING =
  /^(.+?): (?:line )?\d+: (?:(?:exec|eval|command): )?([^:]+): (?:.*: )?(?:command not found|not found|Permission denied|No such file or directory|Is a directory)$/;
const SAYING_OF_ZSH = /^(.+?):\d+: (?:command not found|no such file or directory|permission denied): (.+)$/;
const SHELL = /^(?:.*\/)?(?:da|ba|a|k|z)?sh$/;

/** A longer line is a hook's own. */
const LONGEST = 1024;

/** Of a run that ended with 126 or 127: the hook itself could not start, or only a program that its script called last. */
export function notStarted(stderr: string, detail: string, hook: string): Diagnostic {
  const said = stderr.trimEnd();
  const line = said.slice(said.lastIndexOf("\n") + 1);
  const [, by, program = ""] =
    (line.length <= LONGEST && (SAYING.exec(line) ?? SAYING_OF_ZSH.exec(line))) || [];
  return by === undefined || SHELL.test(by)
    ? diagnose("run-not-started", { detail }, { hook })
    : diagnose("run-program-not-started", { detail, program: brief(program) }, { hook });
}
