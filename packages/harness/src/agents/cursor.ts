import type { Harness } from "../harness.ts";
import { BLOCK, CALL_WITH_ID } from "../read/claude-words.ts";
import { type Answers, type Saying, USUAL } from "../read/reads.ts";
import { LONG_MS } from "../settings.ts";

const DENY: Saying = { at: "permission", is: ["deny"], words: "user_message" };

const ALLOW: Saying = { ...DENY, is: ["allow"] };

const GATE: Answers = {
  exit2: "always",
  deny: [DENY],
  ask: [{ ...DENY, is: ["ask"] }],
  allow: [ALLOW],
  context: ["additional_context"],
};

export const cursor: Harness = {
  name: "cursor",
  title: "Cursor",
  tested: { program: "@cursor/sdk", version: "1.0.32", date: "2026-11-17" },
  files: [".cursor/hooks.json", "~/.cursor/hooks.json", ".claude/settings.json", "~/.claude/settings.json"],
  settings: {
    program: "cursor-agent",
    project: ".cursor/hooks.json",
    user: "~/.cursor/hooks.json",
    shape: {
      kind: "json",
      grouped: false,
      version: 1,
      command: "command",
      limit: { field: "timeout", ms: 1000 },
    },
    limitMs: LONG_MS,
    perhapsNoShell: true,
  },
  notes: [
    "It also loads the hooks of Claude Code, so a hook can fire twice.",
    "The model reads `user_message`, never `agent_message`.",
    '`"failClosed": true` in an entry refuses after a timeout, exit 1 and malformed output.',
  ],
  fields: ["session_id", "hook_event_name", "transcript_path", "model", "workspace_roots"],
  events: {
    preToolUse: {
      event: "PreToolUse",
      fields: [...CALL_WITH_ID, "cwd"],
      answers: { ...GATE, rewrite: { at: "updated_input" } },
    },
    beforeShellExecution: { event: "PreToolUse", fields: ["tool_input", "cwd"], answers: GATE },
    beforeMCPExecution: {
      event: "PreToolUse",
      documented: true,
      fields: ["tool_name", "tool_input"],
      answers: GATE,
    },
    beforeReadFile: {
      event: "PreToolUse",
      documented: true,
      fields: ["tool_input", "cwd"],
      answers: { exit2: "always", deny: [DENY], allow: [ALLOW] },
    },
    postToolUse: {
      event: "PostToolUse",
      fields: [...CALL_WITH_ID, "tool_response", "cwd", "duration_ms"],
      answers: { context: ["additional_context"] },
    },
    afterShellExecution: {
      event: "PostToolUse",
      documented: true,
      fields: ["tool_input", "tool_response", "cwd", "duration_ms"],
    },
    postToolUseFailure: {
      event: "PostToolUseFailure",
      fields: [...CALL_WITH_ID, "error", "is_interrupt", "cwd", "duration_ms"],
    },
    afterFileEdit: { event: "FileEdited", fields: ["file_path", "edits"] },
    afterAgentResponse: { event: "ModelResponse", fields: ["response"] },
    beforeSubmitPrompt: { event: "UserPromptSubmit", fields: ["prompt"], answers: {} },
    stop: {
      event: "Stop",
      fields: ["status", "loop_count"],
      answers: {
        deny: [{ at: "decision", is: BLOCK.is, words: "reason" }],
        context: ["followup_message"],
        contextRefuses: true,
      },
    },
    subagentStop: { event: "SubagentStop", fields: ["status"], answers: {} },
    sessionStart: { event: "SessionStart", fields: [], answers: { context: ["additional_context"] } },
    sessionEnd: { event: "SessionEnd", fields: ["reason", "duration_ms"], answers: {} },
    preCompact: { event: "PreCompact", fields: ["trigger"], answers: {} },
  },
  tools: { Shell: { name: "Bash" }, Read: { name: "Read" }, Write: { name: "Write" } },
  payload: {
    tool_output: "tool_response",
    output: "tool_response",
    duration: "duration_ms",
    error_message: "error",
  },
  unfold: ({ command, file_path, content, text, cwd, workspace_roots: roots }) => ({
    ...(typeof command === "string" && { tool_name: "Shell", tool_input: { command } }),
    ...(typeof content === "string" && { tool_name: "Read", tool_input: { file_path } }),
    ...(typeof text === "string" && { response: { text } }),
    ...(cwd === undefined && Array.isArray(roots) && { cwd: roots[0] }),
  }),
  versionIn: ["CURSOR_VERSION", "cursor_version"],
  inCalls: ["CURSOR_AGENT"],
  variables: ["CURSOR_PROJECT_DIR", "CURSOR_VERSION", "CLAUDE_PROJECT_DIR"],
  reads: {
    ...USUAL,
    types: ["prompt"],
    flaw: ({ permission }) =>
      permission === undefined || ["allow", "deny", "ask"].includes(permission as string)
        ? undefined
        : { why: "an unknown permission is malformed there", fix: "use allow, deny or ask" },
    json: "exit-0",
    strict: true,
    failClosed: "failClosed",
    asks: false,
  },
};
