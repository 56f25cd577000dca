import type { EventName } from "./events.ts";
import type { Addition, DecisionKind, VerdictKind } from "./kinds.ts";
import { whyNoAnswer } from "./no-answer.ts";
import type { RunReport } from "./types.ts";

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
