import { flag, object, optional, shape, text, words } from "../schema/field.ts";

export const PERMISSIONS = ["allow", "deny", "ask"] as const;

/** The long form of a permission answer, as PermissionRequest hooks give it. */
export const BEHAVIOR_FIELDS = {
  behavior: words(PERMISSIONS),
  message: optional(text("Why; a denial's message is read by the agent.")),
  updatedInput: optional(object("The tool input to use instead.")),
  interrupt: optional(flag("With a denial: also end the turn.")),
} as const;

export const behaviorAnswer = shape(BEHAVIOR_FIELDS, "A permission answer in long form.");

/** Fields at the top level of a hook's JSON, on every event. */
export const COMMON_FIELDS = {
  continue: flag("false stops the agent, whatever else is said."),
  stopReason: text("Shown to the user when `continue` is false."),
  systemMessage: text("A warning; the dialect says who reads it."),
  suppressOutput: flag("Keep the hook's raw stdout out of the transcript."),
} as const;

/** What an event may answer; a row of the event table lists the names it accepts. */
export const ANSWER_FIELDS = {
  permissionDecision: words(PERMISSIONS, "Whether the tool call may run."),
  permissionDecisionReason: text("Why; allow and ask are read by the user, deny by the agent."),
  updatedInput: object("Replaces the whole tool input."),
  updatedPrompt: text("Replaces the user's prompt."),
  additionalContext: text("Context for the agent."),
  decision: words(["block", "approve"], "Whether the step is refused."),
  reason: text("Why the step is refused."),
} as const;

export type AnswerField = keyof typeof ANSWER_FIELDS;

/** Fields accepted at the top level as well as inside hookSpecificOutput (the seeds show both). */
export const ANYWHERE_FIELDS = { decision: ANSWER_FIELDS.decision, reason: ANSWER_FIELDS.reason } as const;

/** The fields of a top level with a permission that restricts there. */
export const MISPLACED_FIELDS = {
  permissionDecision: ANSWER_FIELDS.permissionDecision,
  permissionDecisionReason: ANSWER_FIELDS.permissionDecisionReason,
  ...ANYWHERE_FIELDS,
} as const;

/** Every name that is known at the top level of a hook's JSON. */
export const TOP_NAMES: readonly string[] = [
  ...Object.keys(COMMON_FIELDS),
  ...Object.keys(ANYWHERE_FIELDS),
  "hookSpecificOutput",
];

/** Every name of ours, at any level. No object may have one of them twice, and the journal keeps their values as they are. */
export const OUR_FIELDS: ReadonlySet<string> = new Set([
  ...TOP_NAMES,
  ...Object.keys(ANSWER_FIELDS),
  "hookEventName",
  ...Object.keys(BEHAVIOR_FIELDS),
]);
