import type { Harness } from "../harness.ts";
import { CALL } from "../read/claude-words.ts";

/** Hooks are functions of an extension here: `{ block: true }` or a throw refuses a call. */
export const pi: Harness = {
  name: "pi",
  title: "pi",
  tested: { program: "@earendil-works/pi-coding-agent", version: "0.87.1", date: "2026-11-17" },
  files: ["~/.pi/agent/extensions/*.ts"],
  notes: [
    "Hooks are functions of an extension. `{ block: true }` or a throw refuses a call; `terminate` ends the turn.",
  ],
  fields: ["session_id", "cwd"],
  events: {
    tool_call: { event: "PreToolUse", fields: CALL },
    tool_result: { event: "PostToolUse", fields: [...CALL, "tool_response"] },
    input: { event: "UserPromptSubmit", fields: ["prompt"] },
    session_start: { event: "SessionStart", fields: [] },
    session_shutdown: { event: "SessionEnd", fields: [] },
  },
  tools: {
    bash: { name: "Bash" },
    read: { name: "Read", input: { path: "file_path" } },
    write: { name: "Write", input: { path: "file_path" } },
    edit: { name: "Edit", input: { path: "file_path" } },
  },
  variables: [],
};
