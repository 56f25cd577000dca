import type { Harness } from "../harness.ts";
import { qwenLog } from "../logs/qwen.ts";
import {
  BLOCK_OR_DENY,
  CALL,
  CALL_WITH_ID,
  CLAUDE_ALLOW,
  CLAUDE_ASK,
  CLAUDE_DENY,
  CONTEXT,
  LONG_FORM,
  PROMPT,
  STOPPING,
} from "../read/claude-words.ts";
import { quotedObject } from "../read/form.ts";
import { type Answers, USUAL } from "../read/reads.ts";
import { GROUPS_MS, LONG_MS } from "../settings.ts";

const STOP: Answers = { exit2: "stderr", deny: [BLOCK_OR_DENY], stop: "refuses", stopWords: "stopReason" };

export const qwen: Harness = {
  name: "qwen",
  title: "Qwen Code",
  tested: { program: "@qwen-code/qwen-code", version: "0.24.4", date: "2026-11-17" },
  files: [".qwen/settings.json", "~/.qwen/settings.json"],
  settings: {
    program: "qwen",
    project: ".qwen/settings.json",
    user: "~/.qwen/settings.json",
    shape: GROUPS_MS,
    limitMs: LONG_MS,
  },
  notes: [
    "The last hook's JSON decides: an allow undoes the deny of a hook before it, and every exit 2.",
    "UserPromptSubmit fires again, with an empty prompt, after every result of a tool.",
    "A stop that hooks block 7 times goes through.",
  ],
  fields: ["session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode", "timestamp"],
  events: {
    PreToolUse: {
      event: "PreToolUse",
      fields: [...CALL_WITH_ID, "prompt_id"],
      answers: {
        exit2: "stderr",
        deny: [CLAUDE_DENY, { ...BLOCK_OR_DENY, unless: CLAUDE_DENY.at }],
        ask: [CLAUDE_ASK],
        allow: [CLAUDE_ALLOW],
        stop: "refuses",
        stopWords: "stopReason",
      },
    },
    PermissionRequest: { event: "PermissionRequest", documented: true, fields: CALL, answers: LONG_FORM },
    PostToolUse: {
      event: "PostToolUse",
      fields: [...CALL_WITH_ID, "tool_response", "duration_ms", "prompt_id"],
      answers: { context: [CONTEXT], stop: "told", stopWords: "stopReason" },
    },
    PostToolUseFailure: {
      event: "PostToolUseFailure",
      fields: [...CALL_WITH_ID, "error", "is_interrupt", "duration_ms", "prompt_id"],
    },
    UserPromptSubmit: {
      event: "UserPromptSubmit",
      fields: ["prompt", "prompt_id"],
      answers: { ...PROMPT, exit2: "stderr", deny: [BLOCK_OR_DENY] },
    },
    Stop: { event: "Stop", fields: STOPPING, answers: STOP },
    SubagentStart: { event: "SubagentStart", fields: ["agent_id", "agent_type", "prompt_id"] },
    SubagentStop: {
      event: "SubagentStop",
      documented: true,
      fields: [...STOPPING, "agent_id", "agent_type"],
      answers: STOP,
    },
    SessionStart: {
      event: "SessionStart",
      fields: ["source", "model"],
      answers: { context: [CONTEXT], plain: "agent" },
    },
    SessionEnd: { event: "SessionEnd", fields: ["reason"], answers: {} },
    PostToolBatch: { event: "PostToolBatch", fields: ["tool_calls", "prompt_id"] },
    InstructionsLoaded: { event: "InstructionsLoaded", fields: ["file_path", "memory_type", "load_reason"] },
    MessageDisplay: { event: "MessageDisplay", fields: ["message_id", "delta", "final", "prompt_id"] },
    PreCompact: { event: "PreCompact", fields: ["trigger"], answers: {} },
    Notification: { event: "Notification", fields: ["message", "title", "notification_type"], answers: {} },
  },
  tools: {
    run_shell_command: { name: "Bash" },
    write_file: { name: "Write" },
    read_file: { name: "Read", input: { absolute_path: "file_path" } },
    edit: { name: "Edit" },
    glob: { name: "Glob" },
    grep_search: { name: "Grep" },
    list_directory: { name: "LS" },
    web_fetch: { name: "WebFetch" },
    todo_write: { name: "TodoWrite" },
    task: { name: "Task" },
    agent: { name: "Agent" },
  },
  payload: { displayed_text: "delta", is_final: "final" },
  log: qwenLog,
  versionIn: ["QWEN_CODE_STARTUP_VERSION"],
  inCalls: ["QWEN_CODE"],
  variables: [
    "QWEN_PROJECT_DIR",
    "QWEN_CODE_PROJECT_DIR",
    "QWEN_CODE_SESSION_ID",
    "CLAUDE_PROJECT_DIR",
    "GEMINI_PROJECT_DIR",
  ],
  reads: {
    ...USUAL,
    form: quotedObject,
    types: ["http", "prompt"],
    json: "any",
    asks: true,
    fold: { decision: "last", words: "last", rewrite: "last-configured" },
  },
};
