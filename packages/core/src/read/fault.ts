import { type DiagnosticCode, diagnose } from "../tables/diagnostics/index.ts";
import type { FailureKind } from "../tables/kinds.ts";
import { brief, plural, quote, shorten } from "../text.ts";
import type { Diagnostic, Run } from "../types.ts";
import { NOT_STARTED_CODES, notText, type Output, whatDecided } from "./output.ts";
import type { Reading, RunAnswer } from "./verdict.ts";

/** Why a run is no answer (design §4.9); without `text` the run is no fault. */
export interface Fault {
  readonly text?: string;
  /** The text without a word that the hook printed, for the agent. */
  readonly unquoted?: string;
  /** Diagnostics besides those of the answer. */
  readonly own: readonly Diagnostic[];
}

/** An edited hook has no row: the engine says how the user trusts it. */
const FAILURE_CODES = {
  start: "run-not-started",
  timeout: "run-timed-out",
  signal: "run-killed",
  abort: "run-aborted",
  http: "run-http-failed",
  "not-allowed": "http-not-allowed",
  throw: "run-module-failed",
  prompt: "run-prompt-failed",
  elsewhere: "run-elsewhere",
  launcher: "run-launcher-lost",
  warm: "run-warm-failed",
} as const satisfies Record<Exclude<FailureKind, "edited">, DiagnosticCode>;

export function findFault(output: Output, answer: RunAnswer, reading: Reading): Fault {
  const { run } = reading;
  const { name: hook } = reading.hook;
  const own = [...failureOf(run, hook), ...malformed(output, run, hook)];
  if (run.failure?.kind === "edited") return said(run.failure.detail, own);
  if (own[0]) return said(own[0].message, own);
  const isBroken = answer.invalid || answer.setAside;
  const [error, ...others] = isBroken
    ? answer.diagnostics.filter(({ severity }) => severity === "error")
    : [];
  if (error) {
    const more = others.length > 0 ? ` (and ${plural(others.length, "more problem")})` : "";
    return {
      own,
      text: error.message + more,
      unquoted: `its output is not valid at \`${error.path}\`${more}`,
    };
  }
  const lost = whyLost(output, answer, reading);
  return lost === undefined ? { own } : said(`${lost}, and holds no answer`, own);
}

function said(text: string, own: readonly Diagnostic[]): Fault {
  return { own, text, unquoted: text };
}

function failureOf(run: Run, hook: string): Diagnostic[] {
  const { failure, exitCode } = run;
  if (failure?.kind === "edited") return [];
  if (failure) return [diagnose(FAILURE_CODES[failure.kind], { detail: failure.detail }, { hook })];
  return exitCode !== undefined && NOT_STARTED_CODES.includes(exitCode)
    ? [notStarted(run.stderr, withStderr(`exit ${exitCode}`, run), hook)]
    : [];
}

function malformed(output: Output, run: Run, hook: string): Diagnostic[] {
  const problem = output.form === "malformed" || output.form === "mixed" ? output.problem : undefined;
  if (problem === undefined) return [];
  return [diagnose("output-malformed", { problem, so: whatDecided(run, output.form === "mixed") }, { hook })];
}

/**
 * Why the answer of a hook with onFailure "block" may have been lost, if neither the answer nor the exit code decides. An
 * ask that was found among other output does not decide: a deny may have followed.
 */
function whyLost(output: Output, answer: RunAnswer, { hook, run, rule }: Reading): string | undefined {
  const isAnswered = answer.speaks && !(answer.restrictOnly && answer.kind === "ask");
  const isDecided = isAnswered || (run.exitCode !== undefined && run.exitCode !== 0);
  if (isDecided || hook.onFailure !== "block" || !rule.refusal) return undefined;
  if (run.cut?.includes("stdout")) return "its output was cut at the cap";
  if (run.leftOpen) return "its output was left open by a child";
  if (notText(run).includes("stdout")) return "its output is not UTF-8 text";
  return "mayHoldAnswer" in output && output.mayHoldAnswer ? "its output is no sound JSON object" : undefined;
}

export function withStderr(text: string, run: Run): string {
  const stderr = run.stderr.trim();
  return stderr === "" ? text : `${text}: ${stderr}`;
}

/* What shells and interpreters print when they cannot run something. */

/** `guard.sh: line 3: jq: command not found`: a script is named by its path, a command by the name of its shell. */
const NOT_STARTED =
  /^(.+?): (?:line )?\d+: (?:(?:exec|eval|command): )?([^:]+): (?:.*: )?(?:command not found|not found|Permission denied|No such file or directory|Is a directory)$/;
const NOT_STARTED_BY_ZSH =
  /^(.+?):\d+: (?:command not found|no such file or directory|permission denied): (.+)$/;
const SHELL = /^(?:.*\/)?(?:da|ba|a|k|z)?sh$/;

/** Shells and interpreters say it in fewer characters; longer text is a hook's own. */
const LONGEST_LINE = 1024;
const LONGEST = 4096;

/** For exit 126 and 127: the hook itself did not start, or the last program that its script called did not. */
function notStarted(stderr: string, detail: string, hook: string): Diagnostic {
  const printed = stderr.trimEnd();
  const line = printed.slice(printed.lastIndexOf("\n") + 1);
  const [, by, program = ""] =
    (line.length <= LONGEST_LINE && (NOT_STARTED.exec(line) ?? NOT_STARTED_BY_ZSH.exec(line))) || [];
  return by === undefined || SHELL.test(by)
    ? diagnose("run-not-started", { detail }, { hook })
    : diagnose("run-program-not-started", { detail, program: brief(program) }, { hook });
}

/**
 * An interpreter that cannot open its script, by exit code; the group is the script. bash exits with 126 or 127 instead.
 * dash counts lines from 1, and opens its script in line 0. A redirection that fails ends a command (`sh < guard.sh`),
 * where the shell is named, and not a script, where the script is named.
 */
const NOT_OPENED: readonly { readonly exitCodes: readonly number[]; readonly prints: RegExp }[] = [
  { exitCodes: [2], prints: /^[^'\n]+: can't open file '([^'\n]+)': \[Errno / }, // python
  { exitCodes: [2], prints: /^\S+: 0: can\S+ open ([^\n]+?)(?:: [^:\n]+)?\s*$/i }, // dash
  {
    exitCodes: [2],
    prints:
      /^(?:\S*\/)?(?:da|ba|a|k|z)?sh: \d+: can\S+ open ([^\n]+?): (?:No such file|Permission denied)\s*$/i,
  },
  {
    exitCodes: [2],
    prints: /(?:^|\n)[^\n]*: \d+: \.: (?:can\S+ open )?([^\n]+?): (?:No such file|not found)\s*$/i,
  },
  { exitCodes: [2, 13], prints: /^Can't open perl script "([^"\n]+)"/ }, // it exits with the number of the error
  { exitCodes: [1], prints: /^Error: Cannot find module '([^'\n]+)'\n[\s\S]*requireStack: \[\]/m }, // node
];

/**
 * `guard.sh: 3: Syntax error: …` of dash, `guard.sh: line 3: syntax error …` of bash. A shell that stops at a syntax error
 * prints it last and exits with 2, as a hook that refuses does: nobody can tell the two for certain.
 */
const SYNTAX =
  /(?:^|\n)([^\n]*: (?:\d+: (?:[^:\n]*: )?Syntax error: |line \d+: (?:syntax error|unexpected EOF while looking for ))[^\n]+)(?:\n[^\n]*: line \d+: `[^\n]*)?\s*$/;

/** The exit code of a hook that never ran counts, and the user is told where it is from. */
export function scriptNotOpened({ exitCode, stdout, stderr }: Run, hook: string): Diagnostic[] {
  const problem = exitCode === 2 ? SYNTAX.exec(stderr.slice(-LONGEST))?.[1] : undefined;
  if (problem !== undefined)
    return [diagnose("run-script-syntax", { problem: quote(shorten(problem, 200)) }, { hook })];
  if (exitCode === undefined || stderr.length > LONGEST || stdout.trim() !== "") return [];
  for (const { exitCodes, prints } of NOT_OPENED) {
    const script = exitCodes.includes(exitCode) ? prints.exec(stderr)?.[1] : undefined;
    if (script === undefined) continue;
    const isUnreadable = /Permission denied|Errno 13\]/.test(stderr);
    const code = isUnreadable ? "run-script-unreadable" : "run-script-not-found";
    return [diagnose(code, { code: exitCode, script: brief(script) }, { hook })];
  }
  return [];
}
