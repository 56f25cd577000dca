// A tiny agent in the manner of Claude Code, for the tests of `npm run agents`: it asks a model over OpenAI's chat format, calls the
// hooks in ~/hooks.json before each tool call, and runs the tool unless one of them exits with 2.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const { HOME = "", MODEL_URL = "" } = process.env;
const { hooks } = JSON.parse(readFileSync(join(HOME, "hooks.json"), "utf8"));
/** @type {Record<string, unknown>[]} */
const messages = [{ role: "user", content: process.argv[2] }];

/** The words with which a hook refuses. @param {string} event @param {object} payload @returns {string | undefined} */
function refusal(event, payload) {
  for (const { hooks: entries } of hooks[event] ?? [])
    for (const { command, timeout = 60 } of entries) {
      const input = JSON.stringify({ hook_event_name: event, ...payload });
      const options = {
        input,
        shell: true,
        encoding: /** @type {const} */ ("utf8"),
        timeout: timeout * 1000,
      };
      const { status, stderr } = spawnSync(command, options);
      if (status === 2) return stderr;
    }
  return undefined;
}

for (;;) {
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "plain", messages, tools: [{ type: "function" }] }),
  });
  const [choice] = /** @type {any} */ (await response.json()).choices;
  messages.push(choice.message);
  const calls = choice.message.tool_calls ?? [];
  if (calls.length === 0) break;
  for (const { id, function: called } of calls) {
    const tool_input = JSON.parse(called.arguments);
    const words = refusal("PreToolUse", { tool_name: called.name, tool_input });
    if (words === undefined) {
      spawnSync(tool_input.command, { shell: true });
      refusal("PostToolUse", { tool_name: called.name, tool_input });
    }
    messages.push({ role: "tool", tool_call_id: id, content: words ?? "done" });
  }
}
