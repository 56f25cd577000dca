import type { DecisionKind } from "@belay/core";
import { type saidBy, wordFor } from "@belay/core/compare";
import type { ReactNode } from "react";

/** What is shown of a decision, or of a single hook. */
export type Said = DecisionKind | ReturnType<typeof saidBy>;

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
  fault: "!",
  failed: "!",
};

/** A journal of another version may name a kind that this one does not know, and what all objects have is no sign of it. */
export function signOf(kind: Said): string {
  return Object.hasOwn(SIGNS, kind) ? SIGNS[kind] : SIGNS.none;
}

/** Its colour. */
export function classOf(kind: Said): string {
  return kind === "fault" || kind === "failed" ? "faulty" : kind;
}

export function Kind({ kind }: { kind: Said }): ReactNode {
  return (
    <span className={`kind ${classOf(kind)}`}>
      <span aria-hidden="true" className="sign">
        {signOf(kind)}
      </span>{" "}
      {wordFor(kind)}
    </span>
  );
}
