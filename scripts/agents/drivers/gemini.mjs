import { groups, json, programOf } from "../driver.mjs";
import { GEMINI_WORDS } from "../words.mjs";

/** @type {import("../driver.mjs").Driver} */
export const gemini = {
  ...programOf("gemini"),
  node: "22",
  program: "node_modules/.bin/gemini",
  env: ({ url }) => ({
    GEMINI_API_KEY: "fake",
    GEMINI_CLI_NO_RELAUNCH: "true",
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    GOOGLE_GEMINI_BASE_URL: url,
  }),
  files: (_place, hooks) => ({
    ".gemini/settings.json": json({
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      hooks: groups(hooks),
    }),
  }),
  args: ({ approves }, prompt) => [
    ...["-p", prompt, "-m", "gemini-2.5-flash", "--output-format", "stream-json"],
    ...(approves ? ["--approval-mode", "yolo"] : []),
  ],
  limit: 60,
  unit: "ms",
  events: {
    start: "SessionStart",
    prompt: "BeforeAgent",
    pre: "BeforeTool",
    post: "AfterTool",
    stop: "AfterAgent",
    end: "SessionEnd",
  },
  others: ["BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress", "Notification"],
  tools: {
    shell: (command) => ({ tool: "run_shell_command", input: { command, description: "run it" } }),
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    read: (file_path) => ({ tool: "read_file", input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({
      tool: "replace",
      input: { file_path, old_string, new_string, instruction: "mend a line" },
    }),
  },
  words: GEMINI_WORDS,
  logs: [".gemini/tmp"],
};
