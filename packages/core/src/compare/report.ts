import { parse, whyNoAnswer } from "../read/verdict.ts";
import type { RecordedHook } from "../record.ts";
import { report } from "../route.ts";
import { isDialectName } from "../tables/dialects.ts";
import { type EventName, isEventName } from "../tables/events.ts";
import { type Addition, type DecisionKind, FAILURE_KINDS, type VerdictKind } from "../tables/kinds.ts";
import { ruleFor } from "../tables/rules.ts";
import type { RunReport } from "../types.ts";

/** A later version knows more events, dialects and kinds of failure than this one: such a run cannot be read here. */
export function isKnownRun(event: string, { dialect, run }: RecordedHook): boolean {
  const isKnownFailure = run.failure === undefined || FAILURE_KINDS.includes(run.failure.kind);
  return isEventName(event) && isDialectName(dialect) && isKnownFailure;
}

/** What one hook of a record did, read anew: for who needs no outcome. */
export function reportOf(event: EventName, hook: RecordedHook): RunReport {
  const { source, run } = hook;
  return report({ source, run, verdict: parse(hook, run, ruleFor(event, hook.dialect)) });
}

/** What an event waited for: hooks run at once, so for the longest of them; those of a sequential group one after another. */
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

/** Which of the earlier hooks it came behind: it was started when that one had ended. */
function beforeIt(hook: Timed | undefined, ends: readonly number[]): number {
  return hook?.after === undefined ? -1 : ends.indexOf(hook.after);
}

const TRACEBACK = "Traceback (most recent call last):";

/** How Python begins to say what ended it: with a traceback, or at once with the place that it cannot read. */
const OPENING = /Traceback \(most recent call last\):$|File "[^"]*", line \d+$/;

/**
 * The line of a hook's stderr that says most, where one is shown: the first, or the exception that ended Python. What
 * stands before Python's words in their line is kept.
 */
export function tellingLine(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  const opening = OPENING.exec(first);
  // Of several tracebacks, each the cause of the next, the last one ended the hook.
  const last = rest.slice(rest.lastIndexOf(TRACEBACK) + 1);
  const exception = opening ? last.find((line) => /^\S/.test(line)) : undefined;
  return opening && exception !== undefined ? first.slice(0, opening.index).trimStart() + exception : first;
}

/* The words that people read for an answer. The terminal and the page have them from here, so that both say the same. */

/** What a decision does not tell of its event, the weightiest first. */
export type EventMark = "aborted" | "untrusted" | "input" | "prompt";

const WORDS: Readonly<Partial<Record<DecisionKind | EventMark, string>>> = {
  none: "go on",
  untrusted: "hook not trusted",
  input: "input rewritten",
  prompt: "prompt rewritten",
};

/** A journal of another version may name a kind that this one does not know: it is its own word. */
export function wordFor(kind: string): string {
  return (Object.hasOwn(WORDS, kind) && WORDS[kind as DecisionKind]) || kind;
}

/** "! failed", or "! 2 of 3 failed". */
export function failedWords(failed: number, hooks: number): string {
  return hooks === 1 ? "! failed" : `! ${failed} of ${hooks} failed`;
}

/** What a hook said: one that decided nothing may have added something. */
export function opinionOf(run: {
  readonly verdict: VerdictKind;
  readonly adds?: readonly Addition[];
}): VerdictKind | Addition {
  return run.verdict === "abstain" ? (run.adds?.[0] ?? run.verdict) : run.verdict;
}

/** The same of a hook that may have given no answer: a fault, or failed by its exit code. */
export function saidBy(run: RunReport, event: EventName): VerdictKind | Addition | "fault" | "failed" {
  if (run.verdict !== "abstain") return run.verdict;
  if (run.fault !== undefined) return "fault";
  return whyNoAnswer(run, event) === undefined ? opinionOf(run) : "failed";
}
