import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { threadCpuMs } from "../src/process/thread-cpu.ts";
import { sleep, startHost } from "./processes.ts";
import { CALL, codes, scratch } from "./scratch.ts";

const RUNAWAY = "(?=a)(a+)+$";
const NAME = `${"a".repeat(60)}!`;
const RUNAWAYS = ["(a+)+$", "(a|a)*$", "(.*a){12}$", "^(([a-z])+.)+[A-Z]([a-z])+$"];

it.each(RUNAWAYS)("%s behind a lookahead ends soon, and counts as a match", async (pattern) => {
  const { engine, write } = scratch();
  const hooks = [{ type: "command", command: "true", name: "guard" }];
  const file = write("hooks.json", { hooks: { PreToolUse: [{ matcher: `(?=a)${pattern}`, hooks }] } });
  const { explain } = await engine({ configFiles: [file] });
  const { matches } = await explain("PreToolUse", { tool_name: NAME, tool_input: {} });
  expect(matches.map(({ fires, explanation }) => [fires, explanation])).toEqual([
    [true, `"(?=a)${pattern}" took too long on tool_name "${NAME}", which counts as a match`],
  ]);
});

it("says each time that a matcher was given up, with the hook that ran for it", async () => {
  const { engine, write } = scratch();
  const file = write("hooks.json", { hooks: { PreToolUse: [group(RUNAWAY, "guard")] } });
  const { fire } = await engine({ configFiles: [file] });
  const saidOf = async (tool_name: string) => {
    const { diagnostics, runs } = await fire("PreToolUse", { tool_name, tool_input: {} });
    const said = diagnostics.filter(({ code }) => code === "matcher-gave-up");
    return { runs: runs.length, said: said.map(({ message, hook }) => [hook, message]) };
  };
  const message = `the matcher "${RUNAWAY}" took too long and was given up, which counts as a match: guard ran`;
  const given = { runs: 1, said: [["guard", message]] };
  expect(await saidOf(NAME)).toEqual(given);
  expect(await saidOf("aa")).toEqual({ runs: 1, said: [] });
  expect(await saidOf("Bash")).toEqual({ runs: 0, said: [] });
  expect(await saidOf(NAME)).toEqual(given);
});

it.each([
  ["(?<!Un)Safe$", `mcp__${"server".repeat(20)}__Safe`, "Bash"],
  ["^(?!Bash$)", `Bash${"-".repeat(100)}`, "Bash"],
  ["^(?!.*Safe$)", `mcp__${"server".repeat(20)}__Write`, `mcp__${"server".repeat(20)}__Safe`],
])("%s is tested on the whole of a long name", async (matcher, yes, no) => {
  const { engine, write } = scratch();
  const file = write("hooks.json", { hooks: { PreToolUse: [group(matcher, "guard")] } });
  const { fire } = await engine({ configFiles: [file] });
  const firedFor = async (tool_name: string) => {
    const outcome = await fire("PreToolUse", { tool_name, tool_input: {} });
    return [outcome.runs.length, codes(outcome)];
  };
  expect([await firedFor(yes), await firedFor(no)]).toEqual([
    [1, []],
    [0, []],
  ]);
});

/** Each of them another pattern. */
const group = (matcher: string, name: string) => ({
  matcher,
  hooks: [{ type: "command", command: "true", name }],
});
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => group(`${RUNAWAY}|never${n}`, `runaway ${n}`));

it("very many of them have a time together, and those behind it count as matches", async () => {
  const { engine, write } = scratch();
  const file = write("hooks.json", { hooks: { PreToolUse: [...many(60), group("(?!x)never", "last")] } });
  const { explain } = await engine({ configFiles: [file] });
  const { matches } = await explain("PreToolUse", { tool_name: NAME, tool_input: {} });
  // "last" does not match by itself: the time of all of them was over.
  expect(matches.every(({ fires, because }) => fires || because === "duplicate")).toBe(true);
  const next = await explain("PreToolUse", CALL);
  expect(next.matches.map(({ fires }) => fires)).toEqual(next.matches.map(() => false));
});

it("those of hooks that are not trusted do not take the time of the others", async () => {
  const { engine, write, trustAll } = scratch();
  const mine = { hooks: { PreToolUse: [group("(?!x)never", "mine")] } };
  write("project/.belay/settings.json", mine);
  await trustAll();
  write("project/.belay/settings.json", { hooks: { PreToolUse: [...many(200), ...mine.hooks.PreToolUse] } });
  const hooks = await engine();
  const fired: [string[], number][] = [];
  for (let time = 0; time < 2; time += 1) {
    const outcome = await hooks.fire("PreToolUse", { tool_name: NAME, tool_input: {} });
    fired.push([codes(outcome), outcome.runs.length]);
  }
  expect(fired).toEqual([
    [["hook-untrusted", "hook-skipped"], 0],
    [["hook-skipped"], 0],
  ]);
});

it("what a busy machine does meanwhile is not the time of a pattern", async () => {
  const { write } = scratch();
  const groups = Array.from({ length: 50 }, (_, n) => group(`(?!x)never${n}`, `hook ${n}`));
  const host = startHost("matches.mjs", [write("hooks.json", { hooks: { PreToolUse: groups } })]);
  expect(await host.printed("asking")).toBe(true);
  for (let time = 0; time < 20; time += 1) {
    host.kill("SIGSTOP");
    await sleep(80);
    host.kill("SIGCONT");
    await sleep(20);
  }
  host.kill("SIGTERM");
  expect(await host.finished).toMatchObject({ code: 0, stdout: "asking\n0 fired\n" });
});

it("counts what this thread does, and nothing of what another one of the process does", async () => {
  const before = { thread: threadCpuMs(), process: process.cpuUsage() };
  const other = new Worker("for (const from = process.cpuUsage(); process.cpuUsage(from).user < 4e5; );", {
    eval: true,
  });
  await once(other, "exit");
  const { user } = process.cpuUsage(before.process);
  const used = threadCpuMs() - before.thread;
  expect(used * 2).toBeLessThan(user / 1000);
  for (const from = threadCpuMs(); threadCpuMs() - from < 50; );
});
