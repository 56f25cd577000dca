import { json, programOf } from "../driver.mjs";
import { CLINE_WORDS } from "../words.mjs";

const system = `${process.platform}-${process.arch}`;
/** An event has one file in each of two folders; the one in the home is called first. */
const HOOK_FILES = [
  (/** @type {string} */ event) => `project/.clinerules/hooks/${event}`,
  (/** @type {string} */ event) => `.cline/hooks/${event}.sh`,
];

/** @type {import("../driver.mjs").Driver} */
export const cline = {
  ...programOf("cline"),
  program: `node_modules/@cline/cli-${system}/bin/cline`,
  env: ({ home }) => ({
    CLINE_DIR: `${home}/.cline`,
    CLINE_NO_AUTO_UPDATE: "1",
    CLINE_NO_INTERACTIVE: "1",
    CLINE_SESSION_BACKEND_MODE: "local",
  }),
  files: ({ url }, hooks) => ({
    ".cline/data/settings/providers.json": json({
      version: 1,
      lastUsedProvider: "openai-compatible",
      modes: {},
      providers: {
        "openai-compatible": {
          settings: {
            provider: "openai-compatible",
            apiKey: "fake",
            model: "scripted",
            baseUrl: `${url}/v1`,
          },
          updatedAt: "2026-01-05T10:00:00.000Z",
          tokenSource: "manual",
        },
      },
    }),
    ...Object.fromEntries(
      Object.entries(hooks).flatMap(([event, entries]) =>
        entries.flatMap(({ command }, at) => {
          const file = HOOK_FILES[entries.length - 1 - at];
          return file ? [[file(event), `#!/bin/sh\nexec ${command}\n`]] : [];
        }),
      ),
    ),
  }),
  args: ({ approves }, prompt) => ["--json", "--auto-approve", String(approves), prompt],
  limit: 60,
  unit: undefined,
  events: {
    start: "TaskStart",
    prompt: "UserPromptSubmit",
    pre: "PreToolUse",
    post: "PostToolUse",
    stop: "TaskComplete",
  },
  others: ["TaskResume", "TaskCancel", "TaskError", "PreCompact", "SessionShutdown"],
  tools: {
    shell: (command) => ({ tool: "run_commands", input: { commands: [command] } }),
    read: (path) => ({ tool: "read_files", input: { files: [{ path }] } }),
    edit: (path, old_text, new_text) => ({ tool: "editor", input: { path, old_text, new_text } }),
    write: (path, new_text) => ({ tool: "editor", input: { path, new_text } }),
    subagent: (task) => ({
      tool: "spawn_agent",
      input: { systemPrompt: "You look around.", task },
    }),
  },
  words: CLINE_WORDS,
  logs: [".cline/data/sessions"],
};
