import type { Harness } from "../harness.ts";
import { CALL } from "../read/claude-words.ts";
import { PLUGIN_WORDS } from "../read/plugin-words.ts";
import { LONG_MS } from "../settings.ts";

/** Hooks are functions of a plugin here: a throw refuses a call, and arguments are changed in place. */
export const opencode: Harness = {
  name: "opencode",
  title: "OpenCode",
  tested: { program: "opencode-ai", version: "1.18.33", date: "2026-11-17" },
  files: [".opencode/plugins/*.js", "~/.config/opencode/plugins/*.js"],
  settings: {
    program: "opencode",
    project: ".opencode/plugins/belay.js",
    user: "~/.config/opencode/plugins/belay.js",
    moved: { folder: "~/.config", by: "XDG_CONFIG_HOME" },
    shape: {
      kind: "plugin",
      before: "export const belay = async ({ directory: cwd }) => ({\n",
      handlers: {
        "tool.execute.before": `  "tool.execute.before": async ({ tool, sessionID }, output) => {
    const call = { session_id: sessionID, cwd, tool_name: tool, tool_input: output.args };
    const { deny, reason, input } = await ask("tool.execute.before", call);
    if (deny) throw new Error(reason ?? "refused");
    if (input) replace(output.args, input);
  },
`,
        "tool.execute.after": `  "tool.execute.after": async ({ tool, sessionID, args }, result) => {
    const call = { session_id: sessionID, cwd, tool_name: tool, tool_input: args, tool_response: result };
    const { output, context, deny, reason } = await ask("tool.execute.after", call);
    if (output !== undefined) result.output = textOf(output.output ?? output);
    const more = context ?? (deny ? reason : undefined);
    if (more) result.output += "\\n" + more;
  },
`,
        "chat.message": `  "chat.message": async ({ sessionID }, { parts }) => {
    const texts = parts.filter(({ type }) => type === "text");
    const said = { session_id: sessionID, cwd, prompt: texts.map(({ text }) => text).join("\\n") };
    const { deny, reason, prompt } = await ask("chat.message", said);
    if (deny) throw new Error(reason ?? "refused");
    if (prompt !== undefined) texts.forEach((part, at) => (part.text = at === 0 ? prompt : ""));
  },
`,
      },
      after: "});\n",
    },
    limitMs: LONG_MS,
  },
  notes: ["Hooks are functions of a plugin. A throw refuses a call; arguments have to be changed in place."],
  fields: ["session_id"],
  events: {
    "tool.execute.before": {
      event: "PreToolUse",
      fields: CALL,
      plugin: { deny: PLUGIN_WORDS.deny, rewrite: PLUGIN_WORDS.rewrite },
    },
    "tool.execute.after": {
      event: "PostToolUse",
      fields: [...CALL, "tool_response"],
      plugin: { context: PLUGIN_WORDS.context, output: PLUGIN_WORDS.output },
    },
    "chat.message": {
      event: "UserPromptSubmit",
      fields: ["prompt"],
      plugin: { deny: PLUGIN_WORDS.deny, wordsTo: "nobody", refusalEnds: true, prompt: PLUGIN_WORDS.prompt },
    },
  },
  tools: {
    bash: { name: "Bash" },
    read: { name: "Read", input: { filePath: "file_path" } },
    write: { name: "Write", input: { filePath: "file_path" } },
    edit: {
      name: "Edit",
      input: { filePath: "file_path", oldString: "old_string", newString: "new_string" },
    },
    glob: { name: "Glob" },
    grep: { name: "Grep" },
    list: { name: "LS" },
    task: { name: "Task" },
    webfetch: { name: "WebFetch" },
    todowrite: { name: "TodoWrite" },
  },
  inCalls: ["OPENCODE"],
  variables: [],
};
