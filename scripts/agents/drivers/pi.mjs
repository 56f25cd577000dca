import { json, programOf } from "../driver.mjs";
import { PI_WORDS } from "../words.mjs";

const touch = (/** @type {string} */ name) => `touch /home/you/project/${name}.txt`;

/** @type {import("../driver.mjs").Driver} */
export const pi = {
  ...programOf("pi"),
  node: "22",
  program: "node_modules/.bin/pi",
  functions: true,
  env: ({ home }) => ({
    PI_CODING_AGENT_DIR: `${home}/.pi/agent`,
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
  }),
  files: ({ url }, hooks) => ({
    ".pi/agent/models.json": json({
      providers: {
        fake: {
          baseUrl: `${url}/v1`,
          api: "openai-completions",
          apiKey: "fake",
          models: [{ id: "scripted", contextWindow: 100_000, maxTokens: 4000 }],
        },
      },
    }),
    ...Object.fromEntries(
      Object.entries(hooks).flatMap(([event, entries], group) =>
        entries.map(({ module }, at) => [
          `.pi/agent/extensions/measured-${group}-${at}.ts`,
          [
            `import answer from ${JSON.stringify(module)};`,
            "export default function (pi) {",
            `  pi.on(${JSON.stringify(event)}, (event, context) => answer(event, event, context));`,
            "}",
            "",
          ].join("\n"),
        ]),
      ),
    ),
  }),
  args: (_place, prompt) => ["-p", "--mode", "json", "--model", "fake/scripted", prompt],
  limit: 60,
  unit: "s",
  events: {
    start: "before_agent_start",
    prompt: "input",
    pre: "tool_call",
    post: "tool_result",
    stop: "agent_before_settle",
    end: "session_shutdown",
  },
  others: [
    ...["session_start", "resources_discover", "agent_start", "agent_end", "agent_settled", "turn_start"],
    ...["turn_end", "message_end", "tool_execution_start", "tool_execution_end", "user_bash"],
  ],
  probes: [
    ["call-none", "tool_call", [{}]],
    [
      "two-block-mutate",
      "tool_call",
      [{ ret: { block: true, reason: "REASON_TOK" } }, { set: { "input.command": touch("second") } }],
    ],
    [
      "two-mutate",
      "tool_call",
      ["first", "second"].map((name) => ({ set: { "input.command": touch(name) } })),
    ],
    ["two-parallel", "tool_call", [{ sleep: 1000 }, { sleep: 1000 }]],
  ],
  tools: {
    shell: (command) => ({ tool: "bash", input: { command } }),
    write: (path, content) => ({ tool: "write", input: { path, content } }),
    read: (path) => ({ tool: "read", input: { path } }),
    edit: (path, oldText, newText) => ({ tool: "edit", input: { path, edits: [{ oldText, newText }] } }),
  },
  words: PI_WORDS,
  logs: [".pi/agent/sessions"],
};
