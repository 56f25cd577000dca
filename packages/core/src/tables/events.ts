import { DEFAULT_MODE, PERMISSION_MODES } from "../config/permission-rule.ts";
import { anything, type Fields, flag, nullable, object, optional, text } from "../schema/field.ts";
import { oneOf } from "../text.ts";
import type { Dialect } from "./dialects.ts";
import type { AnswerField } from "./fields.ts";
import type { Action, BlockType, Phase, Reader } from "./kinds.ts";
import { TOOLS } from "./tools.ts";

/** Who reads a text, and in which kind of block. */
export interface Address {
  readonly to: Reader;
  readonly block: BlockType;
}

/** Settings of a dialect that are a plain yes or no. */
type Switch = Exclude<
  { [Name in keyof Dialect]: Dialect[Name] extends boolean ? Name : never }[keyof Dialect],
  undefined
>;

/** One row per event: everything the engine knows about it. A cell may name the dialect's setting that decides it. */
export type EventRow = Facts & (Refusable | Unrefusable);

/** An event whose step a hook can refuse, in one dialect at least. */
interface Refusable {
  readonly exit2: "deny" | "block" | { readonly blockIf: Switch };
  /** Where stderr of an exit 2 goes when it refuses the step. */
  readonly stderr: Address;
  /** Where the reason of a JSON refusal goes. */
  readonly reason: Address;
  /** The Outcome's action when the step is refused. */
  readonly blockedAction: Action;
}

/** Exit 2 is only shown, and the dialect says to whom. */
interface Unrefusable {
  readonly exit2: "notice";
}

interface Facts {
  /** When it fires, as the docs say it. */
  readonly when: string;
  /** Where it stands in an agent's life. */
  readonly phase: Phase;
  /** The payload field that a matcher is tested against. Absent: matchers have no meaning here. */
  readonly matcher?: string;
  /** Values of the matcher field that agents send, for docs and for `check`. */
  readonly matcherValues?: readonly string[];
  /** Payload fields of this event; the common ones are in COMMON_INPUT. */
  readonly input: Fields;
  /** A refusal removes the user's prompt from the conversation, and the agent reads nothing of it. */
  readonly erasesPrompt?: boolean;
  /** Refusals are appended to the tool's result; elsewhere they replace it. */
  readonly appendsToResult?: boolean;
  /** Plain stdout of exit 0: context for the agent, or nothing (design §3). */
  readonly plainStdout: "context" | "nobody" | { readonly contextIf: Switch };
  /** The answer fields this event accepts, in the order the docs list them. */
  readonly answers: readonly AnswerField[];
  /** Accepted values of `decision`: words, or the long permission form. */
  readonly decisions: readonly ("block" | "approve")[] | "behavior" | { readonly blockIf: Switch };
  /** What additionalContext does; absent where it is no answer. */
  readonly context?: "agent" | { readonly as: "contextOnStop" };
  /**
   * For the count of stops that hooks blocked in a row: the event may add a block ("link"), resets the count ("progress"), or
   * ends the chain ("end").
   */
  readonly stopChain?: "link" | "progress" | "end";
  /** A realistic payload, without the common fields. */
  readonly sample: Readonly<Record<string, unknown>>;
}

/** Whether `decision` is an answer at all, in words or in the long form; `reason` goes with it. */
export function takesDecision(decisions: readonly string[] | "behavior"): boolean {
  return decisions === "behavior" || decisions.length > 0;
}

/** The words `decision` may have in any dialect, or the long permission form. */
export function decisionWords({ decisions }: EventRow): readonly ("block" | "approve")[] | "behavior" {
  return typeof decisions === "object" && "blockIf" in decisions ? ["block"] : decisions;
}

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

/** Claude Code's events: a name among them is no slip. */
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
