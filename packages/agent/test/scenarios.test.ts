import { describe, expect, it } from "vitest";
import { REQUIRED } from "../../engine/test/conformance/required.ts";
import type { EndReason } from "../src/agent-types.ts";
import { convertMessagesForAPI } from "../src/conversation/convert.ts";
import { type Stage, type StageOptions, stage } from "./stage.ts";

/** A hook that prints this JSON. */
const says = (answer: object) => ({ type: "json", json: answer });
const specific = (hookEventName: string, fields: object) =>
  says({ hookSpecificOutput: { hookEventName, ...fields } });
const decides = (permissionDecision: string, more: object = {}) =>
  specific("PreToolUse", { permissionDecision, permissionDecisionReason: "because of the rules", ...more });

const RUN = { name: "Bash", input: { command: "echo ran > ran.txt; echo out" } };
const ASK = [{ calls: [RUN] }, "Finished."];

interface Scenario extends StageOptions {
  /** The seed's scenario, or a part of one. */
  readonly ref: string;
  readonly name: string;
  readonly end?: EndReason;
  /** Texts in what the model was sent last. */
  readonly sent?: readonly string[];
  readonly notSent?: readonly string[];
  /** Beginnings of lines that the user sees. */
  readonly seen?: readonly string[];
  readonly notSeen?: readonly string[];
  /** Whether the tool ran: it leaves a file. */
  readonly ran?: boolean;
  /** Requests to the model. */
  readonly requests?: number;
  also?(played: Stage): void;
}

const ANSWER_YES = [{ kind: "once" }] as const;

const SCENARIOS: readonly Scenario[] = [
  {
    ref: "001 US1.1",
    name: "exit 0: plain stdout of a prompt hook is context",
    hooks: { UserPromptSubmit: ["echo the branch is main"] },
    sent: ["do it", "<hook-output>\\nthe branch is main\\n</hook-output>"],
    notSeen: ["text: the branch is main"],
  },
  {
    ref: "001 US1.2",
    name: "exit 2 before a tool: it does not run, and the agent reads why",
    hooks: { PreToolUse: ["echo not allowed here >&2; exit 2"] },
    replies: ASK,
    ran: false,
    sent: ["not allowed here"],
    seen: ["tool: Bash failed: not allowed here"],
    requests: 2,
  },
  {
    ref: "001 US1.2",
    name: "exit 2 after a tool: stderr is appended to its result, which fails",
    hooks: { PostToolUse: ["echo lint failed >&2; exit 2"] },
    permissions: { allow: ["Bash"] },
    replies: ASK,
    mode: "bypass",
    ran: true,
    sent: ["out\\nlint failed"],
    seen: ["tool: Bash failed: out\nlint failed"],
  },
  {
    ref: "001 US1.2",
    name: "exit 2 on a prompt: it is erased, the user alone reads why",
    hooks: { UserPromptSubmit: ["echo no secrets >&2; exit 2"] },
    end: "prompt-blocked",
    requests: 0,
    seen: ["error: no secrets"],
    notSeen: ["text: do it"],
  },
  {
    ref: "001 US1.2",
    name: "exit 2 on a stop: the agent reads why and goes on",
    hooks: { Stop: [`grep -q '"stop_hook_active":true' && exit 0; echo run the tests >&2; exit 2`] },
    replies: ["First.", "Second."],
    requests: 2,
    sent: ["<hook-output>\\nrun the tests\\n</hook-output>"],
    also: ({ agent }) => expect(agent.state.messages.at(-1)?.blocks).toMatchObject([{ content: "Second." }]),
  },
  {
    ref: "001 US1.3",
    name: "another exit code: the user is shown stderr, and work goes on",
    hooks: { PreToolUse: ["echo disk is slow >&2; exit 1"] },
    replies: ASK,
    mode: "bypass",
    ran: true,
    seen: ["error: disk is slow"],
    notSent: ["disk is slow"],
  },
  {
    ref: "001 US2.1",
    name: "continue: false stops everything, and the user reads why",
    hooks: { PreToolUse: [says({ continue: false, stopReason: "office hours are over" })] },
    replies: ASK,
    mode: "bypass",
    end: "stopped",
    ran: false,
    requests: 1,
    seen: ["error: office hours are over", "tool: Bash failed: Not run: a hook stopped the agent."],
    also: ({ agent }) =>
      expect(JSON.stringify(convertMessagesForAPI(agent.state.messages))).not.toContain("office hours"),
  },
  {
    ref: "001 US2.2",
    name: "a systemMessage is a warning for the user",
    hooks: { UserPromptSubmit: [says({ systemMessage: "mind the budget" })] },
    seen: ["warn: mind the budget"],
    notSent: ["mind the budget"],
  },
  {
    ref: "001 US2.2",
    name: "a systemMessage reaches the agent where the dialect says so",
    reads: "session-hooks",
    hooks: { UserPromptSubmit: [says({ systemMessage: "mind the budget" })] },
    sent: ["<warning>\\nmind the budget\\n</warning>"],
  },
  {
    ref: "001 US2.3",
    name: "JSON that speaks beats the exit code",
    hooks: { PreToolUse: [{ ...decides("allow"), exitcode: 2 }] },
    replies: ASK,
    ran: true,
    seen: ["tool: Bash done"],
  },
  {
    ref: "001 US3.1",
    name: "allow: no question, and the reason is for the user",
    hooks: { PreToolUse: [decides("allow")] },
    answers: [],
    replies: ASK,
    ran: true,
    seen: ["text: because of the rules"],
    notSent: ["because of the rules"],
    also: ({ questions }) => expect(questions).toEqual([]),
  },
  {
    ref: "001 US3.2",
    name: "deny: it does not run, and the agent reads why",
    hooks: { PreToolUse: [decides("deny")] },
    replies: ASK,
    ran: false,
    sent: ["because of the rules"],
    requests: 2,
  },
  {
    ref: "001 US3.3",
    name: "ask: the user is asked, with the hook's words",
    hooks: { PreToolUse: [{ ...decides("ask"), name: "careful" }] },
    mode: "bypass",
    answers: ANSWER_YES,
    replies: ASK,
    ran: true,
    notSent: ["because of the rules"],
    also: ({ questions }) =>
      expect(questions).toMatchObject([
        { toolName: "Bash", toolInput: RUN.input, reason: "because of the rules", hook: "careful" },
      ]),
  },
  {
    ref: "001 US3.4",
    name: "updatedInput is what runs, and the agent is told so",
    hooks: { PreToolUse: [decides("allow", { updatedInput: { command: "echo changed > ran.txt" } })] },
    replies: ASK,
    ran: true,
    sent: ["A hook changed this call to"],
    also: ({ read }) => expect(read("ran.txt")).toBe("changed\n"),
  },
  {
    ref: "001 US3.4",
    name: "updatedInput that does not fit the tool: the call is denied, the original never runs",
    hooks: { PreToolUse: [specific("PreToolUse", { updatedInput: { cmd: "echo x > ran.txt" } })] },
    replies: ASK,
    mode: "bypass",
    ran: false,
    sent: ["call_1"],
    requests: 2,
  },
  {
    ref: "001 US4.1",
    name: "a PostToolUse block prompts the agent by itself",
    hooks: { PostToolUse: [says({ decision: "block", reason: "now run the linter" })] },
    replies: ASK,
    mode: "bypass",
    ran: true,
    sent: ["now run the linter"],
    requests: 2,
  },
  {
    ref: "001 US4.2",
    name: "PostToolUse context reaches the agent",
    hooks: { PostToolUse: [specific("PostToolUse", { additionalContext: "the cache is warm" })] },
    replies: ASK,
    mode: "bypass",
    sent: ['<hook event=\\"PostToolUse\\">\\nthe cache is warm\\n</hook>'],
  },
  {
    ref: "001 US4.3",
    name: "no decision after a tool: nothing is added",
    hooks: { PostToolUse: [says({})] },
    replies: ASK,
    mode: "bypass",
    requests: 2,
    notSent: ["<hook"],
  },
  {
    ref: "001 US5.1",
    name: "a blocked prompt is erased and its reason is for the user alone",
    hooks: { UserPromptSubmit: [says({ decision: "block", reason: "keys do not belong here" })] },
    end: "prompt-blocked",
    requests: 0,
    seen: ["error: keys do not belong here"],
    notSeen: ["text: do it"],
  },
  {
    ref: "001 US5.2",
    name: "context of a prompt hook reaches the agent with the prompt",
    hooks: { UserPromptSubmit: [specific("UserPromptSubmit", { additionalContext: "it is Sunday" })] },
    sent: ["do it", "it is Sunday"],
  },
  {
    ref: "001 US5.2",
    name: "a blocked prompt carries no context, from any hook",
    hooks: {
      UserPromptSubmit: [
        specific("UserPromptSubmit", { additionalContext: "it is Sunday" }),
        says({ decision: "block", reason: "no" }),
      ],
    },
    end: "prompt-blocked",
    also: ({ agent }) => expect(JSON.stringify(agent.state.messages)).not.toContain("Sunday"),
  },
  {
    ref: "001 US5.3",
    name: "a blocked stop: the agent reads the reason and goes on",
    hooks: {
      Stop: [
        `grep -q '"stop_hook_active":true' || echo '{"decision":"block","reason":"two tests are left"}'`,
      ],
    },
    replies: ["First.", "Second."],
    requests: 2,
    sent: ["two tests are left"],
  },
  {
    ref: "001 edge: JSON and exit code",
    name: "valid JSON and an exit code: where JSON is silent, the exit code decides",
    hooks: { PreToolUse: [{ ...says({ systemMessage: "see the log" }), exitcode: 2 }] },
    replies: ASK,
    mode: "bypass",
    ran: false,
    seen: ["warn: see the log"],
  },
  {
    ref: "001 edge: malformed",
    name: "malformed JSON: the exit code decides, and the user is told",
    hooks: { PreToolUse: [`echo '{"permissionDecision": '; exit 0`] },
    replies: ASK,
    mode: "bypass",
    ran: true,
    also: ({ seen }) => expect(seen().join("\n")).toContain("begins like JSON but is none"),
  },
  {
    ref: "001 edge: conflict",
    name: "continue: false beats an allow in the same answer",
    hooks: {
      PreToolUse: [
        says({
          continue: false,
          stopReason: "enough",
          hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" },
        }),
      ],
    },
    replies: ASK,
    end: "stopped",
    ran: false,
  },
  {
    ref: "001 edge: fields per event",
    name: "fields of another event are set aside, and the user is told",
    hooks: { PreToolUse: [specific("Stop", { permissionDecision: "deny" })] },
    replies: ASK,
    mode: "bypass",
    ran: true,
    also: ({ seen }) => expect(seen().join("\n")).toContain("hookEventName"),
  },
  {
    ref: "001 edge: silence",
    name: "a hook without any output changes nothing",
    hooks: { PreToolUse: ["true"], PostToolUse: ["true"], Stop: ["true"], UserPromptSubmit: ["true"] },
    replies: ASK,
    mode: "bypass",
    ran: true,
    requests: 2,
    seen: ["text: do it", "tool: Bash done", "text: Finished."],
  },
  {
    ref: "000 §6",
    name: "an allow resumes the call with the rewritten input",
    hooks: { PreToolUse: [decides("ask", { updatedInput: { command: "echo safer > ran.txt" } })] },
    mode: "bypass",
    answers: ANSWER_YES,
    replies: ASK,
    also: ({ read, questions }) => {
      expect(questions).toMatchObject([
        { toolInput: RUN.input, updatedInput: { command: "echo safer > ran.txt" } },
      ]);
      expect(read("ran.txt")).toBe("safer\n");
    },
  },
  {
    ref: "000 §6",
    name: "a deny ends the turn: the model is not asked again",
    hooks: { PreToolUse: [decides("ask")] },
    answers: [{ kind: "deny", reason: "not today" }],
    replies: ASK,
    end: "denied",
    ran: false,
    requests: 1,
    seen: ["tool: Bash failed: The user did not allow this: not today"],
  },
  {
    ref: "000 §7",
    name: "several asks from parallel calls queue up in order",
    answers: [{ kind: "once" }, { kind: "once" }, { kind: "once" }],
    replies: [
      {
        calls: ["a", "b", "c"].map((name) => ({ name: "Write", input: { file_path: name, content: name } })),
      },
      "Finished.",
    ],
    also: ({ questions, read }) => {
      expect(questions.map(({ toolInput }) => toolInput.file_path)).toEqual(["a", "b", "c"]);
      expect(["a", "b", "c"].map(read)).toEqual(["a", "b", "c"]);
    },
  },
];

/** The scenarios of seed 001 in the list that the engine's rows are held against, and what seed 000 says of an agent. */
const REFS = [...REQUIRED.filter((ref) => /^001 (?:US|edge)/.test(ref)), "000 §6", "000 §7"];

describe("every scenario of the seeds, lived by a real agent", () => {
  for (const {
    ref,
    name,
    end = "done",
    sent,
    notSent,
    seen,
    notSeen,
    ran,
    requests,
    also,
    ...options
  } of SCENARIOS) {
    it(`${ref}: ${name}`, async () => {
      const played = await stage(options);
      const { reason } = await played.agent.send("do it");
      expect(reason).toBe(end);
      for (const text of sent ?? []) expect(played.model.lastSent()).toContain(text);
      for (const text of notSent ?? []) expect(played.model.lastSent()).not.toContain(text);
      const lines = played.seen();
      for (const line of seen ?? []) expect(lines).toContainEqual(expect.stringContaining(line));
      for (const line of notSeen ?? []) expect(lines).not.toContainEqual(expect.stringContaining(line));
      if (ran !== undefined) expect(tryRead(played)).toBe(ran);
      if (requests !== undefined) expect(played.model.requests).toHaveLength(requests);
      also?.(played);
    });
  }

  it("has a test for each of them", () => {
    expect(REFS.length).toBeGreaterThan(20);
    expect(new Set(SCENARIOS.map(({ ref }) => ref))).toEqual(new Set(REFS));
  });
});

function tryRead({ read }: Stage): boolean {
  try {
    return read("ran.txt") !== "";
  } catch {
    return false;
  }
}
