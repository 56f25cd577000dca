import {
  anything,
  type Field,
  type Fields,
  flag,
  list,
  object,
  optional,
  shape,
  text,
  words,
} from "../schema/field.ts";
import type { VerdictKind } from "./kinds.ts";

export const PERMISSIONS = ["allow", "deny", "ask"] as const;

/** The long form of a permission answer, as PermissionRequest hooks give it. */
export const BEHAVIOR_FIELDS = {
  behavior: words(PERMISSIONS),
  message: optional(text("Why; a denial's message is read by the agent.")),
  updatedInput: optional(object("The tool input to use instead.")),
  interrupt: optional(flag("With a denial: also end the turn.")),
} as const;

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

/** A further word of it: the call is left open. */
export const DEFERRED = ["defer"] as const;

/**
 * Fields that only dialects with `furtherFields` know; elsewhere they are unknown names. A row of the event table lists those
 * of hookSpecificOutput under `further`. One with the name of an answer field takes its place, with more values.
 */
export const FURTHER_FIELDS = {
  permissionDecision: words([...PERMISSIONS, ...DEFERRED], "Whether the tool call may run."),
  updatedToolOutput: anything("What the agent reads instead of the tool's result."),
  updatedMCPToolOutput: anything("The same, for a tool of an MCP server."),
  classifierContext: text("Context for the classifier of the mode auto."),
  sessionTitle: text("The title of the session."),
  initialUserMessage: text("The first prompt, where none is given."),
  watchPaths: list(text(""), "Files to fire FileChanged for."),
  reloadSkills: flag("Read the skills again."),
  suppressOriginalPrompt: flag("Do not show the text of a blocked prompt."),
  displayContent: text("What the screen shows instead of the text."),
  retry: flag("Tell the agent that it may try the call again."),
  worktreePath: text("The folder of the worktree."),
  action: words(["accept", "decline", "cancel"], "The answer to the MCP server, instead of the user's."),
  content: object("What is answered in the form."),
} as const;

/** The further fields of the top level. */
export const FURTHER_COMMON_FIELDS = {
  terminalSequence: text("An escape sequence for the terminal: a title, a notification, a bell."),
} as const;

/** The further fields of the long form of a permission. */
export const FURTHER_BEHAVIOR_FIELDS = {
  updatedPermissions: optional(list(object(""), "With an allow: changes of the permission rules.")),
} as const;

export const longForm = <const F extends Fields>(fields: F) =>
  shape(fields, "A permission answer in long form.");

/** The long form in any dialect. */
export const behaviorAnswer = longForm({ ...BEHAVIOR_FIELDS, ...FURTHER_BEHAVIOR_FIELDS });

/** Words of further fields that refuse the step without a verdict of their own, and the one that each is read as: none is looser. */
export const READ_AS = { defer: "stop", decline: "block", cancel: "block" } as const satisfies Record<
  string,
  VerdictKind
>;

const { permissionDecision: _, updatedToolOutput: __, updatedMCPToolOutput: ___, ...idle } = FURTHER_FIELDS;

/** The further fields on which Belay's engine and agent do not act: they are accepted and reported. */
export const IDLE: ReadonlySet<Field> = new Set([
  ...Object.values(idle),
  ...Object.values(FURTHER_COMMON_FIELDS),
  ...Object.values(FURTHER_BEHAVIOR_FIELDS),
]);

export type FurtherField = keyof typeof FURTHER_FIELDS;
export type AnswerField = keyof typeof ANSWER_FIELDS | FurtherField;

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
  // Of the further fields, the one whose words refuse.
  "action" satisfies FurtherField,
]);
