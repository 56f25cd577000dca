import { parse, whyNoAnswer } from "../read/verdict.ts";
import type { RecordedHook, Relayed } from "../record.ts";
import { report } from "../route.ts";
import { isDialectName } from "../tables/dialects.ts";
import { type EventName, isEventName } from "../tables/events.ts";
import { type Addition, type DecisionKind, FAILURE_KINDS, type VerdictKind } from "../tables/kinds.ts";
import { ruleFor } from "../tables/rules.ts";
import type { RunReport } from "../types.ts";

/** False for a run of a later version, with an event, dialect or kind of failure that is unknown here. */
export function isKnownRun(event: string, { dialect, run }: RecordedHook): boolean {
  const isKnownFailure = run.failure === undefined || FAILURE_KINDS.includes(run.failure.kind);
  return isEventName(event) && isDialectName(dialect) && isKnownFailure;
}

/** What one hook of a record did, read anew without its outcome. */
export function reportOf(event: EventName, hook: RecordedHook): RunReport {
  const { source, run } = hook;
  return report({ source, run, verdict: parse(hook, run, ruleFor(event, hook.dialect, hook.simulated)) });
}

/** What an event waited for: the slowest of the hooks that run at once, or a sequential group. */
export interface Waited {
  /** Milliseconds. */
  readonly total: number;
  /** Indexes of the hooks whose times add up to it, the last first. */
  readonly hooks: readonly number[];
}

type Timed = Pick<RecordedHook, "run" | "after">;

/** Milliseconds until the last of them had ended. */
export function spanOf(hooks: readonly Timed[]): number {
  return hooks.reduce((most, hook) => Math.max(most, endOf(hook)), 0);
}

export function waitedFor(hooks: readonly Timed[]): Waited {
  const ends = hooks.map(endOf);
  const total = spanOf(hooks);
  const chain: number[] = [];
  for (let at = ends.indexOf(total); at >= 0; at = beforeIt(hooks[at], ends.slice(0, at))) chain.push(at);
  return { total, hooks: chain };
}

function endOf({ run, after = 0 }: Timed): number {
  return after + run.executionTime;
}

/** The index of the earlier hook whose end started this one, or -1. */
function beforeIt(hook: Timed | undefined, ends: readonly number[]): number {
  return hook?.after === undefined ? -1 : ends.indexOf(hook.after);
}

const TRACEBACK = "Traceback (most recent call last):";

/** Python begins with a traceback, or with the place of a syntax error. */
const OPENING = /Traceback \(most recent call last\):$|File "[^"]*", line \d+$/;

/** The most useful line of a hook's stderr: the first, or the exception that ended Python, with what stands before it in its line. */
export function summaryLine(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  const opening = OPENING.exec(first);
  // Of several tracebacks, each the cause of the next, the last one ended the hook.
  const last = rest.slice(rest.lastIndexOf(TRACEBACK) + 1);
  const exception = opening ? last.find((line) => /^\S/.test(line)) : undefined;
  return opening && exception !== undefined ? first.slice(0, opening.index).trimStart() + exception : first;
}

/* The words that people read for an answer, in the terminal and on the page. */

/** Marks of an event besides its decision, the most important first. */
export type EventMark = "aborted" | "untrusted" | "input" | "prompt" | "output";

const WORDS: Readonly<Partial<Record<DecisionKind | EventMark, string>>> = {
  none: "go on",
  untrusted: "hook not trusted",
  input: "input rewritten",
  prompt: "prompt rewritten",
  output: "result replaced",
};

/** A kind that another version wrote and this one does not know is its own word. */
export function wordFor(kind: string): string {
  return (Object.hasOwn(WORDS, kind) && WORDS[kind as DecisionKind]) || kind;
}

const INSTEAD: Readonly<Record<string, string>> = { deny: "as a deny", later: "told later" };

/**
 * What another agent was not told of an event, and what a person said instead, in a few words each; what became looser stands
 * first. A foreign line of the journal may hold anything.
 */
export function relayWords({
  losses,
  asked,
  before,
}: Relayed): { readonly words: string; readonly looser: boolean }[] {
  const lost = Array.isArray(losses) ? losses.filter((one) => typeof one?.what === "string") : [];
  const said = lost.map(({ what, became, looser = false }) => ({
    words: looser ? `! ${what} lost` : `${what} ${INSTEAD[became] ?? "not told"}`,
    looser,
  }));
  const answer =
    asked?.by === "nobody" ? "nobody answered" : asked && `a person said ${asked.allowed ? "yes" : "no"}`;
  return [
    ...said.filter(({ looser }) => looser),
    ...(typeof before === "string" ? [{ words: `answered before: ${before}`, looser: false }] : []),
    ...(answer === undefined ? [] : [{ words: answer, looser: false }]),
    ...said.filter(({ looser }) => !looser),
  ];
}

/** "! failed", or "! 2 of 3 failed". */
export function failedWords(failed: number, hooks: number): string {
  return hooks === 1 ? "! failed" : `! ${failed} of ${hooks} failed`;
}

/** A hook's verdict, or what it added if it decided nothing. */
export function opinionOf(run: {
  readonly verdict: VerdictKind;
  readonly adds?: readonly Addition[];
}): VerdictKind | Addition {
  return run.verdict === "abstain" ? (run.adds?.[0] ?? run.verdict) : run.verdict;
}

/** The same, or "fault" or "failed" for a hook without an answer. */
export function saidBy(run: RunReport, event: EventName): VerdictKind | Addition | "fault" | "failed" {
  if (run.verdict !== "abstain") return run.verdict;
  if (run.fault !== undefined) return "fault";
  return whyNoAnswer(run, event) === undefined ? opinionOf(run) : "failed";
}
