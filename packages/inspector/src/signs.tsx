import type { Addition, DecisionKind, EventName, RunReport, VerdictKind } from "@belay/core";
import { whyNoAnswer } from "@belay/core/compare";
import type { ReactNode } from "react";

/** What is shown of a decision, or of a single hook: one that decided nothing may have added something. */
export type Said = DecisionKind | VerdictKind | Addition;

/** Each kind has a sign and a word besides its colour: whoever sees no colours loses nothing. */
const SIGNS: Readonly<Record<Said, string>> = {
  none: "·",
  abstain: "·",
  rewrite: "~",
  context: "+",
  message: "i",
  allow: "✓",
  ask: "?",
  deny: "✗",
  block: "⊘",
  stop: "■",
};

const WORDS: Readonly<Partial<Record<Said, string>>> = { none: "go on", abstain: "no opinion" };

/** What one hook said, in the words of `belay run`. */
export function saidBy({
  verdict,
  adds = [],
}: {
  readonly verdict: VerdictKind;
  readonly adds?: readonly Addition[];
}): Said {
  return verdict === "abstain" ? (adds[0] ?? verdict) : verdict;
}

/** It has no opinion because it failed, by its exit code: that is no fault, and no answer either. */
export function isFailed(report: RunReport, event: EventName): boolean {
  const { verdict, fault } = report;
  return verdict === "abstain" && fault === undefined && whyNoAnswer(report, event) !== undefined;
}

export function signOf(kind: Said): string {
  return ownOf(SIGNS, kind) ?? "·";
}

export function wordOf(kind: Said): string {
  return ownOf(WORDS, kind) ?? kind;
}

/** A journal of another version may name a kind that this one does not know, and what all objects have is no sign of it. */
function ownOf(texts: Readonly<Partial<Record<Said, string>>>, kind: Said): string | undefined {
  return Object.hasOwn(texts, kind) ? texts[kind] : undefined;
}

export function Kind({ kind }: { readonly kind: Said }): ReactNode {
  return (
    <span className={`kind ${kind}`}>
      <span aria-hidden="true" className="sign">
        {signOf(kind)}
      </span>{" "}
      {wordOf(kind)}
    </span>
  );
}
