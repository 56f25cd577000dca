import { diagnose } from "./diagnostics.ts";
import type { Diagnostic, Run } from "./types.ts";
import { brief, quote, shorten } from "./wording.ts";

/**
 * dash counts lines from 1 on: in line 0 it opens the script. A file that is redirected from is the shell's own affair in a
 * command (`sh < guard.sh`), where the shell is named; a script that is named goes on without it, and its exit code is its own.
 */
const DASH = {
  denied: /^(?:\S+: 0|(?:\S*\/)?(?:da|ba|a|k|z)?sh: \d+): can\S+ open ([^\n]+?): Permission denied\s*$/i,
  script: /^\S+: 0: can\S+ open ([^\n]+?)(?:: [^:\n]+)?\s*$/i,
  redirection: /^(?:\S*\/)?(?:da|ba|a|k|z)?sh: \d+: can\S+ open ([^\n]+?): No such file\s*$/i,
  /** Of the file that `.` is to read it dies, whoever's that is, and whatever is to be done then. */
  sourced: /(?:^|\n)[^\n]*: \d+: \.: (?:can\S+ open )?([^\n]+?): (?:No such file|not found)\s*$/i,
};

/** How interpreters say that what they were to run is not there, or not theirs to read. From 126 on, as bash ends, it is a fault already. */
const SAYINGS: readonly { readonly exitCode: number; readonly says: RegExp; readonly isUnreadable?: true }[] =
  [
    { exitCode: 2, says: /^[^'\n]+: can't open file '([^'\n]+)': \[Errno 13\]/, isUnreadable: true }, // python
    { exitCode: 2, says: /^[^'\n]+: can't open file '([^'\n]+)': \[Errno / },
    { exitCode: 2, says: DASH.denied, isUnreadable: true },
    { exitCode: 2, says: DASH.script },
    { exitCode: 2, says: DASH.redirection },
    { exitCode: 2, says: DASH.sourced },
    { exitCode: 2, says: /^Can't open perl script "([^"\n]+)"/ }, // it exits with the number of the error
    { exitCode: 13, says: /^Can't open perl script "([^"\n]+)"/, isUnreadable: true },
    { exitCode: 1, says: /^Error: Cannot find module '([^'\n]+)'\n[\s\S]*requireStack: \[\]/m }, // node
  ];

/**
 * dash, then bash: `guard.sh: 3: Syntax error: …`, `guard.sh: line 3: syntax error …`. A shell that cannot read on says
 * so last, and exits with 2, as a hook does that refuses: nobody can tell the two for certain.
 */
const SYNTAX =
  /(?:^|\n)([^\n]*: (?:\d+: (?:[^:\n]*: )?Syntax error: |line \d+: (?:syntax error|unexpected EOF while looking for ))[^\n]+)(?:\n[^\n]*: line \d+: `[^\n]*)?\s*$/;

/** They say it at once; a longer text is a hook's own. */
const LONGEST = 4096;

/** A hook that never ran has no opinion. Its exit code still counts, and whoever wonders at a deny is told where it is from. */
export function scriptNotOpened(run: Run, hook: string): Diagnostic[] {
  const { exitCode, stdout, stderr } = run;
  const problem = exitCode === 2 ? SYNTAX.exec(stderr.slice(-LONGEST))?.[1] : undefined;
  if (problem !== undefined)
    return [diagnose("run-script-syntax", { problem: quote(shorten(problem, 200)) }, { hook })];
  if (exitCode === undefined || stderr.length > LONGEST || stdout.trim() !== "") return [];
  for (const saying of SAYINGS) {
    const script = saying.exitCode === exitCode ? saying.says.exec(stderr)?.[1] : undefined;
    if (script === undefined) continue;
    const code = saying.isUnreadable ? "run-script-unreadable" : "run-script-not-found";
    return [diagnose(code, { code: exitCode, script: brief(script) }, { hook })];
  }
  return [];
}
