/** The words of an Outcome, each list once: types and schemas are derived from it. */

export const ACTIONS = [
  "continue",
  "block-tool",
  "block-prompt",
  "block-stop",
  "context-injected",
  "error-displayed",
  "ask-user",
  "stop",
  "block-compact",
  "block-step",
] as const;
export type Action = (typeof ACTIONS)[number];

/** What one hook says, from the loosest to the strictest. */
export const VERDICT_KINDS = ["abstain", "allow", "ask", "deny", "block", "stop"] as const;
export type VerdictKind = (typeof VERDICT_KINDS)[number];

/** What all hooks together say: abstaining comes to nothing. */
export const DECISION_KINDS = ["none", "allow", "ask", "deny", "block", "stop"] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** Why a hook gave no answer of its own: facts from the runner, not opinions. */
export const FAILURE_KINDS = [
  "start",
  "edited",
  "timeout",
  "signal",
  "abort",
  "http",
  "not-allowed",
  "throw",
  "prompt",
  "elsewhere",
  "launcher",
  "warm",
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export const SEVERITIES = ["error", "warning", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const BLOCK_TYPES = ["warn", "hook", "error", "tool", "text"] as const;
export type BlockType = (typeof BLOCK_TYPES)[number];

export const READERS = ["user", "agent"] as const;
export type Reader = (typeof READERS)[number];

/** How a run was read. */
export const READINGS = ["json", "mixed", "exit-code"] as const;
export type ReadBy = (typeof READINGS)[number];

/** What a hook may add without deciding anything. */
export const ADDITIONS = ["rewrite", "context", "message"] as const;
export type Addition = (typeof ADDITIONS)[number];

const STRICTNESS: Record<VerdictKind, number> = { abstain: 0, allow: 1, ask: 2, deny: 3, block: 3, stop: 4 };

/** Whether `a` restricts more than `b` (design §5). */
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

/** The life of an agent, from top to bottom: the order of the drawing in docs/lifecycle.md. */
export const PHASES = [
  "session start",
  "prompt",
  "model",
  "before a tool call",
  "after a tool call",
  "subagents and tasks",
  "end of a turn",
  "any time",
  "settings and files",
  "session end",
] as const;

export type Phase = (typeof PHASES)[number];
