import { afterEach, describe, expect, it } from "vitest";
import { block, type Mark, mark, run, sleep } from "./processes.ts";
import { fixture } from "./scratch.ts";

/*
 * How a hook's process ends: by itself, at the limit, by an abort. "Within" is design §7's limit + grace + 250 ms with
 * room for a busy machine.
 */

let marked: Mark;
const marking = () => {
  marked = mark();
  return marked;
};
afterEach(() => marked?.endAll());

const facts = { stdout: "", stderr: "", timedOut: false, truncated: false };

describe("a hook that ends by itself", () => {
  const rows: [name: string, command: string, expected: object][] = [
    ["exit 2", fixture("exit-2"), { ...facts, exitCode: 2, stderr: "not on my watch\n" }],
    ["silent exit 2", fixture("silent-exit-2"), { ...facts, exitCode: 2 }],
    ["exit 3", fixture("exit-3"), { ...facts, exitCode: 3, stderr: "something is off\n" }],
    ["no shebang", fixture("no-shebang"), { ...facts, exitCode: 0, stdout: "a shell ran me\n" }],
    ["not found", "belay-no-such-program 2>/dev/null", { ...facts, exitCode: 127 }],
    ["not executable", `${fixture("not-executable")} 2>/dev/null`, { ...facts, exitCode: 126 }],
    [
      "died by a signal",
      fixture("dies-by-signal"),
      {
        ...facts,
        signal: "SIGKILL",
        stdout: "last words\n",
        failure: { kind: "signal", detail: "killed by SIGKILL" },
      },
    ],
  ];
  it.each(rows)("%s", async (_name, command, expected) => {
    const { executionTime, ...rest } = await run(command);
    expect(rest).toEqual(expected);
    expect(executionTime).toBeGreaterThan(0);
  });
});

describe("a hook that could not start", () => {
  const rows: [name: string, options: object, detail: RegExp][] = [
    [
      "a working folder that is not there",
      { cwd: "/no/such/folder" },
      /folder .*\/no\/such\/folder.* not exist/,
    ],
    ["a NUL byte in the command", { command: "echo \0" }, /null byte/],
    ["a command longer than the system takes", { command: `: ${"x".repeat(3_000_000)}` }, /E2BIG/],
    ["an environment larger than the system takes", { env: { BIG: "x".repeat(3_000_000) } }, /E2BIG/],
  ];
  it.each(rows)("%s", async (_name, options, detail) => {
    const { executionTime: _time, failure, ...rest } = await run("true", options);
    expect(rest).toEqual(facts);
    expect(failure).toEqual({ kind: "start", detail: expect.stringMatching(detail) });
  });
});

describe("at the limit the whole group is ended", () => {
  const rows: [name: string, killedBy: string][] = [
    ["hang", "SIGTERM"],
    ["ignore-term", "SIGKILL"],
    ["stops-itself", "SIGKILL"],
    ["fork-and-hang", "SIGTERM"],
    ["orphan-and-hang", "SIGTERM"],
    ["flood-forever", "SIGTERM"],
  ];
  it.each(rows)("%s", async (name, killedBy) => {
    const { env, gone } = marking();
    const result = await run(fixture(name), { env, timeoutMs: 300 });
    expect(result.executionTime).toBeGreaterThanOrEqual(300);
    expect(result.executionTime).toBeLessThan(300 + 200 + 1000);
    expect(result).toMatchObject({
      timedOut: true,
      signal: killedBy,
      failure: { kind: "timeout", detail: "no exit within 0.3 s; its group was ended" },
    });
    expect(result).not.toHaveProperty("exitCode");
    expect(await gone()).toEqual([]);
  });

  it("keeps what it had printed, and the exit code of one that still gave one", async () => {
    const { env, gone } = marking();
    const [printed, trapped] = await Promise.all([
      run(fixture("print-then-hang"), { env, timeoutMs: 300 }),
      run(fixture("trap-and-exit-2"), { env, timeoutMs: 300 }),
    ]);
    expect(printed.stdout).toContain('"permissionDecision":"deny"');
    expect(trapped).toMatchObject({ exitCode: 2, timedOut: true, stderr: "ended before I was done\n" });
    expect(await gone()).toEqual([]);
  });

  it("has a grace of its own", async () => {
    const { env } = marking();
    const at = (graceMs: number) => run(fixture("ignore-term"), { env, timeoutMs: 200, graceMs });
    const [quick, patient] = await Promise.all([at(0), at(900)]);
    expect(quick.executionTime).toBeLessThan(200 + 700);
    expect(patient.executionTime).toBeGreaterThanOrEqual(200 + 900);
  });

  it("does not wait for a child that left the group, and cannot reach it", async () => {
    const { env, alive, gone } = marking();
    const result = await run(fixture("setsid-escape", "1"), { env, timeoutMs: 300 });
    expect(result.executionTime).toBeLessThan(300 + 200 + 1000);
    expect(alive().length).toBeLessThanOrEqual(1);
    expect(await gone(3000)).toEqual([]);
  });

  it("counts an exit that happened while the host was busy", async () => {
    const running = run("sleep 0.05; echo done; exit 2", { timeoutMs: 200 });
    await sleep(10);
    await block(600);
    expect(await running).toMatchObject({ exitCode: 2, stdout: "done\n", timedOut: false });
  });
});

describe("an abort", () => {
  it("ends the whole group and is told as such", async () => {
    const { env, gone } = marking();
    const controller = new AbortController();
    const running = run(fixture("fork-and-hang"), { env, signal: controller.signal });
    await sleep(150);
    controller.abort();
    expect(await running).toMatchObject({
      timedOut: false,
      failure: { kind: "abort", detail: "its group was ended" },
    });
    expect(await gone()).toEqual([]);
  });

  it("before the start counts too", async () => {
    const { env, gone } = marking();
    const result = await run(fixture("hang"), { env, signal: AbortSignal.abort() });
    expect(result.failure?.kind).toBe("abort");
    expect(await gone()).toEqual([]);
  });

  it("after the exit changes nothing", async () => {
    const controller = new AbortController();
    const result = await run("exit 2", { signal: controller.signal });
    controller.abort();
    expect(result).toMatchObject({ exitCode: 2, timedOut: false });
  });
});
