import { readFileSync } from "node:fs";
import type { Outcome } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { CALL, codes, command, said, scratch } from "./scratch.ts";
import { dead, OBEYS, openWarm } from "./warm-hooks.ts";

/** Warm hooks: what their process says in a line is read as what a cold hook prints and how it exits. */

describe("an answer", () => {
  const deny = {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "not here",
    },
  };
  const rows: [name: string, todo: object, expected: object][] = [
    [
      "an object is its JSON",
      { answer: { output: deny } },
      { decision: { kind: "deny", reason: "not here", hook: "h" }, runs: [{ exitCode: 0, read: "json" }] },
    ],
    [
      "a string is its stdout",
      { answer: { output: JSON.stringify(deny) } },
      { decision: { kind: "deny", reason: "not here", hook: "h" } },
    ],
    [
      "exit 2 with its words",
      { answer: { output: null, exitCode: 2, stderr: "not here" } },
      { decision: { kind: "deny", reason: "not here", hook: "h" }, runs: [{ exitCode: 2, stdout: "" }] },
    ],
    [
      "exit 2 with words on its real stderr",
      { stderr: "not here\n", answer: { output: null, exitCode: 2 } },
      { decision: { kind: "deny", reason: "not here" } },
    ],
    [
      "both, one after the other",
      { stderr: "not", answer: { output: null, exitCode: 2, stderr: "here" } },
      { decision: { kind: "deny", reason: "not\nhere" } },
    ],
    ["exit 2 without a word", { answer: { output: null, exitCode: 2 } }, { decision: { kind: "deny" } }],
    [
      "another exit code",
      { answer: { output: null, exitCode: 3, stderr: "hm" } },
      { decision: { kind: "none" }, action: "error-displayed", runs: [{ exitCode: 3 }] },
    ],
    ["silence", { answer: { output: null } }, { decision: { kind: "none" }, messages: [], diagnostics: [] }],
    [
      "an answer the event cannot give",
      { answer: { output: { hookSpecificOutput: { hookEventName: "Stop" } } } },
      { decision: { kind: "none" }, diagnostics: [{ code: "output-wrong-event" }] },
    ],
    // To some readers of lines, Node's own among them, these end one.
    [
      "other ends of lines",
      { answer: { output: "a\u2028b\u2029c\u0085d\r\n" } },
      { runs: [{ stdout: "a\u2028b\u2029c\u0085d\r\n" }] },
    ],
    [
      "over the cap",
      { answer: { output: "x".repeat(120_000) } },
      {
        runs: [{ truncated: true, cut: ["stdout"], cap: 102_400, stdout: "x".repeat(102_400), exitCode: 0 }],
      },
    ],
    [
      "a stderr over the cap",
      { stderr: "y".repeat(120_000), answer: { output: "fine" } },
      { runs: [{ truncated: true, cut: ["stderr"], stderr: "y".repeat(102_400), stdout: "fine" }] },
    ],
    [
      "a line that comes in pieces",
      { raw: '\n{"id":"ID",\r"exitCode":2}\r\n' },
      { decision: { kind: "deny" } },
    ],
  ];
  it("is read as from any hook", { timeout: 30_000 }, async () => {
    const { call, who } = await openWarm();
    const { pid } = await who();
    for (const [name, todo, expected] of rows) expect(await call(todo), name).toMatchObject(expected);
    expect(await who()).toMatchObject({ pid, calls: rows.length + 2 });
  });

  it("by another row of hooks: observed, in another dialect, on another event", async () => {
    const room = scratch();
    const entry = command(OBEYS, { warm: true, name: "h", mode: "observe" });
    const hooks = await room.engineFor("PreToolUse", [entry]);
    const outcome = await hooks.fire("PreToolUse", {
      ...CALL,
      tool_input: { answer: { output: null, exitCode: 2, stderr: "no" } },
    });
    expect(outcome).toMatchObject({ blocked: false, runs: [{ observed: true, verdict: "deny" }] });
  });
});

describe("what does not fit is a fault, and the next call gets another process", () => {
  const rows: [name: string, todo: object, detail: RegExp, more?: object][] = [
    ["no JSON", { raw: "hello\n" }, /^it printed a line that is no JSON$/, { stdout: "hello" }],
    ["no object", { raw: "[]\n" }, /no JSON object/],
    ["no id", { raw: '{"output":{}}\n' }, /no "id"/],
    ["an id nobody asked with", { raw: '{"id":"99"}\n' }, /nobody asked with the id "99"/],
    ["a number as id", { raw: '{"id":ID}\n' }, /"id" in its line is not a string/],
    ["a wrong type", { answer: { exitCode: "2" } }, /"exitCode" in its line is not an integer/],
    ["a field that is none", { answer: { output: null, systemMessage: "x" } }, /a field "systemMessage"/],
    [
      "exit 0 without an answer",
      { answer: "none", exit: 0 },
      /ended with exit 0 before it answered/,
      { exitCode: 0 },
    ],
    [
      "exit 1",
      { answer: "none", exit: 1, stderr: "boom" },
      /ended with exit 1/,
      { exitCode: 1, stderr: "boom" },
    ],
    ["a line without an end", { raw: '{"id":"ID"', exit: 0 }, /no JSON/],
  ];
  it.each(rows)("%s", { timeout: 20_000 }, async (_name, todo, detail, more = {}) => {
    const { call, who } = await openWarm();
    const { pid } = await who();
    const outcome = await call(todo);
    expect(outcome.runs[0]).toMatchObject({
      ...more,
      failure: { kind: "warm", detail: expect.stringMatching(detail) },
    });
    expect(outcome.decision.kind).toBe("none");
    expect(codes(outcome)).toContain("run-warm-failed");
    expect(said(outcome).join("\n")).toContain("the warm hook gave no answer");
    const next = await who();
    expect(next).toMatchObject({ calls: 1 });
    expect(next.pid).not.toBe(pid);
  });

  it("a last line without an end is an answer, if it is one", async () => {
    const { run } = await openWarm();
    expect(await run({ raw: '{"id":"ID","exitCode":2}', exit: 0 })).toMatchObject({
      exitCode: 2,
      verdict: "deny",
    });
  });

  it.each(["SIGKILL", "SIGSEGV"])("death by %s", async (signal) => {
    const { run, who } = await openWarm();
    expect(await run({ answer: "none", signal })).toMatchObject({
      signal,
      failure: { kind: "signal", detail: `killed by ${signal}` },
    });
    expect(await who()).toMatchObject({ calls: 1 });
  });

  const restricting: [name: string, todo: object, kind: string][] = [
    ["a cold answer", { raw: '{"decision":"block","reason":"no"}\n' }, "deny"],
    ["an answer beside its id", { raw: '{"id":"ID","decision":"block","reason":"no"}\n' }, "deny"],
    ["sound parts of a line", { raw: '{"id":"ID","exitCode":2,"stderr":7}\n' }, "deny"],
    ["exit 2 of the process", { answer: "none", exit: 2, stderr: "no" }, "deny"],
    [
      "an allow",
      { raw: '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}\n' },
      "none",
    ],
  ];
  it.each(restricting)("it can still restrict, never loosen: %s", async (_name, todo, kind) => {
    const { call } = await openWarm();
    const { decision, runs } = await call(todo);
    expect(decision.kind).toBe(kind);
    expect(runs[0]?.failure?.kind).toBe("warm");
  });

  it('"onFailure": "block" refuses', async () => {
    const { call } = await openWarm({ onFailure: "block" });
    expect((await call({ raw: "hello\n" })).decision).toMatchObject({ kind: "deny" });
    expect((await call({})).decision.kind).toBe("none");
  });

  const between: [name: string, todo: object, detail: RegExp][] = [
    [
      "a second answer",
      { later: '{"id":"ID","exitCode":2}\n' },
      /it answered "2" twice, while no call waited/,
    ],
    ["other words", { later: "by the way\n" }, /a line that is no JSON, while no call waited/],
    ["an unknown id", { later: '{"id":"x"}\n' }, /nobody asked with the id "x"/],
  ];
  it.each(between)("between calls it is a fault of the next one: %s", async (_name, todo, detail) => {
    const { run, who } = await openWarm();
    const { pid } = await who();
    expect(await run(todo)).not.toHaveProperty("failure");
    expect(await dead(pid)).toBe(true);
    expect((await run()).failure).toMatchObject({ kind: "warm", detail: expect.stringMatching(detail) });
    const next = await who();
    expect(next.calls).toBe(1);
    expect(next.pid).not.toBe(pid);
  });

  it("two answers in one breath: the first counts", async () => {
    const { run } = await openWarm();
    const twice = '{"id":"ID","exitCode":2}\n{"id":"ID"}\n';
    expect(await run({ raw: twice })).toMatchObject({ exitCode: 2, verdict: "deny" });
    expect((await run()).failure?.detail).toMatch(/it answered "1" twice/);
    expect(await run()).not.toHaveProperty("failure");
  });
});

describe("a process that cannot start", () => {
  const rows: [entry: object, expected: object][] = [
    [{ command: "no-such-program" }, { exitCode: 127 }],
    [{ command: "./no-such-script" }, { exitCode: 127 }],
    [{ command: "no such program", args: [] }, { failure: { kind: "start" } }],
    [{ command: "true", args: ["a\0b"] }, { failure: { kind: "start" } }],
  ];
  it.each(rows)("%j", async (entry, expected) => {
    const { call } = await openWarm(entry);
    for (let times = 0; times < 2; times += 1) {
      const outcome: Outcome = await call();
      expect(outcome.runs[0]).toMatchObject(expected);
      expect(codes(outcome)).toEqual(["run-not-started"]);
    }
  });

  it("one that dies at once is tried once for each call", async () => {
    const room = scratch();
    const hooks = await room.engineFor("PreToolUse", [
      command(`echo x >> ${room.root}/starts; exit 7`, { warm: true }),
    ]);
    for (let times = 0; times < 3; times += 1)
      expect((await hooks.fire("PreToolUse", CALL)).runs[0]).toMatchObject({
        exitCode: 7,
        failure: { kind: "warm" },
      });
    await hooks.close();
    expect(readFileSync(`${room.root}/starts`, "utf8")).toBe("x\nx\nx\n");
  });
});

it("the environment and the folder are the project's, and the process knows that it is warm", async () => {
  const room = scratch();
  const names = [
    "BELAY_WARM",
    "BELAY_PROJECT_DIR",
    "CLAUDE_PROJECT_DIR",
    "BELAY_EVENT",
    "BELAY_SESSION_ID",
    "MINE",
  ];
  const script = `process.stdin.on("data", (line) => console.log(JSON.stringify({ id: JSON.parse(line).id, output: JSON.stringify([process.cwd(), ...${JSON.stringify(names)}.map((name) => process.env[name] ?? null)]) })))`;
  room.write("project/sub/here", "");
  const hooks = await room.engineFor(
    "PreToolUse",
    [{ type: "command", command: process.execPath, args: ["-e", script], warm: true }],
    { env: { PATH: process.env.PATH, MINE: "yes", BELAY_EVENT: "Stop" } },
  );
  const { runs } = await hooks.fire("PreToolUse", { ...CALL, cwd: `${room.project}/sub` });
  expect(JSON.parse(runs[0]?.stdout ?? "")).toEqual([
    room.project,
    "1",
    room.project,
    room.project,
    null,
    null,
    "yes",
  ]);
});

it("a cold hook of a host that a warm one runs is told nothing of it", async () => {
  const room = scratch();
  const hooks = await room.engineFor("PreToolUse", [command('echo "[$BELAY_WARM]"')], {
    env: { PATH: process.env.PATH, BELAY_WARM: "1" },
  });
  expect((await hooks.fire("PreToolUse", CALL)).runs[0]?.stdout).toBe("[]\n");
});

it("hooks of one identity share a process, others have their own", async () => {
  const room = scratch();
  const entry = command(OBEYS, { warm: true });
  const file = room.write("hooks.json", {
    hooks: {
      PreToolUse: [{ hooks: [entry] }],
      PostToolUse: [{ hooks: [entry, { ...entry, timeout: 5 }] }],
    },
  });
  const hooks = await room.engine({ configFiles: [file] });
  const pid = ({ runs }: Outcome) => runs.map(({ stdout }) => stdout.split(" ")[0]);
  const [before] = pid(await hooks.fire("PreToolUse", CALL));
  const [same, other] = pid(await hooks.fire("PostToolUse", { ...CALL, tool_response: "" }));
  expect(same).toBe(before);
  expect(other).not.toBe(before);
});
