import { CLAUDE_EVENTS, programOf } from "../driver.mjs";
import { CLAUDE_WORDS } from "../words.mjs";

/** @type {import("../driver.mjs").Driver} */
export const kimi = {
  ...programOf("kimi"),
  node: "22",
  program: "node_modules/.bin/kimi",
  env: ({ home }) => ({ KIMI_CODE_HOME: `${home}/.kimi-code`, KIMI_CODE_NO_AUTO_UPDATE: "1" }),
  files: ({ url }, hooks) => ({
    ".kimi-code/config.toml": [
      'default_model = "fake"',
      "[providers.fake]",
      'type = "openai"',
      `base_url = "${url}/v1"`,
      'api_key = "fake"',
      "[models.fake]",
      'provider = "fake"',
      'model = "scripted"',
      "max_context_size = 200000",
      ...Object.entries(hooks).flatMap(([event, entries]) =>
        entries.flatMap(({ command, timeout }) => [
          "[[hooks]]",
          `event = ${JSON.stringify(event)}`,
          `command = ${JSON.stringify(command)}`,
          ...(timeout ? [`timeout = ${timeout}`] : []),
        ]),
      ),
      "",
    ].join("\n"),
  }),
  args: (_place, prompt) => ["-p", prompt, "--output-format", "stream-json"],
  limit: 60,
  unit: "s",
  events: CLAUDE_EVENTS,
  others: [
    ...["PostToolUseFailure", "Notification", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact"],
    ...["StopFailure", "Interrupt"],
  ],
  tools: {
    shell: (command) => ({ tool: "Bash", input: { command, description: "run it" } }),
    write: (path, content) => ({ tool: "Write", input: { path, content } }),
    read: (path) => ({ tool: "Read", input: { path } }),
    edit: (path, old_string, new_string) => ({ tool: "Edit", input: { path, old_string, new_string } }),
    subagent: (prompt) => ({
      tool: "Agent",
      input: { description: "look around", prompt, subagent_type: "explore" },
    }),
  },
  words: CLAUDE_WORDS,
  logs: [".kimi-code/sessions"],
};
