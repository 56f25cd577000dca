// Plays ai-sdk-loop.mjs with a scripted model and the hooks of hooks.json.
// Try: node docs/examples/ai-sdk-demo.mjs
import { fileURLToPath } from "node:url";
import { createEngine } from "@belay/engine";
import { tool } from "ai";
import { z } from "zod";
import { runPrompt } from "./ai-sdk-loop.mjs";
import { scriptedModel } from "./scripted-model.mjs";

// A real one: `import { anthropic } from "@ai-sdk/anthropic"`, then `anthropic("claude-sonnet-4-5")`.
const model = scriptedModel([
  { tool: "Write", input: { file_path: ".env", content: "KEY=1" } },
  { tool: "Write", input: { file_path: "config.json", content: "{}" } },
  "Done.",
  "Done, and the tests pass.",
  { tool: "Deploy", input: { target: "production" } },
]);

const tools = {
  Write: tool({
    description: "Writes a file",
    inputSchema: z.object({ file_path: z.string(), content: z.string() }),
    execute: async ({ file_path }) => `wrote ${file_path}`,
  }),
  Deploy: tool({
    description: "Deploys",
    inputSchema: z.object({ target: z.string() }),
    execute: async ({ target }) => `deployed to ${target}`,
  }),
};

const hooks = await createEngine({ configFiles: [fileURLToPath(new URL("hooks.json", import.meta.url))] });
/** @type {import("ai").ModelMessage[]} */
const messages = [];
const user = {
  ask: async (/** @type {{ toolName: string }} */ { toolName }) => {
    console.log(`the user is asked about ${toolName}, and says no`);
    return false;
  },
  tell: (/** @type {import("@belay/engine").Message} */ { block }) =>
    console.log(`the user sees: ${block.content}`),
};
await runPrompt("Set up the config", hooks, { model, tools, messages }, user);
await runPrompt("Deploy it", hooks, { model, tools, messages }, user);
await hooks.close();

for (const { role, content } of messages)
  for (const part of typeof content === "string" ? [{ text: content }] : content)
    if ("text" in part) console.log(`${role}: ${part.text}`);
    else if ("output" in part && "value" in part.output) console.log(`${role}: ${part.output.value}`);
    else if ("input" in part) console.log(`${role}: ${part.toolName} ${JSON.stringify(part.input)}`);
