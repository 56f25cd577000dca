import type { Harness } from "../harness.ts";
import { CALL, CLAUDE_DENY } from "../read/claude-words.ts";
import { USUAL } from "../read/reads.ts";
import { LONG_MS } from "../settings.ts";

export const kimi: Harness = {
  name: "kimi",
  title: "Kimi Code",
  tested: { program: "@moonshot-ai/kimi-code", version: "2.1.0", date: "2026-11-17" },
  files: ["~/.kimi-code/config.toml"],
  settings: {
    program: "kimi",
    user: "~/.kimi-code/config.toml",
    moved: { folder: "~/.kimi-code", by: "KIMI_CODE_HOME" },
    shape: { kind: "toml", limit: { field: "timeout", ms: 1000 } },
    limitMs: LONG_MS,
  },
  notes: [
    "PostToolUse and SessionEnd hooks are not waited for; in `kimi -p` they are often lost.",
    "What a hook prints on UserPromptSubmit reaches the model as it is, JSON included.",
  ],
  fields: ["session_id", "cwd", "hook_event_name", "client_type"],
  events: {
    PreToolUse: {
      event: "PreToolUse",
      fields: [...CALL, "tool_use_id"],
      answers: { exit2: "always", deny: [CLAUDE_DENY] },
    },
    PostToolUse: { event: "PostToolUse", fields: [...CALL, "tool_use_id", "tool_response"], answers: {} },
    PostToolUseFailure: { event: "PostToolUseFailure", fields: [...CALL, "tool_use_id", "error"] },
    UserPromptSubmit: {
      event: "UserPromptSubmit",
      fields: ["prompt"],
      answers: { exit2: "always", wordsTo: "user", refusalEnds: true, plain: "agent", readsNoJson: true },
    },
    Stop: { event: "Stop", fields: ["stop_hook_active"], answers: { exit2: "always" } },
    SubagentStart: { event: "SubagentStart", fields: ["prompt"] },
    SubagentStop: { event: "SubagentStop", fields: [] },
    SessionStart: { event: "SessionStart", fields: ["source", "model"], answers: {} },
    SessionEnd: { event: "SessionEnd", fields: ["reason"], answers: {} },
  },
  tools: { Bash: { name: "Bash" }, Read: { name: "Read", input: { path: "file_path" } } },
  payload: { tool_call_id: "tool_use_id", tool_output: "tool_response" },
  variables: [],
  reads: {
    ...USUAL,
    json: "exit-0",
    asks: false,
  },
};
