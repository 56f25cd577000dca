import type { Answers } from "./reads.ts";

/** The words in which a plugin of ours is told what to do, in agents whose hooks are functions. */
export const PLUGIN_WORDS = {
  deny: [{ at: "deny", is: [true], words: "reason" }],
  rewrite: { at: "input" },
  prompt: "prompt",
  context: ["context"],
  output: { at: "output", is: "any" },
  stopWords: "reason",
} as const satisfies Answers;
