import type { DecisionKind, VerdictKind } from "./kinds.ts";

const STRICTNESS: Record<VerdictKind, number> = { abstain: 0, allow: 1, ask: 2, deny: 3, block: 3, stop: 4 };

/** Whether `a` restricts more than `b` (DESIGN §5). */
export function isStricter(a: VerdictKind, b: VerdictKind): boolean {
  return STRICTNESS[a] > STRICTNESS[b];
}

/** ask, deny, block and stop take something away from the agent; allow and abstain do not. */
export function isRestriction(kind: VerdictKind): boolean {
  return STRICTNESS[kind] >= STRICTNESS.ask;
}

/** deny, block and stop: exactly when an Outcome is `blocked`. */
export function isRefused(kind: DecisionKind | VerdictKind): boolean {
  return kind === "deny" || kind === "block" || kind === "stop";
}
