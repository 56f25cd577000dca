import { afterCall, prints, type Scenario, specific } from "./scenario.ts";

export const AFTER_TOOLS: readonly Scenario[] = [
  afterCall({
    ref: "seed 001 US4.1",
    name: "a PostToolUse block prompts the agent by itself",
    hooks: { PostToolUse: [prints({ decision: "block", reason: "now run the linter" })] },
    runs: ["PostToolUse 0"],
    sent: ["result: out", 'user: <hook event="PostToolUse">\nnow run the linter\n</hook>'],
  }),
  afterCall({
    ref: "seed 001 US4.2",
    name: "PostToolUse context reaches the agent",
    hooks: { PostToolUse: [specific("PostToolUse", { additionalContext: "the cache is warm" })] },
    runs: ["PostToolUse 0"],
    sent: ["result: out", 'user: <hook event="PostToolUse">\nthe cache is warm\n</hook>'],
  }),
  afterCall({
    ref: "seed 001 US4.3",
    name: "no decision after a tool: nothing is added",
    hooks: { PostToolUse: [prints({})] },
    runs: ["PostToolUse 0"],
  }),
];
