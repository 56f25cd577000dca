// A model that says what it was told to say, through the AI SDK's own mock: nothing of the loop around it is faked.
import { MockLanguageModelV3 } from "ai/test";

/** @typedef {string | { tool: string, input: object }} Move a text, or a call */

/** @param {Move[]} moves one answer each */
export function scriptedModel(moves) {
  return new MockLanguageModelV3({
    doGenerate: moves.map((move, index) => ({
      content: [
        typeof move === "string"
          ? { type: "text", text: move }
          : {
              type: "tool-call",
              toolCallId: `call_${index}`,
              toolName: move.tool,
              input: JSON.stringify(move.input),
            },
      ],
      finishReason: { unified: typeof move === "string" ? "stop" : "tool-calls", raw: undefined },
      usage: NO_USAGE,
      warnings: [],
    })),
  });
}

const NO_USAGE = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
