import { CLAUDE_EVENTS, groups, json, programOf } from "../driver.mjs";
import { CLAUDE_WORDS } from "../words.mjs";

/** @type {import("../driver.mjs").Driver} */
export const qwen = {
  ...programOf("qwen"),
  node: "22",
  program: "node_modules/.bin/qwen",
  env: ({ url }) => ({ OPENAI_API_KEY: "fake", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" }),
  files: (_place, hooks) => ({
    ".qwen/settings.json": json({
      security: { auth: { selectedType: "openai" } },
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      privacy: { usageStatisticsEnabled: false },
      hooks: groups(hooks),
    }),
  }),
  args: ({ approves }, prompt) => [
    ...["-p", prompt, "--output-format", "stream-json"],
    ...(approves ? ["--approval-mode", "yolo"] : []),
  ],
  limit: 60,
  unit: "ms",
  events: { ...CLAUDE_EVENTS, permission: "PermissionRequest" },
  others: [
    ...["PostToolUseFailure", "Notification", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"],
    ...["StopFailure", "TodoCreated", "TodoCompleted"],
  ],
  http: {},
  tools: {
    shell: (command) => ({
      tool: "run_shell_command",
      input: { command, description: "run it", is_background: false },
    }),
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    read: (file_path) => ({ tool: "read_file", input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({
      tool: "edit",
      input: { file_path, old_string, new_string },
    }),
    subagent: (prompt) => ({
      tool: "agent",
      input: { description: "look around", prompt, subagent_type: "general-purpose" },
    }),
  },
  words: CLAUDE_WORDS,
  logs: [".qwen/projects", ".qwen/tmp"],
};
