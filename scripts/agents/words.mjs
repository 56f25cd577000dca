// The words in which agents are answered: what a probe says of a tool call, in the fields that an agent reads.

/** @typedef {{ decision?: "allow" | "deny" | "ask", reason?: string, input?: Record<string, unknown>, context?: string }} Said */
/**
 * @typedef {object} Words
 * @property {(event: string, said: Said) => object} call of a tool call that is about to run
 * @property {(event: string, reason: string) => object} block of a prompt, a result or a stop
 * @property {(event: string, context: string) => object} context
 * @property {(behavior: "allow" | "deny", message?: string) => object} [permission] of a call for which the agent asks
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
  permission: (behavior, message) => ({
    hookSpecificOutput: {
      hookEventName: "PermissionRequest",
      decision: present({ behavior, message }),
    },
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
  permission: (behavior, message) => present({ behavior, message }),
};

/** @type {Words} */
export const CLINE_WORDS = {
  call: (_event, { decision, reason, input, context }) =>
    present({
      cancel: decision === "deny" ? true : undefined,
      review: decision === "ask" ? true : undefined,
      errorMessage: reason,
      overrideInput: input,
      context,
    }),
  block: (_event, reason) => ({ cancel: true, errorMessage: reason }),
  context: (_event, context) => ({ context }),
};

/** For functions an answer is what the function does: it throws, changes what it was given, or returns. @type {Words} */
export const OPENCODE_WORDS = {
  call: (_event, { decision, reason, input }) =>
    present({
      throw: decision === "deny" ? (reason ?? "") : undefined,
      set: input && { "args.command": input.command },
    }),
  block: (_event, reason) => ({ throw: reason }),
  context: () => ({}),
};

/** @type {Words} */
export const PI_WORDS = {
  call: (_event, { decision, reason, input }) =>
    present({
      ret: decision === "deny" ? present({ block: true, reason }) : undefined,
      set: input && { "input.command": input.command },
    }),
  block: (_event, content) => ({
    ret: {
      continue: true,
      entries: [{ type: "custom_message", customType: "note", content, display: true }],
    },
  }),
  context: (_event, content) => ({ ret: { message: { customType: "note", content, display: true } } }),
};
