import { getEventListeners } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type EventName, type Explanation, UsageError } from "@belay/engine";
import { afterEach, describe, expect, it } from "vitest";
import { abortedRuns } from "./journals.ts";
import { type Mark, mark, sleep, startHost, until } from "./processes.ts";
import { CALL, codes, command, fixture, said, says, scratch } from "./scratch.ts";

/** fire() and close(), several hooks, and what the engine counts (design §5, §8). */

let marked: Mark | undefined;

afterEach(() => marked?.endAll());

it("an event tests each matcher once, also when somebody looks at what matched", async () => {
  const { engine, write } = scratch();
  const groups = ["Ba.h", "Bas."].map((matcher) => ({ matcher, hooks: [says(matcher)] }));
  const hooks = await engine({ configFiles: [write("hooks.json", { hooks: { PreToolUse: groups } })] });
  const tested: string[] = [];
  for (const { hook } of await hooks.hooks()) {
    const { test } = hook.matcher;
    hook.matcher.test = (value) => {
      tested.push(hook.name);
      return test(value);
    };
  }
  const shown: boolean[] = [];
  const onMatched = ({ matches }: Explanation) => void shown.push(...matches.map(({ fires }) => fires));
  const { runs } = await hooks.fire("PreToolUse", CALL, { onMatched });
  expect(shown).toEqual([true, true]);
  expect(tested).toEqual(runs.map(({ hook }) => hook));
});

describe("while somebody looks at what matched", () => {
  it("the payload is the one that hooks get", async () => {
    const hooks = await scratch().engineFor("Stop", [command("exit 2")]);
    await hooks.fire("Stop");
    const seen: unknown[] = [];
    await hooks.fire("Stop", {}, { onMatched: ({ payload }) => void seen.push(payload.stop_hook_active) });
    expect(seen).toEqual([true]);
  });

  it("another event does not hide that a matcher gave up", async () => {
    const { engine, write } = scratch();
    const group = { matcher: "(?=a)(a+)+$", hooks: [says("x")] };
    const hooks = await engine({ configFiles: [write("hooks.json", { hooks: { PreToolUse: [group] } })] });
    const onMatched = async () => void (await hooks.fire("PreToolUse", CALL));
    const call = { ...CALL, tool_name: `${"a".repeat(40)}!` };
    const outcome = await hooks.fire("PreToolUse", call, { onMatched });
    expect(codes(outcome)).toContain("matcher-gave-up");
  });
});

describe("a mistake of the caller", () => {
  const rows: [event: string, input: unknown, message: RegExp][] = [
    ["PreTolUse", {}, /no event PreTolUse.*PreToolUse/],
    ["Stop", [], /payload of Stop must be an object/],
    ["Stop", null, /must be an object/],
    ["Stop", "text", /must be an object/],
    ["Stop", { a: 1n }, /payload of Stop .*JSON/],
    ["Stop", circle(), /payload of Stop .*JSON/],
    [
      "Stop",
      { deep: nested(1000) },
      /^the payload of Stop is nested more than 1000 levels deep; give .+ string/,
    ],
    ["Stop", { deep: nested(100_000) }, /^the payload of Stop is nested more than 1000 levels deep; give/],
  ];
  it.each(rows)("%s, row %#", async (event, input, message) => {
    const hooks = await scratch().engineFor("Stop", [says("x")]);
    const firing = hooks.fire(event as EventName, input as Record<string, unknown>);
    await expect(firing).rejects.toThrow(message);
    await expect(firing).rejects.toBeInstanceOf(UsageError);
  });

  it("no mistake: as deep as it may be, and brackets in text, whatever is escaped there", async () => {
    const hooks = await scratch().engineFor("Stop", [says("x")]);
    const text = `${'["'.repeat(2000)}${"\\".repeat(3)}"${"{".repeat(2000)}`;
    const { runs } = await hooks.fire("Stop", { deep: nested(999), [text]: text });
    expect(runs).toHaveLength(1);
  });

  function circle(): object {
    const value: Record<string, unknown> = {};
    value.self = value;
    return value;
  }

  /** Lists in lists, so many levels. */
  function nested(levels: number): unknown {
    let value: unknown[] = [];
    for (let level = 1; level < levels; level += 1) value = [value];
    return value;
  }
});

describe("a payload without what matchers test", () => {
  const open = async (matcher: string, extra: object = {}) => {
    const { write, engine } = scratch();
    const group = (of: string) => ({ matcher: of, hooks: [says(of, extra)] });
    const hooks = { PreToolUse: [group(matcher)], PostToolUse: [group("Edit")], Stop: [group("Bash")] };
    return engine({ configFiles: [write("hooks.json", { hooks })] });
  };
  const missing = ["matcher-untested"];
  const rows: [name: string, event: EventName, input: object, matcher: string, codes: string[]][] = [
    ["none", "PreToolUse", {}, "Bash", missing],
    ["a misspelt one", "PreToolUse", { toolName: "Bash" }, "Bash", missing],
    ["a number", "PreToolUse", { tool_name: 7 }, "^B", missing],
    ["one that does not match", "PreToolUse", { tool_name: "Edit" }, "Bash", []],
    ["an empty one", "PreToolUse", { tool_name: "" }, "Bash", []],
    ["none, and a matcher for all", "PreToolUse", {}, "*", []],
    ["none, on an event without matchers", "Stop", {}, "Bash", []],
    ["none, on an event without hooks", "PermissionRequest", {}, "Bash", []],
  ];
  it.each(rows)("%s", async (_name, event, input, matcher, expected) => {
    const outcome = await (await open(matcher)).fire(event, input as Record<string, unknown>);
    expect(codes(outcome)).toEqual(expected);
    if (expected.length > 0) expect(said(outcome)[0]).toMatch(/PreToolUse .*no tool_name.*1 hook /);
  });

  it("is no matter to hooks that are off", async () => {
    expect(codes(await (await open("Bash", { enabled: false })).fire("PreToolUse", CALL))).toEqual([]);
  });
});

describe("several hooks", () => {
  it("run at the same time and are reported in configured order", async () => {
    const { root, engineFor } = scratch();
    /** Goes on when all three are there: one after another, none would. */
    const meet = (name: string) =>
      `cd '${root}'; touch ${name}.here; until [ $(ls | grep -c 'here$') = 3 ]; do sleep 0.05; done`;
    const hooks = await engineFor("PreToolUse", [
      command(`${meet("slow")}; sleep 0.2; echo slow`, { name: "slow", timeout: 20 }),
      command(`${meet("quick")}; echo quick`, { name: "quick", timeout: 20 }),
      command(`${meet("middle")}; sleep 0.1; exit 2`, { name: "middle", timeout: 20 }),
    ]);
    const { runs, decision } = await hooks.fire("PreToolUse", CALL);
    expect(runs.map(({ hook, timedOut }) => [hook, timedOut])).toEqual([
      ["slow", false],
      ["quick", false],
      ["middle", false],
    ]);
    expect(decision).toMatchObject({ kind: "deny", hook: "middle" });
  });

  const parallel: [maxParallel: number, hooks: number][] = [
    [1, 4],
    [3, 10],
    [64, 10],
  ];
  it.each(parallel)("at most %i of %i at once, over all events", async (maxParallel, count) => {
    const { engineFor, root } = scratch();
    const log = join(root, "log");
    const each = Array.from({ length: count / 2 }, (_, n) =>
      command(`${fixture("count-running", log)} ${n}`),
    );
    const hooks = await engineFor("PreToolUse", each, { limits: { maxParallel } });
    const outcomes = await Promise.all([hooks.fire("PreToolUse", CALL), hooks.fire("PreToolUse", CALL)]);
    expect(outcomes.flatMap(({ runs }) => runs.map(({ exitCode }) => exitCode))).toEqual(
      Array(count).fill(0),
    );
    const { highest } = readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .reduce(
        ({ now, highest }, sign) => {
          const next = now + (sign === "+" ? 1 : -1);
          return { now: next, highest: Math.max(highest, next) };
        },
        { now: 0, highest: 0 },
      );
    expect(highest).toBeLessThanOrEqual(maxParallel);
    if (maxParallel < count) expect(highest).toBe(maxParallel);
  });
});

describe("an abort", () => {
  it("is a fault for each hook, also for those that wait for their turn", async () => {
    marked = mark();
    const { engineFor } = scratch();
    const entries = [1, 2, 3].map((n) => command(`${fixture("ignore-term")} ${n}`));
    const hooks = await engineFor("PreToolUse", entries, { env: marked.env, limits: { maxParallel: 2 } });
    const controller = new AbortController();
    const firing = hooks.fire("PreToolUse", CALL, { signal: controller.signal });
    await until(() => (marked?.alive().length ?? 0) >= 2);
    controller.abort(null);
    await expect(firing).rejects.toBe(null);
    const runs = await abortedRuns(hooks, firing);
    expect(runs.map(({ failure }) => failure?.kind)).toEqual(["abort", "abort", "abort"]);
    expect(runs[2]?.failure?.detail).toBe("it was not started");
    expect(await marked.gone()).toEqual([]);
  });

  it("before the event starts nothing, and is not recorded", async () => {
    const reason = new Error("enough");
    const deny = { type: "json", json: { decision: "block", reason: "no" } };
    const hooks = await scratch().engineFor("PreToolUse", [deny, command(fixture("hang"))]);
    const firing = hooks.fire("PreToolUse", CALL, { signal: AbortSignal.abort(reason) });
    await expect(firing).rejects.toBe(reason);
    expect(existsSync(hooks.journalFolder as string)).toBe(false);
  });

  it("is heard by events under way alone: none leaves a listener on its signal", async () => {
    const hooks = await scratch().engineFor("PreToolUse", [says("x")]);
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, "abort").length;
    const firing = Array.from({ length: 30 }, () => hooks.fire("PreToolUse", CALL, { signal }));
    expect(listeners()).toBe(30);
    await Promise.all(firing);
    expect(listeners()).toBe(0);
  });

  it("costs nobody what the user is to be told once", async () => {
    const room = scratch();
    const file = room.write("hooks.json", {
      hooks: { PreToolUse: [{ hooks: [command("sleep 1"), { type: "?" }] }] },
    });
    const hooks = await room.engine({ configFiles: [file] });
    const firing = hooks.fire("PreToolUse", CALL, { signal: AbortSignal.timeout(100) });
    await expect(firing).rejects.toMatchObject({ name: "TimeoutError" });
    expect(codes(await hooks.fire("PreToolUse", CALL))).toEqual(["config-unsupported-type"]);
  });
});

describe("close()", () => {
  it("ends what is running, and is done when it is ended", async () => {
    marked = mark();
    const { engineFor, write } = scratch();
    write("loop.mjs", "export default () => { for (;;); };");
    const hooks = await engineFor(
      "PreToolUse",
      [command(fixture("ignore-term")), { type: "module", module: "./loop.mjs" }],
      { env: marked.env },
    );
    let settled = false;
    const settle = () => {
      settled = true;
    };
    const firing = hooks.fire("PreToolUse", CALL);
    firing.then(settle, settle);
    await until(() => (marked?.alive().length ?? 0) > 0);
    await sleep(100);
    await hooks.close();
    expect(settled).toBe(true);
    await expect(firing).rejects.toMatchObject({ name: "AbortError", message: "the engine was closed" });
    const runs = await abortedRuns(hooks, firing);
    expect(runs.map(({ failure }) => failure?.kind)).toEqual(["abort", "abort"]);
    expect(await marked.gone()).toEqual([]);
  });

  it("a caller's timeout ends the hooks, however often memory is tidied up", async () => {
    const hooks = await scratch().engineFor("PreToolUse", [command("sleep 20")]);
    setFlagsFromString("--expose-gc");
    const tidying = setInterval(runInNewContext("gc") as () => void, 20);
    const firing = hooks.fire("PreToolUse", CALL, { signal: AbortSignal.timeout(300) });
    await expect(firing).rejects.toMatchObject({ name: "TimeoutError" });
    clearInterval(tidying);
  });

  it("may be called twice; afterwards an event is refused, not let through", async () => {
    const hooks = await scratch().engineFor("PreToolUse", [command("exit 2")]);
    await hooks.close();
    await hooks.close();
    const firing = hooks.fire("PreToolUse", CALL);
    await expect(firing).rejects.toThrow("the engine is closed");
    await expect(hooks.explain("PreToolUse", CALL)).rejects.toThrow("the engine is closed");
    await expect(firing).rejects.toBeInstanceOf(UsageError);
  });
});

describe("many at once", () => {
  it("30 events with 12 hooks each, one signal, no warning", async () => {
    const { stdout, stderr, code } = await startHost("many-events.mjs", ["30"]).finished;
    expect([stderr, code]).toEqual(["", 0]);
    expect(JSON.parse(stdout)).toEqual({ outcomes: 30, denied: 30, runs: 360 });
  });

  it("10 MB for 20 hooks", async () => {
    const entries = Array.from({ length: 20 }, (_, n) => command(`${fixture("count-stdin")} ${n}`));
    const hooks = await scratch().engineFor("PreToolUse", entries, { journal: false });
    const { runs } = await hooks.fire("PreToolUse", {
      tool_name: "Bash",
      tool_input: { text: "x".repeat(10 * 1024 * 1024) },
    });
    const counts = new Set(runs.map(({ stdout }) => stdout));
    expect(counts.size).toBe(1);
    expect(Number([...counts][0])).toBeGreaterThan(10 * 1024 * 1024);
  });
});
