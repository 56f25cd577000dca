import { json, programOf } from "../driver.mjs";
import { OPENCODE_WORDS } from "../words.mjs";

const system = `${process.platform}-${process.arch}`;
const touch = (/** @type {string} */ name) => `touch /home/you/project/${name}.txt`;
const before = "tool.execute.before";

/** @type {import("../driver.mjs").Driver} */
export const opencode = {
  ...programOf("opencode"),
  program: `node_modules/opencode-${system}/bin/opencode`,
  functions: true,
  env: ({ home }) => ({
    npm_config_fetch_retries: "0",
    npm_config_registry: "http://127.0.0.1:9/",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
  }),
  files: ({ url, approves }, hooks) => ({
    ".config/opencode/opencode.json": json({
      autoupdate: false,
      share: "disabled",
      ...(approves ? {} : { permission: { bash: "ask" } }),
      model: "fake/scripted",
      small_model: "fake/scripted",
      provider: {
        fake: {
          npm: "@ai-sdk/openai-compatible",
          name: "fake",
          options: { baseURL: `${url}/v1`, apiKey: "fake" },
          models: { scripted: { name: "Scripted", limit: { context: 100_000, output: 4000 } } },
        },
      },
    }),
    ...Object.fromEntries(
      Object.entries(hooks).flatMap(([event, entries], group) =>
        entries.map(({ module }, at) => [
          `.config/opencode/plugins/measured-${group}-${at}.js`,
          [
            `import answer from ${JSON.stringify(module)};`,
            "export const measured = async () => ({",
            `  ${JSON.stringify(event)}: (input, output) => answer(output ?? input, { input, output }),`,
            "});",
            "",
          ].join("\n"),
        ]),
      ),
    ),
  }),
  args: (_place, prompt) => ["run", "--format", "json", prompt],
  limit: 90,
  unit: "s",
  events: { prompt: "chat.message", pre: before, post: "tool.execute.after" },
  others: [
    ...["config", "chat.params", "chat.headers", "permission.ask", "shell.env", "command.execute.before"],
    ...["experimental.chat.system.transform", "experimental.text.complete"],
  ],
  probes: [
    ["before-none", before, [{}]],
    ["two-throw-then-args", before, [{ throw: "REASON_TOK" }, { set: { "args.command": touch("second") } }]],
    ["two-args-args", before, ["first", "second"].map((name) => ({ set: { "args.command": touch(name) } }))],
    ["two-parallel", before, [{ sleep: 1000 }, { sleep: 1000 }]],
  ],
  tools: {
    shell: (command) => ({ tool: "bash", input: { command, description: "run it" } }),
    write: (filePath, content) => ({ tool: "write", input: { filePath, content } }),
    read: (filePath) => ({ tool: "read", input: { filePath } }),
    edit: (filePath, oldString, newString) => ({ tool: "edit", input: { filePath, oldString, newString } }),
    subagent: (prompt) => ({
      tool: "task",
      input: { description: "look around", prompt, subagent_type: "general" },
    }),
  },
  words: OPENCODE_WORDS,
  logs: [".local/share/opencode/storage", ".local/share/opencode/log"],
};
