import { type DiagnosticCode, diagnose } from "../tables/diagnostics/index.ts";
import type { FailureKind } from "../tables/kinds.ts";
import { brief, plural, quote, shorten } from "../text.ts";
import type { Diagnostic, Run } from "../types.ts";
import { isProcess, NOT_STARTED_CODES, notText, type Output, whatDecided } from "./output.ts";
import type { Heard, Reading } from "./verdict.ts";

/** Why a run is no answer, if it is none (DESIGN §4.9). */
export interface Fault {
  readonly text?: string;
  /** The same without a word of what the hook printed: such words never reach the agent. */
  readonly unquoted?: string;
  /** Diagnostics that are not among the answer's own. */
  readonly own: readonly Diagnostic[];
}

/** What an edit of a hook means is said by the engine, which knows how the user trusts it. */
const FAILURE_CODES = {
  start: "run-not-started",
  timeout: "run-timed-out",
  signal: "run-killed",
  abort: "run-aborted",
  http: "run-http-failed",
  "not-allowed": "http-not-allowed",
  throw: "run-module-failed",
  prompt: "run-prompt-failed",
  launcher: "run-launcher-lost",
  warm: "run-warm-failed",
} as const satisfies Record<Exclude<FailureKind, "edited">, DiagnosticCode>;

export function findFault(output: Output, answer: Heard, reading: Reading): Fault {
  const { run } = reading;
  const { name: hook } = reading.hook;
  const own: Diagnostic[] = [];
  const edited = run.failure?.kind === "edited" ? run.failure.detail : undefined;
  if (run.failure && run.failure.kind !== "edited")
    own.push(diagnose(FAILURE_CODES[run.failure.kind], { detail: run.failure.detail }, { hook }));
  else if (run.exitCode !== undefined && NOT_STARTED_CODES.includes(run.exitCode))
    own.push(notStarted(run.stderr, withStderr(`exit ${run.exitCode}`, run), hook));
  const problem = output.form === "malformed" || output.form === "mixed" ? output.problem : undefined;
  if (problem !== undefined) own.push(malformed(problem, run, output.form === "mixed", hook));
  if (edited !== undefined) return { own, text: edited, unquoted: edited };
  const broken = answer.invalid || answer.setAside;
  if (own[0]) return { own, text: own[0].message, unquoted: own[0].message };
  const error = broken ? answer.diagnostics.find(({ severity }) => severity === "error") : undefined;
  if (!error) return { own, ...lostAnswer(output, answer, reading) };
  const more = answer.errors > 1 ? ` (and ${plural(answer.errors - 1, "more problem")})` : "";
  return { own, text: error.message + more, unquoted: `its output is not valid at \`${error.path}\`${more}` };
}

/**
 * A hook that must not fail, whose answer may have been lost on its way: no word of it and no exit code decides. An ask that
 * was found among other output may be another's, and a deny may have followed.
 */
function lostAnswer(output: Output, answer: Heard, { hook, run, rule }: Reading): Omit<Fault, "own"> {
  const isHeard = answer.speaks && !(answer.restrictOnly && answer.kind === "ask");
  const isDecided = isHeard || (run.exitCode !== undefined && run.exitCode !== 0);
  const why = isDecided || hook.onFailure !== "block" || !rule.refusal ? undefined : whyLost(output, run);
  if (why === undefined) return {};
  const text = `${why}, and holds no answer`;
  return { text, unquoted: text };
}

function whyLost(output: Output, run: Run): string | undefined {
  if (run.cut?.includes("stdout")) return "its output was cut at the cap";
  if (run.leftOpen) return "its output was left open by a child";
  if (notText(run).includes("stdout")) return "its output is no text in UTF-8";
  return "isSuspect" in output && output.isSuspect ? "its output is no sound JSON object" : undefined;
}

function malformed(problem: string, run: Run, isRead: boolean, hook: string): Diagnostic {
  const words = isProcess(run)
    ? { where: "stdout", advice: "Print one JSON object and nothing else; in shell, build it with jq -n." }
    : { where: "the answer", advice: "Answer with one JSON object and nothing else." };
  return diagnose("output-malformed", { ...words, problem, so: whatDecided(run, isRead) }, { hook });
}

export function withStderr(text: string, run: Run): string {
  const stderr = run.stderr.trim();
  return stderr === "" ? text : `${text}: ${stderr}`;
}

/** How a shell says which word of which line it could not start: a script goes by its name, a command by that of its shell. */
const SAYING =
  /^(.+?): (?:line )?\d+: (?:(?:exec|eval|command): )?([^:]+): (?:.*: )?(?:command not found|not found|Permission denied|No such file or directory|Is a directory)$/;
const SAYING_OF_ZSH = /^(.+?):\d+: (?:command not found|no such file or directory|permission denied): (.+)$/;
const SHELL = /^(?:.*\/)?(?:da|ba|a|k|z)?sh$/;

/** A longer line is a hook's own. */
const LONGEST_LINE = 1024;

/** Of a run that ended with 126 or 127: the hook itself could not start, or only a program that its script called last. */
function notStarted(stderr: string, detail: string, hook: string): Diagnostic {
  const said = stderr.trimEnd();
  const line = said.slice(said.lastIndexOf("\n") + 1);
  const [, by, program = ""] =
    (line.length <= LONGEST_LINE && (SAYING.exec(line) ?? SAYING_OF_ZSH.exec(line))) || [];
  return by === undefined || SHELL.test(by)
    ? diagnose("run-not-started", { detail }, { hook })
    : diagnose("run-program-not-started", { detail, program: brief(program) }, { hook });
}

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
