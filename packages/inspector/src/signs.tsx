import type { DecisionKind, VerdictKind } from "@belay/core";
import type { ReactNode } from "react";

/** Each kind has a sign and a word besides its colour: whoever sees no colours loses nothing. */
const SIGNS: Record<DecisionKind | VerdictKind, string> = {
  none: "·",
  abstain: "·",
  allow: "✓",
  ask: "?",
  deny: "✗",
  block: "⊘",
  stop: "■",
};

const WORDS: Partial<Record<DecisionKind | VerdictKind, string>> = { none: "go on", abstain: "no opinion" };

export function signOf(kind: DecisionKind | VerdictKind): string {
  return SIGNS[kind] ?? "·";
}

export function wordOf(kind: DecisionKind | VerdictKind): string {
  return WORDS[kind] ?? kind;
}

export function Kind({ kind }: { readonly kind: DecisionKind | VerdictKind }): ReactNode {
  return (
    <span className={`kind ${kind}`}>
      <span aria-hidden="true" className="sign">
        {signOf(kind)}
      </span>{" "}
      {wordOf(kind)}
    </span>
  );
}
