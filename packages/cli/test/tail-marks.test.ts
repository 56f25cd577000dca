import { describe, expect, it } from "vitest";
import { rowOf } from "../src/inspect/timeline.ts";
import { width } from "../src/render/text.ts";
import { scratch } from "./cli.ts";
import { journal, lineOf } from "./inspect/journal.ts";

const rewrites = (event: string, more: object) => ({
  type: "json",
  name: "rewrites",
  json: { hookSpecificOutput: { hookEventName: event, ...more } },
});

const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.replaceAll(/ {2,}/g, "  ").replace(/^[\d:]{8} {2}/, ""));

describe("belay tail", () => {
  it("marks a rewrite, and a hook that is not trusted", async () => {
    const room = scratch();
    const input = { permissionDecision: "allow", updatedInput: { command: "ls" } };
    const config = room.config({ PreToolUse: [{ hooks: [rewrites("PreToolUse", input)] }] });
    await room.belay(["run", "PreToolUse", "--config", config, "--json"]);
    room.file(
      ".belay/settings.json",
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "exit 2" }] }] } }),
    );
    await room.belay(["run", "PreToolUse", "--json"]);
    await room.belay(["run", "Stop", "--config", config, "--json"]);
    const { stdout } = await room.belay(["tail"], { env: { COLUMNS: undefined } });
    expect(lines(stdout)).toEqual([
      expect.stringMatching(/^PreToolUse {2}Bash {2}npm test {2}allow \(input rewritten\) {2}rewrites/),
      "PreToolUse  Bash  npm test  go on (hook not trusted)  no hook",
      "Stop  The parser now has a test.  go on  no hook",
    ]);
  });

  it("marks an event that was aborted, and every one of a session whose hooks are not trusted, in older records the one with the notice", async () => {
    const room = scratch();
    const of = (id: string, event: string) => JSON.parse(lineOf({ id, event }));
    const notice = { code: "hook-untrusted", severity: "warning", message: "", fix: "" };
    const told = (record: { outcome: object }) => ({
      ...record,
      outcome: { ...record.outcome, diagnostics: [notice] },
    });
    const records = [
      told(of("a", "PreToolUse")),
      of("b", "PreToolUse"),
      told({ ...of("c", "SessionStart"), untrusted: 0 }),
      { ...of("d", "PreToolUse"), untrusted: 2 },
      { ...of("e", "PreToolUse"), untrusted: 1 },
      { ...of("f", "PreToolUse"), aborted: true },
    ];
    journal(
      room,
      records.map((record) => `${JSON.stringify(record)}\n`),
    );
    const { stdout } = await room.belay(["tail"], { env: { COLUMNS: undefined } });
    const marked = [true, false, false, true, true, false];
    expect(lines(stdout).map((line) => line.includes("hook not trusted"))).toEqual(marked);
    expect(lines(stdout).at(-1)).toContain("go on (aborted)");
    const onPage = [["untrusted"], [], [], ["untrusted"], ["untrusted"], ["aborted"]];
    expect(records.map((record) => rowOf("", record).marks)).toEqual(onPage);
  });

  it("marks hooks that gave no answer, and says why; the page counts the same", async () => {
    const room = scratch();
    const exits = (name: string, text: string) => ({ type: "command", name, command: text });
    const crashes = exits(
      "crashes",
      "printf 'Traceback (most recent call last):\\n  line 3\\nKeyError: tool\\n' >&2; exit 1",
    );
    const ROWS: [hooks: object[], line: RegExp, failed: number][] = [
      [[crashes], /go on \(! failed\) {2}crashes {2}\S+ m?s {2}exited with 1: KeyError: tool$/, 1],
      [[{ ...crashes, onFailure: "block" }], /deny \(! failed\).*block\): exited with 1: KeyError: tool$/, 1],
      [[exits("gone", "no-such-program-here")], /go on \(! failed\) {2}gone {2}.*not found/, 1],
      [[crashes, exits("fine", "true")], /go on \(! 1 of 2 failed\) {2}2 hooks {2}.*KeyError: tool$/, 1],
      [[crashes, exits("no", "echo never >&2; exit 2")], /deny \(! 1 of 2 failed\) {2}no {2}.* {2}never$/, 1],
      [[exits("fine", "true")], /npm test {2}go on {2}fine {2}\S+ m?s$/, 0],
      [[exits("no", "echo never >&2; exit 2")], /deny {2}no {2}\S+ m?s {2}never$/, 0],
    ];
    for (const [index, [hooks]] of ROWS.entries()) {
      const config = room.config({ PreToolUse: [{ hooks }] }, `hooks-${index}.json`);
      await room.belay(["run", "PreToolUse", "--config", config]);
    }
    const { stdout } = await room.belay(["tail"], { env: { COLUMNS: undefined } });
    expect(lines(stdout)).toEqual(ROWS.map(([, line]) => expect.stringMatching(line)));
    const records = (await room.belay(["tail", "--json"])).stdout.trim().split("\n");
    expect(records.map((record) => rowOf("", JSON.parse(record)).failed)).toEqual(
      ROWS.map(([, , failed]) => failed),
    );
  });

  it("marks a row where room is short without taking the tool, the hook or the reason of the others", async () => {
    const room = scratch();
    const no = { type: "command", name: "guard.sh", command: "echo never >&2; exit 2" };
    const crashes = { type: "command", name: "crashes", command: "exit 1" };
    const config = room.config({ PreToolUse: [{ hooks: [no] }], Stop: [{ hooks: [crashes] }] });
    for (const event of ["PreToolUse", "Stop"]) await room.belay(["run", event, "--config", config]);
    const hooks = { PreToolUse: [{ hooks: [no] }] };
    room.file(".belay/settings.json", JSON.stringify({ hooks }));
    await room.belay(["run", "PreToolUse"]);
    const shown = async (columns: string) => {
      const { stdout } = await room.belay(["tail"], { env: { COLUMNS: columns } });
      for (const line of stdout.split("\n")) expect(width(line)).toBeLessThanOrEqual(Number(columns));
      return lines(stdout).map((line) => line.replace(/(?:<1|\d+) ms/, "N ms"));
    };
    expect(await shown("62")).toEqual([
      "PreToolUse  Bash  deny  guard.sh  N ms",
      "Stop  go on (! failed)  crashes",
      "PreToolUse  Bash  go on (hook not trusted)  no hook",
    ]);
    expect(await shown("68")).toEqual([
      "PreToolUse  Bash  deny  guard.sh  N ms  never",
      "Stop  go on (! failed)  crashes  exited with 1",
      "PreToolUse  Bash  go on (hook not trusted)  no hook",
    ]);
    expect(await shown("44")).toEqual([
      "PreToolUse  Bash  deny  guard.sh  N ms",
      "Stop  go on (! failed)  crashes",
      "PreToolUse  Bash  go on (hook not trusted)",
    ]);
  });

  it.each([
    [80, "2026-11-15", "mcp__github__create_pull_request_review_comment"],
    [60, "2026-11-15", "Bash"],
    [44, "2026-11-15", "Bash"],
    [40, "", "mcp__github__create_pull_request_review_comment"],
  ])("cuts no mark in %i columns with the day %j for the tool %s", async (columns, day, tool) => {
    const room = scratch();
    const of = (id: string, about: string) => ({
      ...JSON.parse(lineOf({ id, tool: about })),
      ...(day === "" && { time: new Date().toISOString() }),
    });
    const records = [
      { ...of("a", tool), untrusted: 1 },
      { ...of("b", "Bash"), untrusted: 1 },
    ];
    journal(
      room,
      records.map((record) => `${JSON.stringify(record)}\n`),
    );
    const { stdout } = await room.belay(["tail"], { env: { COLUMNS: String(columns) } });
    for (const line of stdout.trimEnd().split("\n")) {
      expect(width(line)).toBeLessThanOrEqual(columns);
      expect(line).toContain("go on (hook not trusted)");
      expect(line).toMatch(/Bash|mcp|mc…/);
    }
  });

  it("shows a failure of a kind that a later version knows, and all others beside it", async () => {
    const room = scratch();
    const failure = '"failure":{"kind":"eclipse","detail":"the sun went out"}';
    journal(room, [lineOf({ id: "a" }).replace('"exitCode":0', failure), lineOf({ id: "b" })]);
    const { code, stdout, stderr } = await room.belay(["tail"], { env: { COLUMNS: undefined } });
    expect([code, stderr, lines(stdout)]).toEqual([
      0,
      "",
      [
        expect.stringMatching(/go on \(! failed\) {2}guard {2}.*the sun went out$/),
        expect.stringMatching(/go on {2}guard {2}/),
      ],
    ]);
    const replayed = await room.belay(["replay"], { env: { COLUMNS: undefined } });
    expect([replayed.code, replayed.stdout]).toEqual([
      0,
      expect.stringContaining("1 event decided anew: all as recorded\n1 more cannot be compared: "),
    ]);
  });

  it.each(["__proto__", "constructor", "toString"])("shows a decision that is called %s", async (kind) => {
    const room = scratch();
    journal(room, [lineOf({ id: "a", decision: kind }), lineOf({ id: "b" })]);
    const { code, stdout, stderr } = await room.belay(["tail"], { env: { COLUMNS: undefined } });
    expect([code, stderr, lines(stdout).map((line) => line.split("  ")[4])]).toEqual([
      0,
      "",
      [kind, "go on"],
    ]);
  });

  it("leaves out where a hook without a name is configured: its event has a column", async () => {
    const room = scratch();
    const config = room.config({
      PreToolUse: [{ hooks: [{ type: "command", command: "./rewrite-it.sh" }] }],
    });
    room.file("rewrite-it.sh", "#!/bin/sh\nexit 2\n", 0o755);
    await room.belay(["run", "PreToolUse", "--config", config, "--json"]);
    const { stdout } = await room.belay(["tail"], { env: { COLUMNS: "60" } });
    expect(lines(stdout)[0]).toMatch(/^PreToolUse {2}Bash {2}deny {2}rewrite-it\.sh {2}/);
  });
});

describe("belay stats", () => {
  const hooks = (event: string) => ({
    [event]: [{ hooks: [{ type: "command", command: "./a-guard-with-a-long-name.sh --strict" }] }],
  });

  it("names a hook without a name by what it runs, and by its place where two run the same", async () => {
    const room = scratch();
    room.file("a-guard-with-a-long-name.sh", "#!/bin/sh\nexit 0\n", 0o755);
    const config = room.config({ ...hooks("PreToolUse"), ...hooks("PostToolUse") });
    const named = async (columns?: string) =>
      lines((await room.belay(["stats"], { env: { COLUMNS: columns } })).stdout)
        .filter((line) => line.startsWith("a-guard"))
        .map((line) => line.split("  ")[0])
        .sort();
    await room.belay(["run", "PreToolUse", "--config", config, "--json"]);
    const name = "a-guard-with-a-long-name.sh --strict";
    expect(await named()).toEqual([name]);
    await room.belay(["run", "PostToolUse", "--config", config, "--json"]);
    expect(await named()).toEqual([`${name} (PostToolUse[0.0])`, `${name} (PreToolUse[0.0])`]);
    for (const short of await named("60")) expect(width(short as string)).toBeLessThan(60);
  });
});
