import { ASK, ASKED, afterCall, decides, ERASED, prints, type Scenario } from "./scenario.ts";

export const JSON_ANSWERS: readonly Scenario[] = [
  {
    ref: "seed 001 US2.1",
    name: "continue: false stops everything, and the user alone reads why",
    hooks: { PreToolUse: [prints({ continue: false, stopReason: "office hours are over" })] },
    mode: "bypass",
    replies: ASK,
    runs: ["PreToolUse 0"],
    end: "stopped",
    requests: 1,
    sent: ["user: do it"],
    next: [...ASKED, "failed: Not run: a hook stopped the agent."],
    seen: [
      "text: do it",
      "tool: Bash failed: Not run: a hook stopped the agent.",
      "error: office hours are over",
    ],
    disk: {},
  },
  {
    ref: "seed 001 US2.2",
    name: "a systemMessage is a warning for the user",
    hooks: { UserPromptSubmit: [prints({ systemMessage: "mind the budget" })] },
    runs: ["UserPromptSubmit 0"],
    requests: 1,
    sent: ["user: do it"],
    seen: ["text: do it", "warn: mind the budget", "text: Done."],
    disk: {},
  },
  {
    ref: "seed 001 US2.2",
    name: "a systemMessage reaches the agent where the dialect says so",
    reads: "session-hooks",
    hooks: { UserPromptSubmit: [prints({ systemMessage: "mind the budget" })] },
    runs: ["UserPromptSubmit 0"],
    requests: 1,
    sent: ["user: do it\n\n<warning>\nmind the budget\n</warning>"],
    // Stdout of a hook that succeeds is the user's to see there, as it is.
    seen: ["text: do it", 'text: {"systemMessage":"mind the budget"}', "text: Done."],
    disk: {},
  },
  afterCall({
    ref: "seed 001 US2.3",
    name: "JSON that speaks beats the exit code",
    hooks: { PreToolUse: [decides("allow", {}, 2)] },
    mode: "default",
    runs: ["PreToolUse 2"],
    seen: [
      "tool: Bash done: out",
      "text: because of the rules",
      "warn: the hook exited with 2 but its JSON said allow; the JSON decided. Exit with 0 when the JSON answers, or drop the JSON to block.",
    ],
  }),
  {
    ref: "seed 001 US2.3",
    name: "JSON that refuses does so with exit 0",
    hooks: { UserPromptSubmit: [prints({ decision: "block", reason: "not now" })] },
    runs: ["UserPromptSubmit 0"],
    ...ERASED,
    seen: ["error: not now"],
  },
];
