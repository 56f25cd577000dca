// The words in which agents are answered: what a probe says of a tool call, in the fields that an agent reads.

/** @typedef {{ decision?: "allow" | "deny" | "ask", reason?: string, input?: Record<string, unknown>, context?: string }} Said */
/**
 * @typedef {object} Words
 * @property {(event: string, said: Said) => object} call of a tool call that is about to run
 * @property {(event: string, reason: string) => object} block of a prompt, a result or a stop
 * @property {(event: string, context: string) => object} context
 */

/** An object without the fields that are absent. @param {Record<string, unknown>} fields */
const present = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** @type {Words} */
export const CLAUDE_WORDS = {
  call: (event, { decision, reason, input, context }) => ({
    hookSpecificOutput: {
      hookEventName: event,
      ...present({
        permissionDecision: decision,
        permissionDecisionReason: reason,
        updatedInput: input,
        additionalContext: context,
      }),
    },
  }),
  block: (_event, reason) => ({ decision: "block", reason }),
  context: (event, additionalContext) => ({
    hookSpecificOutput: { hookEventName: event, additionalContext },
  }),
};

/** @type {Words} */
export const GEMINI_WORDS = {
  call: (_event, { decision, reason, input, context }) => ({
    ...present({ decision, reason }),
    ...(input || context
      ? { hookSpecificOutput: present({ tool_input: input, additionalContext: context }) }
      : {}),
  }),
  block: (_event, reason) => ({ decision: "deny", reason }),
  context: (event, additionalContext) => ({
    hookSpecificOutput: { hookEventName: event, additionalContext },
  }),
};

/** @type {Words} */
export const COPILOT_WORDS = {
  call: (_event, { decision, reason, input, context }) =>
    present({
      permissionDecision: decision,
      permissionDecisionReason: reason,
      modifiedArgs: input,
      additionalContext: context,
    }),
  block: (_event, reason) => ({ decision: "block", reason }),
  context: (_event, additionalContext) => ({ additionalContext }),
};
