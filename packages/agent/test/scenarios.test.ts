import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REQUIRED } from "../../engine/test/conformance/required.ts";
import { convertMessagesForAPI } from "../src/conversation/convert.ts";
import type { ModelMessage } from "../src/models/model.ts";
import type { EndReason } from "../src/types.ts";
import { withoutMark } from "./scripted.ts";
import { isWritten, type Stage, type StageOptions, stage } from "./stage.ts";

/** A hook is a command here: nothing answers without a process. */
interface CommandHook {
  readonly command: string;
  readonly name?: string;
}

/** One acceptance scenario of a seed, or a part of one. Each side is compared as a whole. */
interface Scenario extends Omit<StageOptions, "hooks"> {
  readonly ref: string;
  readonly name: string;
  readonly hooks: Readonly<Record<string, readonly CommandHook[]>>;
  /** Each process that was started for a hook, as `event exit code`. */
  readonly runs: readonly string[];
  readonly end?: EndReason;
  /** How often the model was asked (once, if absent), and everything it was sent the last time. */
  readonly requests?: number;
  readonly sent: readonly string[];
  /** Where the turn ended before its time: all that the model would be sent next. */
  readonly next?: readonly string[];
  /** Everything that the user saw, line by line, and every question. */
  readonly seen: readonly string[];
  readonly questions?: readonly object[];
  /** Every file of the project; none, if absent. */
  readonly disk?: Readonly<Record<string, string>>;
  /** Texts that the session on disk may not hold. */
  readonly erased?: readonly string[];
}

/** A hook that prints this answer, as JSON, and ends with this code. */
function prints(answer: object, exitCode = 0): CommandHook {
  const quoted = JSON.stringify(answer).replaceAll("'", "'\\''");
  return { command: `printf '%s' '${quoted}'; exit ${exitCode}` };
}

/** A hook that says this on stderr and ends with this code. */
const exits = (exitCode: number, stderr: string): CommandHook => ({
  command: `echo '${stderr}' >&2; exit ${exitCode}`,
});

const specific = (hookEventName: string, fields: object, exitCode = 0): CommandHook =>
  prints({ hookSpecificOutput: { hookEventName, ...fields } }, exitCode);

const decides = (permissionDecision: string, more: object = {}, exitCode = 0): CommandHook =>
  specific(
    "PreToolUse",
    { permissionDecision, permissionDecisionReason: "because of the rules", ...more },
    exitCode,
  );

/** What the model asks for: it leaves a file where it ran. */
const RUN = { name: "Bash", input: { command: "echo ran > ran.txt; echo out" } };
const RAN = { "ran.txt": "ran\n" };
const ASK = [{ calls: [RUN] }, "Finished."];
/** The beginning of what the model is sent after it asked for that. */
const ASKED = ["user: do it", `call: Bash ${JSON.stringify(RUN.input)}`];

/** The call runs or fails, and the model has its last word. What differs from a call that nobody minds is in the row. */
const afterCall = ({
  sent = ["result: out"],
  seen = ["tool: Bash done: out"],
  ...row
}: Pick<Scenario, "ref" | "name" | "hooks" | "runs"> & Partial<Scenario>): Scenario => ({
  mode: "bypass",
  replies: ASK,
  requests: 2,
  disk: RAN,
  ...row,
  sent: [...ASKED, ...sent],
  seen: ["text: do it", ...seen, "text: Finished."],
});

/** The prompt is refused: nothing of it is left. */
const ERASED = {
  end: "prompt-blocked",
  requests: 0,
  sent: [],
  next: [],
  disk: {},
  erased: ["do it"],
} as const;

/** What the model reads of a call that a hook rewrote, whose tool printed nothing. */
const changedTo = (input: object): string =>
  `result: <hook>\nA hook changed this call to ${JSON.stringify(input).replaceAll(">", "&gt;")}.\n</hook>\n[no output]`;

const CHANGED = { command: "echo changed > ran.txt" };
const SAFER = { command: "echo safer > ran.txt" };
const MISFIT =
  "the rewritten input does not fit the tool: command: Invalid input: expected string, received undefined; the call was denied";
const FILES = ["a", "b", "c"];
const WRITES = FILES.map((name) => ({ name: "Write", input: { file_path: name, content: name } }));
const IT_IS_SUNDAY = specific("UserPromptSubmit", { additionalContext: "it is Sunday" });

/** One scenario for each story: the engine's conformance rows have all that hooks may answer, these show an agent that obeys. */
const SCENARIOS: readonly Scenario[] = [
  {
    ref: "seed 001 US1.1",
    name: "exit 0: plain stdout of a prompt hook is context",
    hooks: { UserPromptSubmit: [{ command: "echo the branch is main" }] },
    runs: ["UserPromptSubmit 0"],
    sent: ["user: do it\n\n<hook-output>\nthe branch is main\n</hook-output>"],
    seen: ["text: do it", "text: Done."],
  },
  afterCall({
    ref: "seed 001 US1.2",
    name: "exit 2 after a tool: stderr is appended to its result, which fails",
    hooks: { PostToolUse: [exits(2, "lint failed")] },
    runs: ["PostToolUse 2"],
    sent: ["failed: out\nlint failed"],
    seen: ["tool: Bash failed: out\nlint failed"],
  }),
  afterCall({
    ref: "seed 001 US1.3",
    name: "another exit code: the user is shown stderr, and work goes on",
    hooks: { PreToolUse: [exits(1, "disk is slow")] },
    runs: ["PreToolUse 1"],
    seen: ["tool: Bash done: out", "error: disk is slow"],
  }),
  {
    ref: "seed 001 US2.1",
    name: "continue: false stops everything, and the user alone reads why",
    hooks: { PreToolUse: [prints({ continue: false, stopReason: "office hours are over" })] },
    mode: "bypass",
    replies: ASK,
    runs: ["PreToolUse 0"],
    end: "stopped",
    sent: ["user: do it"],
    next: [...ASKED, "failed: Not run: a hook stopped the agent."],
    seen: [
      "text: do it",
      "tool: Bash failed: Not run: a hook stopped the agent.",
      "error: office hours are over",
    ],
  },
  {
    ref: "seed 001 US2.1",
    name: "continue: false beats a block of the stop: the agent is not sent on",
    hooks: { Stop: [prints({ continue: false, stopReason: "enough", decision: "block", reason: "go on" })] },
    replies: ["First.", "Second."],
    runs: ["Stop 0"],
    end: "stopped",
    sent: ["user: do it"],
    next: ["user: do it", "agent: First."],
    seen: ["text: do it", "text: First.", "error: enough"],
  },
  {
    ref: "seed 001 US2.2",
    name: "a systemMessage is a warning for the user",
    hooks: { UserPromptSubmit: [prints({ systemMessage: "mind the budget" })] },
    runs: ["UserPromptSubmit 0"],
    sent: ["user: do it"],
    seen: ["text: do it", "warn: mind the budget", "text: Done."],
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
    seen: [`tool: Bash failed: ${MISFIT}`, expect.stringContaining(`warn: ${MISFIT}`)],
    disk: {},
  }),
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
  {
    ref: "seed 001 US5.1",
    name: "a blocked prompt is erased and its reason is for the user alone",
    hooks: { UserPromptSubmit: [prints({ decision: "block", reason: "keys do not belong here" })] },
    runs: ["UserPromptSubmit 0"],
    ...ERASED,
    seen: ["error: keys do not belong here"],
  },
  {
    ref: "seed 001 US5.2",
    name: "context of a prompt hook reaches the agent with the prompt",
    hooks: { UserPromptSubmit: [IT_IS_SUNDAY] },
    runs: ["UserPromptSubmit 0"],
    sent: ['user: do it\n\n<hook event="UserPromptSubmit">\nit is Sunday\n</hook>'],
    seen: ["text: do it", "text: Done."],
  },
  {
    ref: "seed 001 US5.3",
    name: "a blocked stop: the agent reads the reason and goes on",
    hooks: {
      Stop: [
        {
          command: `grep -q '"stop_hook_active":true' || echo '{"decision":"block","reason":"two tests are left"}'`,
        },
      ],
    },
    replies: ["First.", "Second."],
    runs: ["Stop 0", "Stop 0"],
    requests: 2,
    sent: ["user: do it", "agent: First.", 'user: <hook event="Stop">\ntwo tests are left\n</hook>'],
    seen: ["text: do it", "text: First.", "text: Second."],
  },
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
    sent: ["user: do it"],
    next: [...ASKED, "failed: The user did not allow this: not today"],
    seen: [
      "text: do it",
      "tool: Bash failed: The user did not allow this: not today",
      "text: because of the rules",
    ],
    questions: [{ toolInput: RUN.input, reason: "because of the rules" }],
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

/** Each hook with a name of its own in what is said about it, and its process in a list beside the project. */
function hooksOf({ hooks }: Scenario): NonNullable<StageOptions["hooks"]> {
  return Object.fromEntries(
    Object.entries(hooks).map(([event, list]) => [
      event,
      list.map(({ command, name = "checker" }) => ({
        type: "command",
        command: `echo $$ >> ../started; ${command}`,
        name,
      })),
    ]),
  );
}

/** The processes that wrote themselves down, one id each. */
function started({ project }: Stage): string[] {
  const list = join(project, "..", "started");
  return existsSync(list) ? readFileSync(list, "utf8").trim().split("\n") : [];
}

/** What the journal has of the hooks: `event exit code`. */
function runsOf({ home }: Stage): string[] {
  return jsonLines(join(home, ".belay", "journal")).flatMap((line) => {
    const { event, hooks } = line as { event: string; hooks: { run: { exitCode?: number } }[] };
    return hooks.map(({ run }) => `${event} ${run.exitCode}`);
  });
}

function jsonLines(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line));
}

/** Every file of the project, by its path there. */
function diskOf({ project, read }: Stage): Record<string, string> {
  const names = readdirSync(project, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(project, name)).isFile(),
  );
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

/** What a model is sent, a line for each part of it; tags without their mark. */
function linesOf(messages: readonly ModelMessage[]): string[] {
  return messages
    .flatMap((message) => {
      if (message.role === "user") return [`user: ${message.content}`];
      if (message.role === "tool")
        return message.content.map(({ success, result }) => `${success ? "result" : "failed"}: ${result}`);
      return message.content.map((part) =>
        part.type === "text" ? `agent: ${part.text}` : `call: ${part.name} ${JSON.stringify(part.input)}`,
      );
    })
    .map(withoutMark);
}

/** The stories of seed 001 in the list that the engine's rows are held against, and what seed 000 says of an agent. */
const REFS = [...REQUIRED.filter((ref) => /^seed 001 US/.test(ref)), "seed 000 §6", "seed 000 §7"];

describe("the stories of the seeds, lived by a real agent with real hook processes", () => {
  for (const scenario of SCENARIOS) {
    it(`${scenario.ref}: ${scenario.name}`, async () => {
      const { ref: _, name: _name, runs, end = "done", requests = 1, sent, next, seen, ...rest } = scenario;
      const { questions = [], disk = {}, erased = [], ...options } = rest;
      const played = await stage({ ...options, hooks: hooksOf(scenario) });
      const { agent, model, home } = played;
      expect((await agent.send("do it")).reason).toBe(end);

      expect(model.requests).toHaveLength(requests);
      expect(linesOf(model.requests.at(-1)?.messages ?? [])).toEqual(sent);
      if (end !== "done") expect(linesOf(convertMessagesForAPI(agent.state.messages))).toEqual(next);

      expect(played.seen()).toEqual(seen);
      expect(played.questions).toMatchObject(questions);

      expect(diskOf(played)).toEqual(disk);
      const processes = started(played);
      expect(processes).toHaveLength(runs.length);
      expect(new Set([...processes, `${process.pid}`]).size).toBe(runs.length + 1);
      await agent.close("other");
      expect(runsOf(played)).toEqual(runs);
      for (const text of erased) expect(isWritten(home, text)).toBe(false);
      // A session in which nothing was ever asked is none: there is nothing to go on from.
      if (requests > 0) expect((await played.reopen()).seen()).toEqual(seen);
      else await expect(played.reopen()).rejects.toThrow("there is no session");
    });
  }

  it("seed 000 §6: while a question is open, nothing runs and the model is not asked", async () => {
    const played = await stage({
      hooks: { PreToolUse: [decides("ask").command] },
      answers: [],
      replies: ASK,
    });
    const { agent, model } = played;
    const turn = agent.send("do it");
    await expect.poll(() => agent.state.pending, { timeout: 20_000 }).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
    expect(diskOf(played)).toEqual({});
    const seen = ["text: do it", "tool: Bash asking: ", "text: because of the rules"];
    await expect.poll(played.seen, { timeout: 20_000 }).toEqual(seen);
    agent.answer(agent.state.pending[0]?.id ?? "", { kind: "once" });
    expect((await turn).reason).toBe("done");
    expect(model.requests).toHaveLength(2);
    expect(diskOf(played)).toEqual(RAN);
  });

  it("has a test for each of them", () => {
    expect(REFS.length).toBeGreaterThan(15);
    expect(new Set(SCENARIOS.map(({ ref }) => ref))).toEqual(new Set(REFS));
  });
});
