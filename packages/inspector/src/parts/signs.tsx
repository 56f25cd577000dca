import type { DecisionKind } from "@belay/core";
import { type saidBy, wordFor } from "@belay/core/compare";
import type { ReactNode } from "react";

/** What is shown of a decision, or of a single hook. */
export type Said = DecisionKind | ReturnType<typeof saidBy>;

/** Each kind has a sign and a word besides its colour, for readers who see no colours. */
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

/** The sign of a kind. A journal of another version may name an unknown kind, even "constructor". */
export function signOf(kind: Said): string {
  return Object.hasOwn(SIGNS, kind) ? SIGNS[kind] : SIGNS.none;
}

/** The CSS class for the colour of a kind. */
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
