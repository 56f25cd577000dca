import { ASK, ASKED, changedTo, decides, RAN, RUN, type Scenario, specific } from "./scenario.ts";

const CHANGED = { command: "echo changed > ran.txt" };

const MISFIT =
  "the rewritten input does not fit the tool: command: Invalid input: expected string, received undefined; the call was denied";
const FITTING = "Return the whole tool input in updatedInput, with the tool's field names and types.";

export const BEFORE_TOOLS: readonly Scenario[] = [
  {
    ref: "001 US3.1",
    name: "allow: no question, and the reason is for the user",
    hooks: { PreToolUse: [decides("allow")] },
    answers: [],
    replies: ASK,
    runs: ["PreToolUse 0"],
    requests: 2,
    sent: [...ASKED, "result: out"],
    seen: ["text: do it", "tool: Bash done: out", "text: because of the rules", "text: Finished."],
    disk: RAN,
  },
  {
    ref: "001 US3.2",
    name: "deny: it does not run, and the agent reads why",
    hooks: { PreToolUse: [decides("deny")] },
    mode: "bypass",
    answers: [],
    replies: ASK,
    runs: ["PreToolUse 0"],
    requests: 2,
    sent: [...ASKED, "failed: because of the rules"],
    seen: ["text: do it", "tool: Bash failed: because of the rules", "text: Finished."],
    disk: {},
  },
  {
    ref: "001 US3.3",
    name: "ask: the user is asked, with the hook's words",
    hooks: { PreToolUse: [{ ...decides("ask"), name: "careful" }] },
    mode: "bypass",
    answers: [{ kind: "once" }],
    replies: ASK,
    runs: ["PreToolUse 0"],
    requests: 2,
    sent: [...ASKED, "result: out"],
    seen: ["text: do it", "tool: Bash done: out", "text: because of the rules", "text: Finished."],
    questions: [{ toolName: "Bash", toolInput: RUN.input, reason: "because of the rules", hook: "careful" }],
    disk: RAN,
  },
  {
    ref: "001 US3.4",
    name: "updatedInput is what runs, and the agent is told so",
    hooks: { PreToolUse: [decides("allow", { updatedInput: CHANGED })] },
    answers: [],
    replies: ASK,
    runs: ["PreToolUse 0"],
    requests: 2,
    sent: [...ASKED, changedTo(CHANGED)],
    seen: ["text: do it", "tool: Bash done: [no output]", "text: because of the rules", "text: Finished."],
    disk: { "ran.txt": "changed\n" },
  },
  {
    ref: "001 US3.4",
    name: "updatedInput that does not fit the tool: the call is denied, the original never runs",
    hooks: { PreToolUse: [specific("PreToolUse", { updatedInput: { cmd: "echo x > ran.txt" } })] },
    mode: "bypass",
    replies: ASK,
    runs: ["PreToolUse 0"],
    requests: 2,
    sent: [...ASKED, `failed: ${MISFIT}`],
    seen: ["text: do it", `tool: Bash failed: ${MISFIT}`, `warn: ${MISFIT}. ${FITTING}`, "text: Finished."],
    disk: {},
  },
];
