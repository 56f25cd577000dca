import type { Harness } from "../harness.ts";
import { piLog } from "../logs/pi.ts";
import { CALL } from "../read/claude-words.ts";
import { PLUGIN_WORDS } from "../read/plugin-words.ts";
import { LONG_MS } from "../settings.ts";

/** Hooks are functions of an extension here: `{ block: true }` or a throw refuses a call. */
export const pi: Harness = {
  name: "pi",
  title: "pi",
  tested: { program: "@earendil-works/pi-coding-agent", version: "0.87.1", date: "2026-11-17" },
  files: ["~/.pi/agent/extensions/*.ts"],
  settings: {
    user: "~/.pi/agent/extensions/belay.ts",
    moved: { folder: "~/.pi/agent", by: "PI_CODING_AGENT_DIR" },
    shape: { kind: "plugin" },
    limitMs: LONG_MS,
  },
  notes: [
    "Hooks are functions of an extension. `{ block: true }` or a throw refuses a call; `terminate` ends the turn.",
  ],
  fields: ["session_id", "cwd"],
  events: {
    tool_call: {
      event: "PreToolUse",
      fields: CALL,
      plugin: {
        deny: PLUGIN_WORDS.deny,
        rewrite: PLUGIN_WORDS.rewrite,
        stop: "refuses-and-ends",
        stopWords: PLUGIN_WORDS.stopWords,
      },
    },
    tool_result: {
      event: "PostToolUse",
      fields: [...CALL, "tool_response"],
      plugin: { output: PLUGIN_WORDS.output },
    },
    input: {
      event: "UserPromptSubmit",
      fields: ["prompt"],
      plugin: { deny: PLUGIN_WORDS.deny, wordsTo: "nobody", refusalEnds: true, prompt: PLUGIN_WORDS.prompt },
    },
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
  log: piLog,
};
