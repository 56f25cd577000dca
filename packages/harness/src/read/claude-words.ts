import type { Answers, Saying } from "./reads.ts";

/* The words that Claude Code began with. Most harnesses read some of them. */

const INSIDE = "hookSpecificOutput";

export const CONTEXT = `${INSIDE}.additionalContext`;
export const UPDATED_INPUT = `${INSIDE}.updatedInput`;

export const CLAUDE_DENY = {
  at: `${INSIDE}.permissionDecision`,
  is: ["deny"],
  words: `${INSIDE}.permissionDecisionReason`,
} as const satisfies Saying;

export const CLAUDE_ASK: Saying = { ...CLAUDE_DENY, is: ["ask"] };
export const CLAUDE_ALLOW: Saying = { ...CLAUDE_DENY, is: ["allow"] };

/** `decision: "block"` with its reason. */
export const BLOCK: Saying = { at: "decision", is: ["block"], words: "reason" };
/** `decision`, in either word. */
export const BLOCK_OR_DENY: Saying = { ...BLOCK, is: ["block", "deny"] };

/** The long form of an answer to a permission question. */
export const LONG_FORM = {
  deny: [{ at: `${INSIDE}.decision.behavior`, is: ["deny"], words: `${INSIDE}.decision.message` }],
  allow: [{ at: `${INSIDE}.decision.behavior`, is: ["allow"] }],
} as const satisfies Answers;

/** A refused prompt: the user reads why, and the turn is over. */
export const PROMPT = {
  wordsTo: "user",
  refusalEnds: true,
  context: [CONTEXT],
  plain: "agent",
  stop: "refuses-and-ends",
  stopWords: "stopReason",
} as const satisfies Answers;

/** Payload fields that most harnesses send with a call and with a stop. */
export const CALL = ["tool_name", "tool_input"];
export const CALL_WITH_ID = [...CALL, "tool_use_id"];
export const STOPPING = ["stop_hook_active", "last_assistant_message"];
