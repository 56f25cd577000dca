import type { Address, EventRow } from "./event-row.ts";
import { anything, flag, nullable, object, optional, text } from "./field.ts";
import { DEFAULT_MODE, PERMISSION_MODES } from "./permission.ts";
import { TOOLS } from "./tools.ts";
import { oneOf } from "./wording.ts";

const START_SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const;
const COMPACT_TRIGGERS = ["manual", "auto"] as const;

/** Payload fields of every event. */
export const COMMON_INPUT = {
  session_id: text("The session; session hooks exist for a UUID only."),
  transcript_path: text("The conversation so far, as JSON lines."),
  cwd: text("The agent's working folder; hooks run there."),
  permission_mode: optional(text(`${oneOf(PERMISSION_MODES)}.`)),
  hook_event_name: text("The name of the event."),
} as const;

const TOOL_CALL = {
  tool_name: text("The tool about to run."),
  tool_input: object("The tool's input."),
  tool_use_id: optional(text("The id of this call.")),
} as const;

const STOP_INPUT = {
  stop_hook_active: flag("True when the agent goes on because of a stop hook."),
  last_assistant_message: optional(text("The agent's last words.")),
} as const;

const TO_AGENT_TOOL: Address = { to: "agent", block: "tool" };
const TO_AGENT_HOOK: Address = { to: "agent", block: "hook" };
const TO_AGENT_TEXT: Address = { to: "agent", block: "text" };
const TO_USER_ERROR: Address = { to: "user", block: "error" };

const BASH_CALL = {
  tool_name: "Bash",
  tool_input: { command: "npm test" },
  tool_use_id: "toolu_01",
} as const;

/** Before a tool call: a hook can keep it from running. */
const GATING = {
  exit2: "deny",
  stderr: TO_AGENT_TOOL,
  reason: TO_AGENT_TOOL,
  blockedAction: "block-tool",
  plainStdout: "nobody",
} as const;

/** When an agent wants to end: a hook can keep it going. */
const ENDING = {
  exit2: "block",
  stderr: TO_AGENT_TEXT,
  reason: TO_AGENT_HOOK,
  blockedAction: "block-stop",
  plainStdout: "nobody",
  answers: ["decision", "reason", "additionalContext"],
  decisions: ["block", "approve"],
  context: { as: "contextOnStop" },
  stopChain: "link",
} as const;

/** Nothing can be refused, answered or added. */
const OBSERVING = {
  exit2: "notice",
  plainStdout: "nobody",
  answers: [],
  decisions: [],
} as const;

export const EVENTS = {
  PreToolUse: {
    when: "before a tool call, whatever the permission mode",
    phase: "before a tool call",
    matcher: "tool_name",
    matcherValues: Object.keys(TOOLS),
    input: TOOL_CALL,
    ...GATING,
    answers: ["permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"],
    decisions: [],
    context: "agent",
    stopChain: "progress",
    sample: BASH_CALL,
  },
  PostToolUse: {
    when: "after a tool call has succeeded",
    phase: "after a tool call",
    matcher: "tool_name",
    matcherValues: Object.keys(TOOLS),
    input: { ...TOOL_CALL, tool_response: anything("What the tool returned.") },
    exit2: "block",
    stderr: TO_AGENT_TOOL,
    reason: TO_AGENT_HOOK,
    blockedAction: "error-displayed",
    appendsToResult: true,
    plainStdout: "nobody",
    answers: ["decision", "reason", "additionalContext"],
    decisions: ["block"],
    context: "agent",
    sample: { ...BASH_CALL, tool_response: { stdout: "12 passed", stderr: "", interrupted: false } },
  },
  UserPromptSubmit: {
    when: "when the user has sent a prompt, before the agent reads it",
    phase: "prompt",
    input: { prompt: text("What the user wrote.") },
    exit2: "block",
    stderr: TO_USER_ERROR,
    reason: TO_USER_ERROR,
    blockedAction: "block-prompt",
    erasesPrompt: true,
    plainStdout: "context",
    answers: ["decision", "reason", "additionalContext", "updatedPrompt"],
    decisions: ["block"],
    context: "agent",
    stopChain: "end",
    sample: { prompt: "Add a test for the parser" },
  },
  Stop: {
    when: "when the agent is about to finish its turn",
    phase: "end of a turn",
    input: STOP_INPUT,
    ...ENDING,
    sample: { stop_hook_active: false, last_assistant_message: "The parser now has a test." },
  },
  SubagentStop: {
    when: "when a subagent is about to finish",
    phase: "end of a subagent",
    matcher: "agent_type",
    input: {
      ...STOP_INPUT,
      agent_id: text("The subagent."),
      agent_type: text("What kind of subagent it is."),
    },
    ...ENDING,
    sample: {
      stop_hook_active: false,
      last_assistant_message: "Found three callers.",
      agent_id: "agent_01",
      agent_type: "Explore",
    },
  },
  SessionStart: {
    when: "when a session starts, resumes, is cleared or was compacted",
    phase: "session start",
    matcher: "source",
    matcherValues: START_SOURCES,
    input: { source: text(`${oneOf(START_SOURCES)}.`) },
    exit2: "notice",
    plainStdout: { contextIf: "startStdoutIsContext" },
    answers: ["additionalContext"],
    decisions: [],
    context: "agent",
    stopChain: "end",
    sample: { source: "startup" },
  },
  SessionEnd: {
    when: "when a session ends",
    phase: "session end",
    matcher: "reason",
    matcherValues: ["clear", "resume", "logout", "prompt_input_exit", "other"],
    input: { reason: text("Why it ended.") },
    ...OBSERVING,
    sample: { reason: "prompt_input_exit" },
  },
  PreCompact: {
    when: "before the conversation is compacted",
    phase: "any time",
    matcher: "trigger",
    matcherValues: COMPACT_TRIGGERS,
    input: {
      trigger: text(`${oneOf(COMPACT_TRIGGERS)}.`),
      custom_instructions: optional(nullable(text("What the user asked to keep."))),
    },
    exit2: { blockIf: "compactionCanBeBlocked" },
    stderr: TO_USER_ERROR,
    reason: TO_USER_ERROR,
    blockedAction: "block-compact",
    plainStdout: "nobody",
    answers: ["additionalContext"],
    decisions: { blockIf: "compactionCanBeBlocked" },
    context: "agent",
    sample: { trigger: "manual", custom_instructions: "" },
  },
  PermissionRequest: {
    when: "when the user is about to be asked for a permission",
    phase: "before a tool call",
    matcher: "tool_name",
    matcherValues: Object.keys(TOOLS),
    input: TOOL_CALL,
    ...GATING,
    answers: ["permissionDecision", "permissionDecisionReason", "updatedInput", "decision"],
    decisions: "behavior",
    sample: { ...BASH_CALL, tool_input: { command: "git push origin main" } },
  },
  Notification: {
    when: "when the agent notifies the user, for example because it waits",
    phase: "any time",
    matcher: "notification_type",
    matcherValues: [
      "permission_prompt",
      "idle_prompt",
      "auth_success",
      "elicitation_dialog",
      "elicitation_url_dialog",
      "elicitation_complete",
      "elicitation_response",
      "agent_needs_input",
      "agent_completed",
    ],
    input: {
      message: text("What the user is told."),
      title: optional(text("A heading.")),
      notification_type: text("What kind of notification it is."),
    },
    ...OBSERVING,
    sample: { message: "Waiting for your answer", title: "Belay", notification_type: "permission_prompt" },
  },
} as const satisfies Record<string, EventRow>;

export type EventName = keyof typeof EVENTS;

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
}

/** Claude Code's events, for files that are written for it: a name among them is no slip of the pen. */
const CLAUDE_CODE_EVENTS = `
  SessionStart Setup InstructionsLoaded UserPromptSubmit UserPromptExpansion MessageDisplay PreToolUse PermissionRequest
  PostToolUse PostToolUseFailure PostToolBatch PermissionDenied Notification SubagentStart SubagentStop TaskCreated
  TaskCompleted Stop StopFailure TeammateIdle ConfigChange CwdChanged DirectoryAdded FileChanged WorktreeCreate
  WorktreeRemove PreCompact PostCompact PreModelSwitch PostModelSwitch Elicitation ElicitationResult SessionEnd
`
  .trim()
  .split(/\s+/);

/** Whether a name is an event of Claude Code that has no row here. */
export function isForeignEvent(name: string): boolean {
  return !isEventName(name) && CLAUDE_CODE_EVENTS.includes(name);
}

/** Why a name is no event, for messages. */
export function whyNoEvent(name: string): string {
  return isForeignEvent(name)
    ? `${name} is an event of Claude Code that Belay does not run`
    : `there is no event ${name}`;
}

export function eventRow(event: EventName): EventRow {
  return EVENTS[event];
}

/** A complete payload for an event: the sample, under the common fields. */
export function samplePayload(
  event: EventName,
  common: { session_id: string; cwd: string; transcript_path: string },
) {
  return { ...common, permission_mode: DEFAULT_MODE, hook_event_name: event, ...EVENTS[event].sample };
}
