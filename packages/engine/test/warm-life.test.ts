import { afterEach, describe, expect, it } from "vitest";
import { abortedRuns } from "./journals.ts";
import { type Mark, mark, sleep, startHost } from "./processes.ts";
import { CALL, command, fixture, scratch } from "./scratch.ts";
import { dead, isAlive, OBEYS, openWarm } from "./warm-hooks.ts";

/** The process of a warm hook while it is asked: who waits for whom, and what becomes of a call without an answer. */

let marked: Mark | undefined;
afterEach(() => {
  marked?.endAll();
  marked = undefined;
});

describe("who waits for whom", () => {
  it("one call at a time, in the order they came", async () => {
    const { who } = await openWarm();
    const asked = await Promise.all([who({ after: 200 }), who({ after: 50 }), who({})]);
    expect(asked.map(({ calls }) => calls)).toEqual([1, 2, 3]);
    expect(new Set(asked.map(({ pid }) => pid)).size).toBe(1);
  });

  it("stderr belongs to the call that is under way", async () => {
    const { run } = await openWarm();
    const runs = await Promise.all(["a", "b", "c"].map((stderr) => run({ stderr })));
    expect(runs.map(({ stderr }) => stderr)).toEqual(["a", "b", "c"]);
  });

  it('with "parallel" at the same time, each with its own answer', async () => {
    const { who, run } = await openWarm({ warm: "parallel" });
    await who();
    const order: string[] = [];
    const note = async (name: string, todo: object) => {
      const answer = await run(todo);
      order.push(name);
      return answer.stdout;
    };
    const [slow, quick] = await Promise.all([
      note("slow", { after: 600, answer: { output: "slow" } }),
      note("quick", { after: 10, stderr: "mine", answer: { output: "quick" } }),
    ]);
    expect([slow, quick, order]).toEqual(["slow", "quick", ["quick", "slow"]]);
  });

  it("in parallel, stderr belongs to every call under way", async () => {
    const { run } = await openWarm({ warm: "parallel" });
    await run();
    const [slow, quick] = await Promise.all([run({ after: 600 }), run({ stderr: "both" })]);
    expect([slow.stderr, quick.stderr]).toEqual(["both", "both"]);
  });

  it("a slow start holds back the first call alone", async () => {
    const { who } = await openWarm({ command: `sleep 0.5; exec ${OBEYS}` });
    expect(await Promise.all([who(), who()])).toMatchObject([{ calls: 1 }, { calls: 2 }]);
  });

  it("its time is that of the call, not of those before it", async () => {
    const { run } = await openWarm({ timeout: 3 });
    await run();
    const started = performance.now();
    const runs = await Promise.all([run({ after: 1700 }), run({ after: 1700 })]);
    const both = performance.now() - started;
    expect(runs.map(({ timedOut }) => timedOut)).toEqual([false, false]);
    // One after the other they fill the time of both; the second's wait, counted too, would make one and a half of it.
    const [first = 0, second = 0] = runs.map(({ executionTime }) => executionTime);
    expect((first + second) / both).toBeLessThan(1.25);
  });
});

describe("a call that does not come to its end", () => {
  it("hangs: it is given up at its limit, and the next one gets another process", async () => {
    const { run, who } = await openWarm({ timeout: 2 });
    const { pid } = await who();
    const { timedOut, failure, executionTime, exitCode } = await run({ answer: "none", after: 60_000 });
    expect({ timedOut, kind: failure?.kind, exitCode }).toEqual({
      timedOut: true,
      kind: "timeout",
      exitCode: undefined,
    });
    expect(executionTime).toBeLessThan(10_000);
    expect(isAlive(pid)).toBe(false);
    expect(await who()).toMatchObject({ calls: 1 });
  });

  it("hangs, and does not listen to TERM nor to the end of its stdin", async () => {
    const { run, who } = await openWarm({ command: `${OBEYS} ignores-term`, timeout: 2 });
    const { pid } = await who();
    expect(await run({ answer: "none" })).toMatchObject({ timedOut: true });
    expect(await dead(pid)).toBe(true);
    expect(await who()).toMatchObject({ calls: 1 });
  });

  it("has said half a line: it can restrict", async () => {
    const { call } = await openWarm({ timeout: 2 });
    const { decision, runs } = await call({
      raw: '{"id":"ID","output":{"decision":"block","reason":"no"},"exit',
    });
    expect([decision.kind, runs[0]?.timedOut]).toEqual(["deny", true]);
  });

  it("is aborted: those that wait behind it are not", async () => {
    const { hooks, run, who } = await openWarm();
    const { pid } = await who();
    const controller = new AbortController();
    const aborted = run({ answer: "none" }, controller.signal);
    const waiting = [who(), who()];
    await sleep(100);
    controller.abort();
    const failure = { kind: "abort", detail: "its group was ended" };
    expect(await abortedRuns(hooks, aborted)).toMatchObject([{ failure }]);
    const answers = await Promise.all(waiting);
    expect(answers.map(({ calls }) => calls)).toEqual([1, 2]);
    expect(isAlive(pid)).toBe(false);
  });

  it("is aborted while it waits: nobody else notices", async () => {
    const { hooks, run, who } = await openWarm();
    const { pid } = await who();
    const controller = new AbortController();
    const first = who({ after: 400 });
    const aborted = run({}, controller.signal);
    await sleep(50);
    controller.abort();
    const failure = { kind: "abort", detail: "it was not asked" };
    expect(await abortedRuns(hooks, aborted)).toMatchObject([{ failure }]);
    expect(await first).toMatchObject({ pid, calls: 2 });
    expect(await who()).toMatchObject({ pid, calls: 3 });
  });

  it("in parallel: the others come to their end, and then the process", async () => {
    const { run, who } = await openWarm({ warm: "parallel" });
    const { pid } = await who();
    const controller = new AbortController();
    const aborted = run({ answer: "none" }, controller.signal);
    const other = who({ after: 500 });
    await sleep(100);
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
    const next = await who();
    expect(next.pid).not.toBe(pid);
    expect(await other).toMatchObject({ pid });
    expect(await dead(pid)).toBe(true);
  });

  const late: [lines: string, other: object][] = [
    ['{"id":"ID"}\n', { exitCode: 0 }],
    ['{"id":"ID"}\n{"id":"ID"}\n', { failure: { kind: "warm", detail: 'it answered "2" twice' } }],
  ];
  it.each(late)("in parallel, it may be answered late, once: %j", async (raw, expected) => {
    const { run, who } = await openWarm({ warm: "parallel" });
    await who();
    const controller = new AbortController();
    const aborted = run({ after: 300, raw }, controller.signal);
    const other = run({ after: 800 });
    await sleep(100);
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
    expect(await other).toMatchObject(expected);
  });

  it("in parallel, a line that is nobody's is a fault of all", async () => {
    const { run } = await openWarm({ warm: "parallel" });
    await run();
    const runs = await Promise.all([run({ answer: "none" }), run({ after: 100, raw: "hello\n" })]);
    expect(runs.map(({ failure }) => failure?.kind)).toEqual(["warm", "warm"]);
  });

  it("an answer that came while the host was busy is no timeout", async () => {
    const { run, who } = await openWarm({ timeout: 2 });
    await who();
    const asked = run({ after: 100 });
    await sleep(20);
    for (const end = performance.now() + 2300; performance.now() < end; );
    expect(await asked).toMatchObject({ timedOut: false, exitCode: 0 });
  });
});

describe("floods", () => {
  it("a line without an end is cut, and is a fault", async () => {
    const { call } = await openWarm({}, { limits: { outputCap: 1000 } });
    const long = JSON.stringify({ decision: "block", reason: "x".repeat(200_000) });
    const { runs, decision } = await call({ raw: `{"id":"ID","output":${long}}\n` });
    expect(runs[0]).toMatchObject({
      truncated: true,
      cut: ["stdout"],
      cap: 1000,
      failure: { kind: "warm", detail: "its line was cut" },
    });
    expect(runs[0]?.stdout).toHaveLength(1000);
    expect(decision.kind).toBe("deny");
  });

  it.each([
    ["stdout", { kind: "warm", truncated: true }, `${OBEYS} flood`, "10"],
    ["stderr", { kind: "timeout", truncated: true }, `${fixture("flood-forever")} >&2`, "1"],
    ["line ends", { kind: "timeout", truncated: false }, "yes ''", "1"],
    ["spaces", { kind: "timeout", truncated: false }, "yes ' '", "1"],
  ])("%s without end", { timeout: 20_000 }, async (_what, expected, flood, seconds) => {
    marked = mark();
    const { stdout, stderr } = await startHost("warm-flood.mjs", [seconds, flood], marked.env).finished;
    expect(stderr).toBe("");
    const { grownMiB, took, ...found } = JSON.parse(stdout) as { grownMiB: number; took: number };
    expect(found).toEqual(expected);
    expect(grownMiB).toBeLessThan(24);
    expect(took).toBeLessThan(Number(seconds) * 1000 + 4000);
    expect(await marked.gone(3000)).toEqual([]);
  });

  it("between calls", async () => {
    marked = mark();
    const { who } = await openWarm({}, { env: marked.env });
    const { pid } = await who({ later: "x".repeat(3_000_000) });
    expect(await dead(pid)).toBe(true);
    await expect(who()).rejects.toThrow("its line was cut, while no call waited for it");
    expect(await who()).toMatchObject({ calls: 1 });
  });

  it("a payload that it never reads", async () => {
    const room = scratch();
    const entry = command(fixture("never-reads-stdin"), { warm: true, timeout: 2 });
    const hooks = await room.engineFor("PreToolUse", [{ ...entry, command: "sleep 30" }]);
    const { runs } = await hooks.fire("PreToolUse", { ...CALL, tool_input: { text: "x".repeat(2_000_000) } });
    expect(runs[0]).toMatchObject({ timedOut: true });
  });

  it("a large payload and a large answer", async () => {
    const { run } = await openWarm({}, { limits: { outputCap: 4_000_000 } });
    const text = "€".repeat(500_000);
    const { stdout } = await run({ answer: { output: text }, padding: text });
    expect(stdout === text).toBe(true);
  });
});
