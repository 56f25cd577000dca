import { CLAUDE_EVENTS, groups, json, programOf } from "../driver.mjs";
import { CLAUDE_WORDS } from "../words.mjs";

/** @type {import("../driver.mjs").Driver} */
export const grok = {
  ...programOf("grok"),
  program: "node_modules/@xai-official/grok/bin/grok-native",
  env: ({ home, url }) => ({
    GROK_CLI_CHAT_PROXY_BASE_URL: `${url}/v1`,
    GROK_DISABLE_AUTOUPDATER: "1",
    GROK_HOME: `${home}/.grok`,
    GROK_MANAGED_MCPS_ENABLED: "0",
    GROK_MODELS_BASE_URL: `${url}/v1`,
    GROK_TELEMETRY_ENABLED: "0",
    GROK_TELEMETRY_TRACE_UPLOAD: "0",
    GROK_XAI_API_BASE_URL: `${url}/v1`,
    XAI_API_BASE_URL: `${url}/v1`,
    XAI_API_KEY: "fake",
  }),
  files: ({ url }, hooks) => ({
    ".grok/config.toml": [
      "[models]",
      'default = "fake"',
      "[model.fake]",
      'model = "scripted"',
      `base_url = "${url}/v1"`,
      'api_key = "fake"',
      'api_backend = "chat_completions"',
      "",
    ].join("\n"),
    ".grok/hooks/measured.json": json({ hooks: groups(hooks) }),
  }),
  args: ({ approves }, prompt) => [
    ...["-p", prompt, "-m", "fake", "--output-format", "streaming-json", "--trust"],
    ...(approves ? ["--always-approve"] : []),
  ],
  limit: 60,
  unit: "s",
  events: { ...CLAUDE_EVENTS, permission: "PermissionDenied" },
  others: [
    ...["PostToolUseFailure", "Notification", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"],
    "StopFailure",
  ],
  http: {},
  tools: {
    shell: (command) => ({ tool: "run_terminal_command", input: { command, description: "run it" } }),
    write: (file_path, content) => ({ tool: "write", input: { file_path, content } }),
    read: (target_file) => ({ tool: "read_file", input: { target_file } }),
    edit: (file_path, old_string, new_string) => ({
      tool: "search_replace",
      input: { file_path, old_string, new_string },
    }),
    subagent: (prompt) => ({
      tool: "spawn_subagent",
      input: { description: "look around", prompt, subagent_type: "general-purpose" },
    }),
  },
  aside: /session_title|invent content not in the agent's reply/,
  words: CLAUDE_WORDS,
  logs: [".grok/sessions"],
};
