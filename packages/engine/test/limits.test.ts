import { DEFAULT_LIMITS, type HookStep, type Limits, UsageError } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { completeLimits } from "../src/options.ts";
import { abortedRuns } from "./journals.ts";
import { CALL, says, scratch } from "./scratch.ts";

const sleeper = (name: string) => ({ type: "command", command: "sleep 30", name });

it("an aborted event does not wait for its turn behind another", { timeout: 20_000 }, async () => {
  const room = scratch();
  const hooks = await room.engineFor("PreToolUse", [sleeper("one")], { limits: { maxParallel: 1 } });
  const first = new AbortController();
  const running = hooks.fire("PreToolUse", CALL, { signal: first.signal });
  const second = new AbortController();
  const waiting = hooks.fire("PreToolUse", CALL, { signal: second.signal });
  setTimeout(() => second.abort(), 100);
  expect(await abortedRuns(hooks, waiting)).toMatchObject([{ failure: { detail: "it was not started" } }]);
  first.abort();
  await expect(running).rejects.toMatchObject({ name: "AbortError" });
});

it("an abort in the queue gives no place away and takes none", { timeout: 20_000 }, async () => {
  const room = scratch();
  const hooks = await room.engineFor("PreToolUse", [{ type: "command", command: "sleep 0.3" }], {
    limits: { maxParallel: 1 },
  });
  const gone = AbortSignal.timeout(50);
  const fire = (signal?: AbortSignal) => hooks.fire("PreToolUse", CALL, signal ? { signal } : {});
  const outcomes = await Promise.allSettled([fire(), fire(gone), fire(), fire()]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
});

describe("without limits of the caller's", () => {
  it("the defaults are those that the design promises", () => {
    expect(DEFAULT_LIMITS).toEqual({
      outputCap: 102_400,
      killGraceMs: 200,
      maxParallel: 64,
      moduleStartMs: 10_000,
      warmIdleMs: 300_000,
      stopCap: 8,
      journalBytes: 64 * 1024 * 1024,
      journalDays: 30,
    });
  });

  it("64 hooks run at once, and not one more", async () => {
    let running = 0;
    let highest = 0;
    const onHook = ({ phase }: HookStep) => {
      running += phase === "start" ? 1 : -1;
      highest = Math.max(highest, running);
    };
    const many = Array.from({ length: 100 }, (_, n) => says(`hook ${n}`));
    const hooks = await scratch().engineFor("PreToolUse", many, { onHook });
    const { runs } = await hooks.fire("PreToolUse", CALL);
    expect({ ran: runs.length, highest }).toEqual({ ran: 100, highest: 64 });
  });

  const lateWords: [given: string, limits: Partial<Limits>, seconds: number, said: string][] = [
    ["the default", {}, 4, ""],
    ["a minute", { killGraceMs: 60_000 }, 0.5, "late\n"],
  ];
  it.each(lateWords)("a hook is killed some time after TERM: %s", async (_given, limits, seconds, late) => {
    const command = `trap 'sleep ${seconds}; echo late; exit 0' TERM; sleep 30 & wait`;
    const entry = { type: "command", command, timeout: 1 };
    const hooks = await scratch().engineFor("PreToolUse", [entry], { limits });
    const { runs } = await hooks.fire("PreToolUse", CALL);
    expect(runs.map(({ timedOut, stdout }) => [timedOut, stdout])).toEqual([[true, late]]);
  });
});

describe("a limit that is no limit", () => {
  const names: (keyof Limits)[] = [
    "outputCap",
    "killGraceMs",
    "maxParallel",
    "moduleStartMs",
    "warmIdleMs",
    "stopCap",
  ];
  const bad: unknown[] = [Number.NaN, -1, "5", null, true, {}];
  const rows = [
    ...names.flatMap((name) => bad.map((value): [string, unknown] => [name, value])),
    ["maxParallel", 0],
    ["killGraceMs", Number.POSITIVE_INFINITY],
    ["moduleStartMs", 2 ** 31],
  ] as [string, unknown][];
  it.each(rows)("%s: %s is refused by its name", async (name, value) => {
    const making = scratch().engine({ limits: { [name]: value } });
    await expect(making).rejects.toThrow(UsageError);
    await expect(making).rejects.toThrow(`limits.${name} must be `);
  });

  it.each(names)("%s: undefined is the default", (name) => {
    expect(completeLimits({ [name]: undefined } as unknown as Partial<Limits>)).toEqual(DEFAULT_LIMITS);
  });
});
