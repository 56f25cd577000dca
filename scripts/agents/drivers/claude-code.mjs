import { CLAUDE_EVENTS, groups, json, programOf } from "../driver.mjs";
import { CLAUDE_WORDS } from "../words.mjs";
import { CLAUDE_SETTINGS } from "./claude-code-settings.mjs";

const system = `${process.platform}-${process.arch}`;

/** @param {import("../driver.mjs").Place} place @param {string} prompt */
const args = ({ home, approves }, prompt) => [
  ...["-p", prompt, "--output-format", "stream-json", "--verbose", "--debug-file", `${home}/debug.txt`],
  ...(approves ? ["--allowedTools", "Bash", "Write", "Read", "Edit", "Agent"] : []),
];

/** @type {import("../driver.mjs").Driver} */
export const claudeCode = {
  ...programOf("claude-code"),
  also: [`@anthropic-ai/claude-code-${system}`],
  program: `node_modules/@anthropic-ai/claude-code-${system}/claude`,
  env: ({ home, url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-fake",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CONFIG_DIR: `${home}/.claude`,
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
  }),
  files: (_place, hooks) => ({ ".claude/settings.json": json({ hooks: groups(hooks) }) }),
  args,
  compacts: { event: "PreCompact", args: (place) => [...args(place, "/compact"), "--continue"] },
  shows: (stdout) =>
    stdout
      .split("\n")
      .filter((line) => line.includes('"subtype":"informational"'))
      .join("\n"),
  limit: 60,
  unit: "s",
  events: { ...CLAUDE_EVENTS, permission: "PermissionRequest" },
  others: [
    ...["PostToolUseFailure", "PostToolBatch", "PermissionDenied", "Notification", "InstructionsLoaded"],
    ...["SubagentStart", "SubagentStop", "StopFailure", "PreCompact", "PostCompact", "ConfigChange"],
    ...["TaskCreated", "TaskCompleted", "TeammateIdle", "CwdChanged", "FileChanged", "UserPromptExpansion"],
    ...["Setup", "WorktreeCreate", "WorktreeRemove", "Elicitation", "ElicitationResult", "MessageDisplay"],
    ...["PreModelSwitch", "PostModelSwitch", "DirectoryAdded"],
  ],
  after: ["PostToolBatch"],
  http: {},
  settings: ["onFailure"],
  settingsFiles: {
    file: "project/.claude/settings.json",
    other: ".claude/settings.json",
    probes: CLAUDE_SETTINGS,
  },
  tools: {
    shell: (command) => ({ tool: "Bash", input: { command, description: "run it" } }),
    write: (file_path, content) => ({ tool: "Write", input: { file_path, content } }),
    read: (file_path) => ({ tool: "Read", input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({
      tool: "Edit",
      input: { file_path, old_string, new_string },
    }),
    subagent: (prompt) => ({
      tool: "Agent",
      input: { description: "look around", prompt, subagent_type: "general-purpose" },
    }),
  },
  words: CLAUDE_WORDS,
  logs: [".claude/projects"],
  ids: /\b(?:a[0-9a-f]{16}|[0-9a-f]{32})\b/g,
};
