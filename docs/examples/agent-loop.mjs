// A whole agent in one file: a scripted model, two tools, and hooks around every step.
// Try: node docs/examples/agent-loop.mjs
import { fileURLToPath } from "node:url";
import { applyOutcome, createEngine } from "@belay/engine";

/** What the model would say, turn by turn. A real one would be sent `conversation.forAgent`. */
const MOVES = [
  { tool: "Write", input: { file_path: ".env", content: "KEY=1" } },
  { tool: "Write", input: { file_path: "config.json", content: "{}" } },
  { tool: "Deploy", input: { target: "production" } },
  { say: "Done." },
  { say: "Done, and the tests pass." },
];

/** @type {Record<string, (input: any) => string>} */
const TOOLS = {
  Write: ({ file_path }) => `wrote ${file_path}`,
  Deploy: ({ target }) => `deployed to ${target}`,
};

/** @typedef {{ role: string, content: string, id?: string }} Entry */

/** Two addresses, as in every agent: what the user sees, and what the model is sent. */
const conversation = {
  forUser: /** @type {string[]} */ ([]),
  forAgent: /** @type {Entry[]} */ ([]),
  addUserMessage(/** @type {string} */ content) {
    this.forAgent.push({ role: "user", content });
  },
  addErrorBlock(/** @type {string} */ content) {
    this.forUser.push(`error: ${content}`);
  },
  updateToolBlock(/** @type {{ toolId?: string, result: string }} */ { toolId = "", result }) {
    const block = this.forAgent.find(({ id }) => id === toolId);
    if (block) block.content = result;
    else this.forAgent.push({ role: "tool", id: toolId, content: result });
  },
  removeLastUserMessage() {
    this.forAgent.splice(
      this.forAgent.findLastIndex(({ role }) => role === "user"),
      1,
    );
  },
  addWarnBlock(/** @type {string} */ content, /** @type {"user" | "agent"} */ to = "user") {
    if (to === "user") this.forUser.push(content);
    else this.forAgent.push({ role: "warning", content });
  },
  addHookBlock(/** @type {{ content: string }} */ { content }) {
    this.forAgent.push({ role: "hook", content });
  },
};

/**
 * The question is on the screen already: it is among the outcome's messages. An agent with a user waits for the answer;
 * nobody is here, so it is no.
 */
const answerOfUser = async () => {
  conversation.forUser.push("(no answer)");
  return false;
};

const hooks = await createEngine({
  cwd: process.cwd(),
  configFiles: [fileURLToPath(new URL("hooks.json", import.meta.url))],
});

/** Fires an event and writes what came of it into the conversation, once. */
async function fire(/** @type {import("@belay/engine").EventName} */ event, input = {}, context = {}) {
  const outcome = await hooks.fire(event, input);
  applyOutcome(outcome, context, conversation);
  return outcome;
}

/** @param {string} toolId @param {string} tool @param {Record<string, unknown>} wanted */
async function callTool(toolId, tool, wanted) {
  const call = { tool_name: tool, tool_input: wanted, tool_use_id: toolId };
  const before = await fire("PreToolUse", call, { toolId });
  if (before.blocked) return before;
  if (before.decision.kind === "ask" && !(await answerOfUser())) {
    conversation.updateToolBlock({ toolId, result: "the user said no" });
    return before;
  }
  const input = before.updatedInput ?? wanted;
  const result = TOOLS[tool]?.(input) ?? `there is no tool ${tool}`;
  conversation.updateToolBlock({ toolId, result });
  const done = { ...call, tool_input: input, tool_response: result };
  return fire("PostToolUse", done, { toolId, toolResult: result });
}

/** @param {string} prompt */
async function turn(prompt) {
  const entry = { role: "user", content: prompt };
  conversation.forAgent.push(entry);
  const { blocked, updatedPrompt } = await fire("UserPromptSubmit", { prompt });
  if (blocked) return;
  entry.content = updatedPrompt ?? prompt;
  for (const [index, move] of MOVES.entries()) {
    if (move.tool !== undefined) {
      const { decision } = await callTool(`call_${index}`, move.tool, move.input);
      if (decision.kind === "stop" || decision.interrupt) return;
      continue;
    }
    conversation.forAgent.push({ role: "agent", content: move.say });
    const stop = await fire("Stop", { stop_hook_active: false, last_assistant_message: move.say });
    if (stop.decision.kind !== "block") return;
  }
}

await fire("SessionStart", { source: "startup" });
await turn("Set up the config and deploy it");
await fire("SessionEnd", { reason: "other" });
await hooks.close();

console.log("the user sees");
for (const line of conversation.forUser) console.log(`  ${line}`);
console.log("the model is sent");
for (const { role, content } of conversation.forAgent) console.log(`  ${role}: ${content}`);
