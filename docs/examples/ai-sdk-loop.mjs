// The AI SDK's own tool loop, with hooks around every step.
// Try: node docs/examples/ai-sdk-demo.mjs
import { hookedTurn } from "@belay/agent/ai-sdk";
import { generateText, stepCountIs } from "ai";

/**
 * One prompt to its end. `messages` is the conversation so far, and grows.
 *
 * @param {string} prompt
 * @param {import("@belay/engine").Engine} hooks
 * @param {{ model: import("ai").LanguageModel, tools: import("ai").ToolSet, messages: import("ai").ModelMessage[] }} agent
 * @param {import("@belay/agent/ai-sdk").TurnOptions} user how the user is asked, and told
 */
export async function runPrompt(prompt, hooks, { model, tools, messages }, user) {
  const turn = hookedTurn(hooks, user);
  let content = await turn.submit(prompt);
  while (content !== undefined) {
    messages.push({ role: "user", content });
    const { text, response, finishReason } = await generateText({
      model,
      messages,
      tools: turn.wrapTools(tools),
      stopWhen: [stepCountIs(20), turn.isOver],
    });
    messages.push(...response.messages);
    // Calls that are still open: the turn is over, or has taken too many steps.
    content = finishReason === "tool-calls" ? undefined : await turn.stop(text);
  }
}
