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
    program: "pi",
    user: "~/.pi/agent/extensions/belay.ts",
    moved: { folder: "~/.pi/agent", by: "PI_CODING_AGENT_DIR" },
    shape: {
      kind: "plugin",
      before: `export default function (pi: any) {
  const base = (context: any) => ({
    session_id: context?.sessionManager?.getSessionId?.() ?? "pi",
    cwd: context?.cwd,
  });
`,
      handlers: {
        tool_call: `  pi.on("tool_call", async (event: any, context: any) => {
    const call = { ...base(context), tool_name: event.toolName, tool_input: event.input };
    const said = await ask("tool_call", call);
    if (said.continue === false) return { block: true, reason: said.reason, terminate: true };
    if (said.deny) return { block: true, reason: said.reason };
    if (said.input) replace(event.input, said.input);
  });
`,
        tool_result: `  pi.on("tool_result", async (event: any, context: any) => {
    const { toolName, input, content } = event;
    const call = { ...base(context), tool_name: toolName, tool_input: input, tool_response: content };
    const { output, deny, reason } = await ask("tool_result", call);
    const more = deny && reason ? [{ type: "text", text: reason }] : [];
    if (output !== undefined) return { content: [{ type: "text", text: textOf(output) }, ...more] };
    if (more.length > 0) return { content: [...content, ...more] };
  });
`,
        input: `  pi.on("input", async (event: any, context: any) => {
    const { deny, prompt } = await ask("input", { ...base(context), prompt: event.text });
    if (deny) return { action: "handled" };
    if (prompt !== undefined) return { action: "transform", text: prompt };
  });
`,
        session_start: `  pi.on("session_start", async (_event: any, context: any) => {
    await ask("session_start", base(context));
  });
`,
        session_shutdown: `  pi.on("session_shutdown", async (_event: any, context: any) => {
    await ask("session_shutdown", base(context));
  });
`,
      },
      after: "}\n",
    },
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
