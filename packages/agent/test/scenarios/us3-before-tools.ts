import { afterCall, changedTo, decides, RUN, type Scenario, specific } from "./scenario.ts";

const CHANGED = { command: "echo changed > ran.txt" };

const MISFIT =
  "the rewritten input does not fit the tool: command: Invalid input: expected string, received undefined; the call was denied";
const FITTING = "Return the whole tool input in updatedInput, with the tool's field names and types.";

export const BEFORE_TOOLS: readonly Scenario[] = [
  afterCall({
    ref: "seed 001 US3.1",
    name: "allow: no question, and the reason is for the user",
    hooks: { PreToolUse: [decides("allow")] },
    answers: [],
    mode: "default",
    runs: ["PreToolUse 0"],
    seen: ["tool: Bash done: out", "text: because of the rules"],
  }),
  afterCall({
    ref: "seed 001 US3.2",
    name: "deny: it does not run, and the agent reads why",
    hooks: { PreToolUse: [decides("deny")] },
    answers: [],
    runs: ["PreToolUse 0"],
    sent: ["failed: because of the rules"],
    seen: ["tool: Bash failed: because of the rules"],
    disk: {},
  }),
  afterCall({
    ref: "seed 001 US3.3",
    name: "ask: the user is asked, with the hook's words",
    hooks: { PreToolUse: [{ ...decides("ask"), name: "careful" }] },
    answers: [{ kind: "once" }],
    runs: ["PreToolUse 0"],
    seen: ["tool: Bash done: out", "text: because of the rules"],
    questions: [{ toolName: "Bash", toolInput: RUN.input, reason: "because of the rules", hook: "careful" }],
  }),
  afterCall({
    ref: "seed 001 US3.4",
    name: "updatedInput is what runs, and the agent is told so",
    hooks: { PreToolUse: [decides("allow", { updatedInput: CHANGED })] },
    answers: [],
    mode: "default",
    runs: ["PreToolUse 0"],
    sent: [changedTo(CHANGED)],
    seen: ["tool: Bash done: [no output]", "text: because of the rules"],
    disk: { "ran.txt": "changed\n" },
  }),
  afterCall({
    ref: "seed 001 US3.4",
    name: "updatedInput that does not fit the tool: the call is denied, the original never runs",
    hooks: { PreToolUse: [specific("PreToolUse", { updatedInput: { cmd: "echo x > ran.txt" } })] },
    runs: ["PreToolUse 0"],
    sent: [`failed: ${MISFIT}`],
    seen: [`tool: Bash failed: ${MISFIT}`, `warn: ${MISFIT}. ${FITTING}`],
    disk: {},
  }),
];
