import type { Harness } from "../harness.ts";
import {
  BLOCK_OR_DENY,
  CALL_WITH_ID,
  CLAUDE_ALLOW,
  CLAUDE_ASK,
  CLAUDE_DENY,
  CONTEXT,
  UPDATED_INPUT,
} from "../read/claude-words.ts";
import { unmarkedObject } from "../read/form.ts";
import { type Answers, USUAL } from "../read/reads.ts";
import { GROUPS, LONG_MS } from "../settings.ts";

const STOP: Answers = {
  exit2: "alone",
  fields: { continue: "boolean?", stopReason: "string?" },
  deny: [BLOCK_OR_DENY],
  context: [CONTEXT],
  contextRefuses: true,
  stop: "passes",
};

export const grok: Harness = {
  name: "grok",
  title: "Grok Build",
  tested: { program: "@xai-official/grok", version: "1.0.41", date: "2026-11-17" },
  files: [".grok/hooks/*.json", "~/.grok/hooks/*.json", "~/.claude/settings.json"],
  settings: {
    program: "grok",
    project: ".grok/hooks/belay.json",
    user: "~/.grok/hooks/belay.json",
    moved: { folder: "~/.grok", by: "GROK_HOME" },
    shape: GROUPS,
    limitMs: LONG_MS,
    needsGit: true,
    trust:
      "Grok Build skips a project's hooks in silence until you trust the folder: /hooks-trust, or grok --trust.",
  },
  notes: [
    "It also loads the user's hooks of Claude Code.",
    "An ask was measured with --always-approve, where the call runs. Without it Grok asks.",
    "Hooks run one after another. A stop that hooks block 8 times goes through.",
  ],
  fields: ["session_id", "cwd", "hook_event_name", "permission_mode", "timestamp"],
  events: {
    PreToolUse: {
      event: "PreToolUse",
      fields: [...CALL_WITH_ID, "transcript_path"],
      answers: {
        exit2: "always",
        deny: [CLAUDE_DENY, { ...BLOCK_OR_DENY, unless: CLAUDE_DENY.at }],
        ask: [CLAUDE_ASK],
        allow: [CLAUDE_ALLOW],
        rewrite: { at: UPDATED_INPUT },
        context: [CONTEXT],
      },
    },
    PostToolUse: {
      event: "PostToolUse",
      fields: [...CALL_WITH_ID, "tool_response", "duration_ms", "transcript_path"],
      answers: { exit2: "always", deny: [BLOCK_OR_DENY], context: [CONTEXT] },
    },
    UserPromptSubmit: {
      event: "UserPromptSubmit",
      fields: ["prompt"],
      answers: { exit2: "always", deny: [BLOCK_OR_DENY], wordsTo: "nobody", refusalEnds: true },
    },
    Stop: { event: "Stop", fields: ["transcript_path"], answers: STOP },
    SubagentStart: { event: "SubagentStart", fields: ["agent_id", "agent_type", "transcript_path"] },
    SubagentStop: {
      event: "SubagentStop",
      fields: ["agent_id", "agent_type", "last_assistant_message", "stop_hook_active", "transcript_path"],
    },
    SessionStart: { event: "SessionStart", fields: ["source"], answers: {} },
    SessionEnd: { event: "SessionEnd", fields: ["reason", "transcript_path"], answers: {} },
  },
  tools: {
    run_terminal_command: { name: "Bash" },
    read_file: { name: "Read", input: { target_file: "file_path" } },
  },
  payload: {
    sessionId: "session_id",
    toolName: "tool_name",
    toolInput: "tool_input",
    toolUseId: "tool_use_id",
    toolResult: "tool_response",
    transcriptPath: "transcript_path",
    subagentId: "agent_id",
    subagentType: "agent_type",
    permissionMode: "permission_mode",
    stopHookActive: "stop_hook_active",
    lastAssistantMessage: "last_assistant_message",
  },
  variables: [
    "GROK_SESSION_ID",
    "GROK_WORKSPACE_ROOT",
    "GROK_HOOK_EVENT",
    "GROK_HOOK_NAME",
    "CLAUDE_PROJECT_DIR",
  ],
  reads: {
    ...USUAL,
    form: unmarkedObject,
    json: "any",
    denyBeforeExit2: true,
    fields: { decision: "string?", reason: "string?", [CLAUDE_DENY.words]: "string?" },
    // Measured with --always-approve. Without it Grok asks.
    asks: false,
    fold: { ...USUAL.fold, denyDropsContext: true },
  },
};
