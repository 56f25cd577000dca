import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Answer, EndReason } from "../src/types.ts";
import { bash, type Hooks, type Stage, type StageOptions, says, stage, wants, write } from "./stage.ts";

const before = (permissionDecision: string, more: object = {}) => ({
  PreToolUse: [
    says("PreToolUse", { permissionDecision, permissionDecisionReason: "the hook says so", ...more }),
  ],
});
const request = (behavior: string, more: object = {}) => ({
  PermissionRequest: [
    says("PermissionRequest", { decision: { behavior, message: "the stand-in says so", ...more } }),
  ],
});

const COMMAND = "touch ran";
const CALL = bash(COMMAND);

interface Row extends StageOptions {
  readonly name: string;
  readonly hooks?: Hooks;
  readonly ran: boolean;
  /** How often the user was asked. */
  readonly asked?: number;
  readonly end?: EndReason;
  readonly result?: string;
}

const YES: readonly Answer[] = [{ kind: "once" }];

const ROWS: readonly Row[] = [
  { name: "nothing said: the user is asked", answers: YES, ran: true, asked: 1 },
  { name: "an allow rule spares the question", permissions: { allow: ["Bash(touch *)"] }, ran: true },
  {
    name: "a deny rule is a failed result, and the turn goes on",
    permissions: { deny: ["Bash(touch *)"] },
    ran: false,
    result: "Bash(touch *)",
  },
  {
    name: "no hook's allow answers a question raised by an ask rule",
    permissions: { ask: ["Bash(touch *)"] },
    hooks: { ...before("allow"), ...request("allow") },
    answers: YES,
    ran: true,
    asked: 1,
  },
  {
    name: "rules look at the input as hooks left it",
    permissions: { deny: ["Bash(rm *)"] },
    hooks: before("allow", { updatedInput: { command: "rm -f x" } }),
    ran: false,
    result: "Bash(rm *)",
  },
  {
    name: "a hook's deny is a failed result, and the turn goes on",
    hooks: before("deny"),
    ran: false,
    result: "the hook says so",
  },
  { name: "a stand-in's allow spares the user", hooks: request("allow"), answers: [], ran: true },
  {
    name: "a stand-in's deny is a failed result",
    hooks: request("deny"),
    answers: [],
    ran: false,
    result: "the stand-in says so",
  },
  {
    name: "a stand-in's deny with interrupt ends the turn",
    hooks: request("deny", { interrupt: true }),
    answers: [],
    ran: false,
    end: "denied",
  },
  {
    name: "a stand-in's rewrite is judged by the rules as well",
    permissions: { deny: ["Bash(rm *)"] },
    hooks: request("allow", { updatedInput: { command: "rm -f x" } }),
    answers: [],
    ran: false,
    result: "Bash(rm *)",
  },
  { name: "the user's deny ends the turn", answers: [{ kind: "deny" }], ran: false, asked: 1, end: "denied" },
  {
    name: "nobody there: denied with that reason, and the turn ends",
    ran: false,
    end: "unanswered",
    result: "nobody is there",
  },
];

describe("the order for one call", () => {
  for (const { name, ran, asked = 0, end = "done", result, ...options } of ROWS) {
    it(name, async () => {
      const played = await stage({ replies: wants(CALL), ...options });
      const { reason } = await played.agent.send("do it");
      expect({ reason, ran: hasRun(played), asked: played.questions.length }).toEqual({
        reason: end,
        ran,
        asked,
      });
      if (result !== undefined) expect(played.seen().join("\n")).toContain(result);
    });
  }
});

/** Who asks, and whether an answer for the session, and one for always, spares the same question the next time. */
const LASTING: [by: string, options: StageOptions, session: boolean, always: boolean][] = [
  ["mode", {}, true, true],
  ["outside", { replies: [{ calls: [write("../ran", "")] }] }, false, true],
  ["rule", { permissions: { ask: ["Bash(touch *)"] } }, false, false],
  [
    "unreadable",
    {
      permissions: { deny: ["Bash(rm *)"] },
      replies: [{ calls: [bash("echo $x")] }],
    },
    false,
    false,
  ],
  [
    "mode",
    {
      permissions: { allow: ["Bash(ls)"] },
      replies: [{ calls: [bash("echo $x")] }],
    },
    true,
    false,
  ],
  ["hook", { hooks: before("ask") }, false, false],
];

describe("a question says who asks", () => {
  for (const [by, { replies = [{ calls: [CALL] }], ...options }, session, always] of LASTING)
    for (const kind of ["session", "always"] as const)
      it(`${by}, answered for ${kind}: ${JSON.stringify({ ...options, replies })}`, async () => {
        const answers: Answer[] = [{ kind }, { kind: "once" }];
        const played = await stage({ ...options, replies: [...replies, ...replies, "Done."], answers });
        await played.agent.send("do it");
        const isSpared = kind === "session" ? session : always;
        expect(played.questions.map((question) => question.by)).toEqual(isSpared ? [by] : [by, by]);
      });
});

describe("the user's answers", () => {
  const twice = [{ calls: [CALL] }, { calls: [CALL] }, "Done."];

  it("once is for one call", async () => {
    const { agent, questions } = await stage({
      replies: twice,
      answers: [{ kind: "once" }, { kind: "once" }],
    });
    await agent.send("do it");
    expect(questions).toHaveLength(2);
  });
});

describe("a question among other calls", () => {
  it("does not wait until a call before it has run, only until that one is allowed", async () => {
    // The first call runs until the second, which is asked about, has written its file.
    const waits = "for i in $(seq 100); do test -e ran && echo seen && exit; sleep 0.1; done; echo alone";
    const { agent, seen } = await stage({
      permissions: { allow: ["Bash"] },
      replies: [
        {
          calls: [bash(waits), write("ran", "")],
        },
        "Done.",
      ],
      answers: YES,
    });
    expect((await agent.send("do it")).reason).toBe("done");
    expect(seen()).toContainEqual(expect.stringMatching(/^tool: Bash done: seen/));
  }, 30_000);
});

const GLOBBED: [
  rules: object,
  pattern: string,
  answers: Answer[],
  shown: string[],
  note: string | undefined,
][] = [
  [{}, "**/*", [], [".env", "open.txt", "secret/s"], undefined],
  [
    { deny: ["Read(secret/**)"] },
    "**/*",
    [],
    [".env", "open.txt"],
    "[1 file left out: a rule is about reading it]",
  ],
  [
    { deny: ["Read(**/.env)"], ask: ["Read(secret/**)"] },
    "**/*",
    [],
    ["open.txt"],
    "[2 files left out: a rule is about reading them]",
  ],
  [{ deny: ["Read(**/.env)"] }, "**/.env", [], [], "[1 file left out: a rule is about reading it]"],
  [{ ask: ["Read(secret/**)"] }, "secret/*", YES.slice(), ["secret/s"], undefined], // asked, and allowed
];

describe("a glob leaves out the names of what may not be read unasked", () => {
  for (const [permissions, pattern, answers, names, note] of GLOBBED)
    it(`${JSON.stringify(permissions)} ${pattern}`, async () => {
      const { agent, questions } = await stage({
        permissions,
        answers,
        files: { ".env": "a", "open.txt": "b", "secret/s": "c" },
        replies: wants({ name: "Glob", input: { pattern } }),
      });
      expect((await agent.send("do it")).reason).toBe("done");
      expect(questions).toHaveLength(answers.length);
      const blocks = agent.state.messages.flatMap((message) => message.blocks);
      const lines = blocks.flatMap((block) =>
        block.type === "tool" ? (block.result ?? "").split("\n") : [],
      );
      expect(lines.filter((line) => ["open.txt", ".env", "secret/s"].includes(line)).sort()).toEqual(names);
      expect(lines.find((line) => line.startsWith("["))).toBe(note);
    });
});

const WHY = "Bash needs a permission, and nobody is there to give it";
const ASK = { permissionDecision: "ask", permissionDecisionReason: "ask the boss" };
const HOOK = { type: "json", json: { hookSpecificOutput: { hookEventName: "PreToolUse", ...ASK } } };

it("why a hook wants the user asked is said to the user when nobody is there, and not to the agent", async () => {
  const { agent, model, seen } = await stage({
    hooks: { PreToolUse: [HOOK] },
    replies: wants(bash("ls")),
  });
  expect(await agent.send("go")).toEqual({ reason: "unanswered", text: "", detail: `${WHY}: ask the boss` });
  expect(seen()).toEqual(["text: go", `tool: Bash failed: ${WHY}`, "text: ask the boss"]);
  await agent.send("on");
  expect(model.lastSent()).toContain(WHY);
  expect(model.lastSent()).not.toContain("the boss");
});

describe("permissions and the files of settings", () => {
  it("always is stored in the project's local settings, and holds in the next session", async () => {
    const played = await stage({
      replies: [{ calls: [CALL] }, { calls: [CALL] }, "Done."],
      answers: [{ kind: "always" }],
    });
    await played.agent.send("do it");
    expect(played.questions).toHaveLength(1);
    const file = join(played.project, ".belay", "settings.local.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ permissions: { allow: [`Bash(${COMMAND})`] } });
    const next = await stage({
      cwd: played.project,
      home: played.home,
      replies: wants(CALL),
      answers: [],
    });
    expect((await next.agent.send("do it")).reason).toBe("done");
    expect(next.questions).toEqual([]);
  });

  it.each(["", "[app]/"])(
    "always keeps the local settings out of the commits of a repository: %s",
    async (sub) => {
      const root = mkdtempSync(join(tmpdir(), "belay-git-"));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
      git("init", "--quiet");
      const cwd = join(root, sub);
      mkdirSync(join(cwd, ".belay"), { recursive: true });
      const again = { ...CALL, input: { command: "touch again" } };
      const played = await stage({
        cwd,
        home: join(root, ".git", "home"),
        replies: [{ calls: [CALL] }, { calls: [again] }, "Done."],
        answers: [{ kind: "always" }, { kind: "always" }],
      });
      await played.agent.send("do it");
      expect(git("status", "--porcelain", "--untracked-files=all").match(/settings/)).toBeNull();
      expect(
        readFileSync(join(root, ".git/info/exclude"), "utf8").match(/settings\.local\.json/g),
      ).toHaveLength(1);
    },
  );

  it("always, where the settings cannot be written: allowed once, and said", async () => {
    const played = await stage({ replies: wants(CALL), answers: [{ kind: "always" }] });
    mkdirSync(join(played.project, ".belay"));
    writeFileSync(join(played.project, ".belay", "settings.local.json"), "{ broken");
    expect((await played.agent.send("do it")).reason).toBe("done");
    expect(played.seen().join("\n")).toContain("the rule could not be stored");
    expect(existsSync(join(played.project, "ran"))).toBe(true);
  });

  it("what a project allows is said to be untrusted, and does not count", async () => {
    const first = await stage();
    mkdirSync(join(first.project, ".belay"));
    const settings = JSON.stringify({ permissions: { allow: ["Bash"], deny: ["Read"] } });
    writeFileSync(join(first.project, ".belay", "settings.json"), settings);
    const { agent, seen, questions } = await stage({
      cwd: first.project,
      home: first.home,
      replies: wants(CALL, { name: "Read", input: { file_path: "x" } }),
      answers: [{ kind: "once" }],
    });
    await agent.send("do it");
    expect(questions).toHaveLength(1);
    expect(seen().join("\n")).toContain("belay trust");
    expect(seen().join("\n")).toMatch(/Read failed: .*rule/);
  });
});

function hasRun({ project }: Stage): boolean {
  return existsSync(join(project, "ran"));
}
