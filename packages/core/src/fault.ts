import { type DiagnosticCode, diagnose } from "./diagnostics.ts";
import type { Heard } from "./hear.ts";
import type { FailureKind } from "./kinds.ts";
import { notStarted } from "./not-started.ts";
import type { Output } from "./output.ts";
import type { Reading } from "./reading.ts";
import type { Diagnostic, Run } from "./types.ts";
import { isProcess, NOT_STARTED_CODES, notText, whatDecided } from "./unfinished.ts";
import { plural } from "./wording.ts";

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
