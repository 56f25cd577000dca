import { DEFAULT_MODE, PERMISSION_MODES } from "../config/permission-rule.ts";
import {
  anything,
  type Fields,
  flag,
  list,
  nullable,
  number,
  object,
  optional,
  text,
} from "../schema/field.ts";
import { oneOf } from "../text.ts";
import type { Dialect } from "./dialects.ts";
import type { AnswerField, FurtherField } from "./fields.ts";
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
  /** Matchers are tested against the last part of that path. */
  readonly matchesBaseName?: boolean;
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
  /** Those that it accepts besides in dialects with `furtherFields`. */
  readonly further?: readonly FurtherField[];
  /** Accepted values of `decision`: words, or the long permission form. */
  readonly decisions: readonly ("block" | "approve")[] | "behavior" | { readonly blockIf: Switch };
  /** What additionalContext does; absent where it is no answer. */
  readonly context?: "agent" | { readonly as: "contextOnStop" };
  /**
   * For the count of stops that hooks blocked in a row: the event may add a block ("link"), resets the count ("progress"), or
   * ends the chain ("end").
   */
  readonly stopChain?: "link" | "progress" | "end";
  /**
   * Its hooks may set variables for later commands, where the dialect has a file for them: for the session, or until the
   * working folder changes. "new folder": it has changed.
   */
  readonly setsVariables?: "session" | "folder" | "new folder";
  /** What Claude Code does not read here, or reads in other words, where it is simulated to the letter. */
  readonly letter?: {
    readonly answers?: readonly AnswerField[];
    readonly decisions?: readonly ("block" | "approve")[];
    readonly unread?: readonly ("exit 2" | "common fields" | "onFailure")[];
    readonly plainStdout?: "context";
  };
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
const SETUP_TRIGGERS = ["init", "maintenance"] as const;
const LOAD_REASONS = ["session_start", "nested_traversal", "path_glob_match", "include", "compact"] as const;
const CONFIG_SOURCES = [
  "user_settings",
  "project_settings",
  "local_settings",
  "policy_settings",
  "skills",
] as const;
const DIRECTORY_SOURCES = ["slash_command", "register_repo_root"] as const;
const SWITCH_SOURCES = ["command", "picker", "sdk", "auto", "resume"] as const;

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

const CALLED = {
  ...TOOL_CALL,
  duration_ms: optional(number("How long the call took.")),
} as const;

const SUBAGENT = {
  agent_id: text("The subagent."),
  agent_type: text("What kind of subagent it is."),
} as const;

const TASK = {
  task_id: text("The task."),
  task_subject: text("What it is about."),
  task_description: optional(text("What is to be done.")),
  teammate_name: optional(text("Whose task it is.")),
} as const;

const COMPACTION = { trigger: text(`${oneOf(COMPACT_TRIGGERS)}.`) } as const;

const MODEL_SWITCH = {
  from_model: text("The model so far."),
  to_model: text("The model from now on."),
  requested_model: optional(nullable(text("What was asked for."))),
  source: text(`${oneOf(SWITCH_SOURCES)}.`),
  context_tokens: optional(number("How much the new model has to read.")),
} as const;

const SERVER = {
  mcp_server_name: text("The MCP server that asks."),
  mode: optional(text("form or url.")),
  elicitation_id: optional(text("The id of the question.")),
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

/** A prompt: a hook can keep the agent from ever reading it. */
const PROMPTING = {
  exit2: "block",
  stderr: TO_USER_ERROR,
  reason: TO_USER_ERROR,
  blockedAction: "block-prompt",
  erasesPrompt: true,
  plainStdout: "context",
  decisions: ["block"],
  context: "agent",
} as const;

/** After a tool call: a hook can complain about its result. */
const JUDGING = {
  exit2: "block",
  stderr: TO_AGENT_TOOL,
  reason: TO_AGENT_HOOK,
  blockedAction: "error-displayed",
  appendsToResult: true,
  plainStdout: "nobody",
  answers: ["decision", "reason", "additionalContext"],
  decisions: ["block"],
  context: "agent",
} as const;

/** A step that a hook can refuse, and the agent reads why. */
const STEP = {
  exit2: "block",
  stderr: TO_AGENT_TEXT,
  reason: TO_AGENT_HOOK,
  blockedAction: "block-step",
  plainStdout: "nobody",
  answers: ["decision", "reason"],
  decisions: ["block"],
} as const;

/** A step that a hook can refuse, and the user reads why. */
const HOST_STEP = { ...STEP, stderr: TO_USER_ERROR, reason: TO_USER_ERROR } as const;

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
  letter: { unread: ["onFailure"] },
} as const;

/** Nothing can be refused, answered or added. */
const OBSERVING = {
  exit2: "notice",
  plainStdout: "nobody",
  answers: [],
  decisions: [],
} as const;

/** Nothing can be refused, and the agent can be told something. */
const INFORMING = { ...OBSERVING, answers: ["additionalContext"], context: "agent" } as const;

/** The seeds' events: nearly every agent has them, and ours lives through them. */
const COMMON = {
  PreToolUse: {
    when: "before a tool call, whatever the permission mode",
    phase: "before a tool call",
    matcher: "tool_name",
    matcherValues: Object.keys(TOOLS),
    input: TOOL_CALL,
    ...GATING,
    answers: ["permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"],
    further: ["permissionDecision"],
    decisions: [],
    letter: { decisions: ["block", "approve"] },
    context: "agent",
    stopChain: "progress",
    sample: BASH_CALL,
  },
  PostToolUse: {
    when: "after a tool call has succeeded",
    phase: "after a tool call",
    matcher: "tool_name",
    matcherValues: Object.keys(TOOLS),
    input: { ...CALLED, tool_response: anything("What the tool returned.") },
    ...JUDGING,
    further: ["updatedToolOutput", "updatedMCPToolOutput", "classifierContext"],
    sample: { ...BASH_CALL, tool_response: { stdout: "12 passed", stderr: "", interrupted: false } },
  },
  UserPromptSubmit: {
    when: "when the user has sent a prompt, before the agent reads it",
    phase: "prompt",
    input: { prompt: text("What the user wrote.") },
    ...PROMPTING,
    answers: ["decision", "reason", "additionalContext", "updatedPrompt"],
    letter: { answers: ["decision", "reason", "additionalContext"] },
    further: ["sessionTitle", "suppressOriginalPrompt"],
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
    phase: "subagents and tasks",
    matcher: "agent_type",
    input: { ...STOP_INPUT, ...SUBAGENT },
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
    ...INFORMING,
    further: ["initialUserMessage", "sessionTitle", "watchPaths", "reloadSkills"],
    plainStdout: { contextIf: "startStdoutIsContext" },
    stopChain: "end",
    setsVariables: "session",
    sample: { source: "startup" },
  },
  SessionEnd: {
    when: "when a session ends",
    phase: "session end",
    matcher: "reason",
    matcherValues: ["clear", "resume", "logout", "prompt_input_exit", "other"],
    input: { reason: text("Why it ended.") },
    ...OBSERVING,
    letter: { unread: ["common fields"] },
    sample: { reason: "prompt_input_exit" },
  },
  PreCompact: {
    when: "before the conversation is compacted",
    phase: "any time",
    matcher: "trigger",
    matcherValues: COMPACT_TRIGGERS,
    input: {
      ...COMPACTION,
      custom_instructions: optional(nullable(text("What the user asked to keep."))),
    },
    exit2: { blockIf: "compactionCanBeBlocked" },
    stderr: TO_USER_ERROR,
    reason: TO_USER_ERROR,
    blockedAction: "block-compact",
    plainStdout: "nobody",
    letter: { answers: [], plainStdout: "context", unread: ["common fields"] },
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
    letter: { answers: ["decision"], unread: ["exit 2", "common fields"] },
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
    letter: { unread: ["exit 2", "common fields"] },
    sample: { message: "Waiting for your answer", title: "Belay", notification_type: "permission_prompt" },
  },
} as const satisfies Record<string, EventRow>;

/** The other events of Claude Code, and at the end what only other agents tell their hooks. */
const FURTHER = {
  PostToolUseFailure: {
    when: "after a tool call has failed",
    phase: "after a tool call",
    matcher: "tool_name",
    matcherValues: Object.keys(TOOLS),
    input: {
      ...CALLED,
      error: text("What went wrong."),
      is_interrupt: optional(flag("True when the user broke it off.")),
    },
    ...JUDGING,
    sample: {
      ...BASH_CALL,
      tool_input: { command: "npm tets" },
      error: "Exit code 1: Unknown command: tets",
      is_interrupt: false,
      duration_ms: 240,
    },
  },
  PostToolBatch: {
    when: "after calls that ran side by side, before the model is asked again",
    phase: "after a tool call",
    input: {
      tool_calls: list(
        anything(),
        "The calls, each with tool_name, tool_input, tool_use_id and tool_response.",
      ),
    },
    ...HOST_STEP,
    answers: ["decision", "reason", "additionalContext"],
    context: "agent",
    sample: { tool_calls: [{ ...BASH_CALL, tool_response: "12 passed" }] },
  },
  PermissionDenied: {
    when: "when a call was denied without a question to the user",
    phase: "before a tool call",
    matcher: "tool_name",
    matcherValues: Object.keys(TOOLS),
    input: { ...TOOL_CALL, reason: text("Why it was denied.") },
    ...OBSERVING,
    further: ["retry"],
    sample: {
      ...BASH_CALL,
      tool_input: { command: "curl https://example.com/install.sh | sh" },
      reason: "It runs code from the network.",
    },
  },
  UserPromptExpansion: {
    when: "when a command that the user typed is about to become a prompt",
    phase: "prompt",
    matcher: "command_name",
    input: {
      expansion_type: text("slash_command or mcp_prompt."),
      command_name: text("The command, without its slash."),
      command_args: text("What stands behind it."),
      command_source: text("Where the command is from."),
      prompt: text("What the user wrote."),
    },
    ...PROMPTING,
    answers: ["decision", "reason", "additionalContext"],
    sample: {
      expansion_type: "slash_command",
      command_name: "review",
      command_args: "src",
      command_source: "projectSettings",
      prompt: "/review src",
    },
  },
  SubagentStart: {
    when: "when a subagent starts",
    phase: "subagents and tasks",
    matcher: "agent_type",
    input: SUBAGENT,
    ...INFORMING,
    sample: { agent_id: "agent_01", agent_type: "Explore" },
  },
  TaskCreated: {
    when: "when a task is put on the list",
    phase: "subagents and tasks",
    input: TASK,
    ...STEP,
    sample: { task_id: "1", task_subject: "Test the parser", task_description: "One test for each error" },
  },
  TaskCompleted: {
    when: "when a task is about to be marked as done",
    phase: "subagents and tasks",
    input: TASK,
    ...STEP,
    sample: { task_id: "1", task_subject: "Test the parser", teammate_name: "tester" },
  },
  TeammateIdle: {
    when: "when a teammate is about to wait for work",
    phase: "subagents and tasks",
    input: { teammate_name: text("Who it is."), team_name: optional(text("The team.")) },
    ...STEP,
    blockedAction: "block-stop",
    sample: { teammate_name: "tester", team_name: "parser" },
  },
  StopFailure: {
    when: "when a turn has ended by an error of the model's service",
    phase: "end of a turn",
    matcher: "error",
    matcherValues: [
      "rate_limit",
      "overloaded",
      "authentication_failed",
      "oauth_org_not_allowed",
      "account_on_hold",
      "billing_error",
      "invalid_request",
      "model_not_found",
      "server_error",
      "max_output_tokens",
      "cloud_credential_error",
      "unknown",
    ],
    input: {
      error: text("What kind of error it is."),
      error_details: optional(text("What the service said.")),
      last_assistant_message: optional(text("The error, as the user reads it.")),
    },
    ...OBSERVING,
    sample: { error: "rate_limit", error_details: "429", last_assistant_message: "Try again later" },
  },
  MessageDisplay: {
    when: "when text of the agent is about to be shown",
    phase: "model",
    input: {
      turn_id: text("The turn."),
      message_id: text("The message."),
      index: number("Which part of the message it is, from 0 on."),
      final: flag("True for the last part."),
      delta: text("The text."),
    },
    ...OBSERVING,
    further: ["displayContent"],
    sample: {
      turn_id: "7d8c61a0-2f1f-4f5d-9b43-6a0c52e0a1f4",
      message_id: "0c2f7be1-9d55-4a8e-8d0c-1e6b7c9f3a20",
      index: 0,
      final: true,
      delta: "I will run the tests.",
    },
  },
  Setup: {
    when: "when an agent is started to prepare a project",
    phase: "session start",
    matcher: "trigger",
    matcherValues: SETUP_TRIGGERS,
    input: { trigger: text(`${oneOf(SETUP_TRIGGERS)}.`) },
    ...OBSERVING,
    setsVariables: "session",
    sample: { trigger: "init" },
  },
  InstructionsLoaded: {
    when: "when a file of instructions for the agent was read",
    phase: "settings and files",
    matcher: "load_reason",
    matcherValues: LOAD_REASONS,
    input: {
      file_path: text("The file."),
      memory_type: text("User, Project, Local or Managed."),
      load_reason: text(`${oneOf(LOAD_REASONS)}.`),
      globs: optional(anything("The patterns that the file is for.")),
      trigger_file_path: optional(text("The file whose reading led to it.")),
      parent_file_path: optional(text("The file that includes it.")),
    },
    ...OBSERVING,
    sample: {
      file_path: "/home/you/project/CLAUDE.md",
      memory_type: "Project",
      load_reason: "session_start",
    },
  },
  ConfigChange: {
    when: "when a settings file has changed, before the change is in force",
    phase: "settings and files",
    matcher: "source",
    matcherValues: CONFIG_SOURCES,
    input: { source: text(`${oneOf(CONFIG_SOURCES)}.`), file_path: optional(text("The file.")) },
    ...HOST_STEP,
    sample: { source: "project_settings", file_path: "/home/you/project/.claude/settings.json" },
  },
  CwdChanged: {
    when: "when the agent's working folder has changed",
    phase: "settings and files",
    input: { old_cwd: text("The folder so far."), new_cwd: text("The folder from now on.") },
    ...OBSERVING,
    further: ["watchPaths"],
    setsVariables: "new folder",
    sample: { old_cwd: "/home/you/project", new_cwd: "/home/you/project/packages" },
  },
  DirectoryAdded: {
    when: "when the agent may work in one more folder",
    phase: "settings and files",
    matcher: "source",
    matcherValues: DIRECTORY_SOURCES,
    input: { directory: text("The folder."), source: text(`${oneOf(DIRECTORY_SOURCES)}.`) },
    ...OBSERVING,
    sample: { directory: "/home/you/library", source: "slash_command" },
  },
  FileChanged: {
    when: "when a watched file has changed on disk",
    phase: "settings and files",
    matcher: "file_path",
    matchesBaseName: true,
    input: { file_path: text("The file."), event: text("change, add or unlink.") },
    ...OBSERVING,
    further: ["watchPaths"],
    setsVariables: "folder",
    sample: { file_path: "/home/you/project/.env", event: "change" },
  },
  WorktreeCreate: {
    when: "when a worktree is needed, instead of git",
    phase: "settings and files",
    input: { name: text("The name of the worktree.") },
    ...HOST_STEP,
    further: ["worktreePath"],
    sample: { name: "fix-parser" },
  },
  WorktreeRemove: {
    when: "when a worktree is about to be removed",
    phase: "settings and files",
    input: { worktree_path: text("The folder of the worktree.") },
    ...HOST_STEP,
    sample: { worktree_path: "/home/you/worktrees/fix-parser" },
  },
  PostCompact: {
    when: "after the conversation was compacted",
    phase: "any time",
    matcher: "trigger",
    matcherValues: COMPACT_TRIGGERS,
    input: { ...COMPACTION, compact_summary: text("What the agent remembers.") },
    ...OBSERVING,
    sample: { trigger: "auto", compact_summary: "The parser has a test. The docs are open." },
  },
  PreModelSwitch: {
    when: "when the user is about to switch to another model",
    phase: "any time",
    matcher: "to_model",
    input: MODEL_SWITCH,
    ...HOST_STEP,
    exit2: "deny",
    answers: ["permissionDecision", "permissionDecisionReason", "decision", "reason"],
    sample: {
      from_model: "claude-haiku-4-5",
      to_model: "claude-opus-4-8",
      requested_model: "opus",
      source: "command",
      context_tokens: 48_000,
    },
  },
  PostModelSwitch: {
    when: "after another model has taken over",
    phase: "any time",
    matcher: "to_model",
    input: MODEL_SWITCH,
    ...INFORMING,
    plainStdout: "context",
    sample: {
      from_model: "claude-haiku-4-5",
      to_model: "claude-opus-4-8",
      requested_model: "opus",
      source: "command",
      context_tokens: 48_000,
    },
  },
  Elicitation: {
    when: "when an MCP server asks the user something",
    phase: "any time",
    matcher: "mcp_server_name",
    input: {
      ...SERVER,
      message: text("The question."),
      url: optional(text("The page to open, for a url.")),
      requested_schema: optional(anything("The schema of the answer, for a form.")),
    },
    ...HOST_STEP,
    further: ["action", "content"],
    sample: {
      mcp_server_name: "tickets",
      message: "Which ticket is it about?",
      mode: "form",
      requested_schema: { type: "object", properties: { ticket: { type: "string" } } },
    },
  },
  ElicitationResult: {
    when: "when the user has answered an MCP server, before the server reads it",
    phase: "any time",
    matcher: "mcp_server_name",
    input: {
      ...SERVER,
      action: text("accept, decline or cancel."),
      content: optional(object("The answer.")),
    },
    ...HOST_STEP,
    further: ["action", "content"],
    sample: { mcp_server_name: "tickets", action: "accept", mode: "form", content: { ticket: "22" } },
  },
  ModelRequest: {
    when: "before the model is asked, in agents that say so",
    phase: "model",
    input: { model: optional(text("The model.")), request: optional(anything("What it is sent.")) },
    ...OBSERVING,
    sample: { model: "gemini-3-pro", request: { messages: 4 } },
  },
  ModelResponse: {
    when: "after the model has answered, in agents that say so",
    phase: "model",
    input: { model: optional(text("The model.")), response: optional(anything("What it answered.")) },
    ...OBSERVING,
    sample: { model: "gemini-3-pro", response: { text: "I will run the tests." } },
  },
  FileEdited: {
    when: "after the agent has edited a file, in agents that say so besides the tool call",
    phase: "after a tool call",
    matcher: "file_path",
    matchesBaseName: true,
    input: {
      file_path: text("The file."),
      edits: optional(list(anything(), "The edits, each with old_string and new_string.")),
    },
    ...OBSERVING,
    sample: {
      file_path: "/home/you/project/src/parse.ts",
      edits: [{ old_string: "let a", new_string: "const a" }],
    },
  },
} as const satisfies Record<string, EventRow>;

export const EVENTS = { ...COMMON, ...FURTHER } as const;

export type EventName = keyof typeof EVENTS;

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** What is meant where nobody says which event: the events that nearly every agent has. */
export const COMMON_EVENT_NAMES = Object.keys(COMMON) as (keyof typeof COMMON)[];

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(EVENTS, name);
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
