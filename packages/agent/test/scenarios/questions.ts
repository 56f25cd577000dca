import { ASK, ASKED, afterCall, changedTo, decides, RUN, type Scenario } from "./scenario.ts";

const SAFER = { command: "echo safer > ran.txt" };
const FILES = ["a", "b", "c"];
const WRITES = FILES.map((name) => ({ name: "Write", input: { file_path: name, content: name } }));

/** Seed 000 §6 and §7: the user's decision, and the queue of questions. */
export const QUESTIONS: readonly Scenario[] = [
  afterCall({
    ref: "seed 000 §6",
    name: "an allow resumes the call with the rewritten input",
    hooks: { PreToolUse: [decides("ask", { updatedInput: SAFER })] },
    answers: [{ kind: "once" }],
    runs: ["PreToolUse 0"],
    sent: [changedTo(SAFER)],
    seen: ["tool: Bash done: [no output]", "text: because of the rules"],
    questions: [{ toolInput: RUN.input, updatedInput: SAFER, reason: "because of the rules" }],
    disk: { "ran.txt": "safer\n" },
  }),
  {
    ref: "seed 000 §6",
    name: "a deny ends the turn: the model is not asked again",
    hooks: { PreToolUse: [decides("ask")] },
    mode: "bypass",
    answers: [{ kind: "deny", reason: "not today" }],
    replies: ASK,
    runs: ["PreToolUse 0"],
    end: "denied",
    requests: 1,
    sent: ["user: do it"],
    next: [...ASKED, "failed: The user did not allow this: not today"],
    seen: [
      "text: do it",
      "tool: Bash failed: The user did not allow this: not today",
      "text: because of the rules",
    ],
    questions: [{ toolInput: RUN.input, reason: "because of the rules" }],
    disk: {},
  },
  {
    ref: "seed 000 §7",
    name: "several asks from parallel calls queue up in order",
    hooks: { PreToolUse: [decides("ask")] },
    mode: "bypass",
    answers: [{ kind: "once" }, { kind: "once" }, { kind: "once" }],
    replies: [{ calls: WRITES }, "Finished."],
    runs: ["PreToolUse 0", "PreToolUse 0", "PreToolUse 0"],
    requests: 2,
    sent: [
      "user: do it",
      ...WRITES.map(({ input }) => `call: Write ${JSON.stringify(input)}`),
      ...FILES.map((name) => `result: created ${name} (1 line)`),
    ],
    seen: [
      "text: do it",
      ...FILES.map((name) => `tool: Write done: created ${name} (1 line)`),
      ...FILES.map(() => "text: because of the rules"),
      "text: Finished.",
    ],
    questions: WRITES.map(({ name, input }) => ({
      toolName: name,
      toolInput: input,
      reason: "because of the rules",
    })),
    disk: { a: "a", b: "b", c: "c" },
  },
];
