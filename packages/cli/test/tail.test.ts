import { appendFileSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord } from "@belay/core";
import { describe, expect, it } from "vitest";
import { rowOf } from "../src/inspect/timeline.ts";
import { width } from "../src/render/text.ts";
import { background, type Scratch, scratch } from "./cli.ts";
import { journal, lineOf } from "./inspect/journal.ts";
import { record } from "./recorded.ts";

const GUARD = {
  PreToolUse: [
    {
      matcher: "Bash",
      hooks: [{ type: "command", name: "guard", command: "echo not on a Friday >&2; exit 2" }],
    },
    { matcher: "Write", hooks: [{ type: "command", name: "日本語の番人", command: "true" }] },
  ],
};

async function withEvents(): Promise<Scratch & { journal: string }> {
  const room = scratch();
  await record(room, "PreToolUse", GUARD);
  await record(room, "PreToolUse", GUARD, { tool: "Write" });
  await record(room, "Stop", GUARD);
  return { ...room, journal: inSevenMs(room.home) };
}

const lines = (text: string) => text.trimEnd().split("\n");
const squeezed = (text: string) =>
  lines(text).map((line) => line.replace(/^\d\d:\d\d:\d\d/, "HH:MM:SS").replaceAll(/ +/g, " "));

/** How long a hook took is the machine's: each run is recorded with 7 ms. */
function inSevenMs(home: string): string {
  const folder = join(home, ".belay/journal");
  const [project = ""] = readdirSync(folder);
  const [file = ""] = readdirSync(join(folder, project));
  const journal = join(folder, project, file);
  const text = readFileSync(journal, "utf8");
  writeFileSync(journal, text.replaceAll(/"executionTime":[\d.]+/g, '"executionTime":7'));
  return journal;
}

describe("belay tail", () => {
  it("shows a line per event, the newest last", async () => {
    const room = await withEvents();
    const { code, stdout, stderr } = await room.belay(["tail"], { env: { COLUMNS: "120" } });
    expect({ code, stderr, lines: squeezed(stdout) }).toEqual({
      code: 0,
      stderr: "",
      lines: [
        "HH:MM:SS PreToolUse Bash npm test deny guard 7 ms not on a Friday",
        "HH:MM:SS PreToolUse Write notes.txt content: hello ⏎ go on 日本語の番人 7 ms",
        "HH:MM:SS Stop The parser now has a test. go on no hook",
      ],
    });
  });

  it("keeps the call and the reason of a refusal in 80 columns, however long another's tool is called", async () => {
    const room = await withEvents();
    const tool = "mcp__github__create_pull_request_review_comment";
    await room.belay(["run", "PreToolUse", "--tool", tool, "--json"]);
    const { stdout } = await room.belay(["tail"], { env: { COLUMNS: "80" } });
    expect(squeezed(stdout)[0]).toMatch(/PreToolUse Bash npm test deny guard (7 ms )?not on a Friday$/);
    for (const line of lines(stdout)) expect(width(line)).toBeLessThanOrEqual(80);
  });

  it("fits in any number of columns", async () => {
    const room = await withEvents();
    for (const columns of [200, 80, 45, 20, 5, 1]) {
      const { stdout } = await room.belay(["tail"], { env: { COLUMNS: String(columns) } });
      expect(lines(stdout)).toHaveLength(3);
      for (const line of lines(stdout)) expect(width(line)).toBeLessThanOrEqual(columns);
    }
  });

  it("cuts no line where no terminal has a width", async () => {
    const room = await withEvents();
    const words = "not on a Friday ".repeat(8).trim();
    const config = room.config({
      Stop: [{ hooks: [{ type: "command", command: `echo ${words} >&2; exit 2` }] }],
    });
    await room.belay(["run", "Stop", "--config", config, "--json"]);
    const { stdout } = await room.belay(["tail", "-n", "1"], { env: { COLUMNS: undefined } });
    expect(stdout.trimEnd().endsWith(words)).toBe(true);
  });

  it("-n says how many, --json gives the records as they are", async () => {
    const room = await withEvents();
    const { stdout } = await room.belay(["tail", "-n", "2", "--json"]);
    const records = lines(stdout).map((line) => JSON.parse(line) as unknown);
    expect(records).toMatchObject([
      { version: 1, event: "PreToolUse", payload: { tool_name: "Write" }, hooks: [{ name: "日本語の番人" }] },
      { version: 1, event: "Stop", hooks: [] },
    ]);
  });

  it("-n all is every event", async () => {
    const room = await withEvents();
    const record = readFileSync(room.journal, "utf8");
    appendFileSync(room.journal, record.repeat(10));
    expect(lines((await room.belay(["tail"])).stdout)).toHaveLength(20);
    expect(lines((await room.belay(["tail", "-n", "all", "--json"])).stdout)).toHaveLength(33);
  });

  it("leaves out what is torn, and says so", async () => {
    const room = await withEvents();
    appendFileSync(room.journal, '{"version":1,"id":"7');
    const { code, stdout, stderr } = await room.belay(["tail", "-n", "1"]);
    expect({ code, lines: squeezed(stdout) }).toEqual({
      code: 0,
      lines: ["HH:MM:SS Stop The parser now has a test. go on no hook"],
    });
    expect(stderr).toMatch(
      /^belay: left out a line that was not written to its end: .*\.jsonl, at byte \d+\n$/,
    );
  });

  const FILTERS: Readonly<Record<string, string>> = {
    "--event Stop": "Stop",
    "--event Stop --event PreToolUse": "Bash Write Stop",
    "--hook GUARD": "Bash",
    "--hook 番人 --hook guard": "Bash Write",
    "--decision deny": "Bash",
    "--decision none": "Write Stop",
    "--decision none -n 1": "Stop",
    "--decision 'go on'": "Write Stop",
    "--decision 'go on' --decision deny": "Bash Write Stop",
    "--tool Write": "Write",
    "--tool wri": "Write",
    "--tool rite": "",
    "--tool Write --decision deny": "",
    "--since 1h": "Bash Write Stop",
    "--since 2026-01-31T09:00": "Bash Write Stop",
    "--since 9999-01-01": "",
  };
  it("shows only the events that are asked for", async () => {
    const room = await withEvents();
    for (const [line, shown] of Object.entries(FILTERS)) {
      const printed = await room.shell(`belay tail --json ${line}`);
      const records = printed === "" ? [] : lines(printed).map((text) => JSON.parse(text) as EventRecord);
      const names = records.map(({ event, payload }) => payload.tool_name ?? event);
      expect([line, names.join(" ")]).toEqual([line, shown]);
    }
  });

  it("shows no control characters of a record", async () => {
    const room = scratch();
    const config = room.config({
      PreToolUse: [
        {
          hooks: [
            { type: "command", name: "\u001b[31mred\u202e", command: "printf '\\033[2Jgone' >&2; exit 2" },
          ],
        },
      ],
    });
    await room.belay(["run", "PreToolUse", "--tool", "\u009b2J", "--config", config, "--json"]);
    for (const form of [[], ["--json"]]) {
      const { stdout } = await room.belay(["tail", ...form]);
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it("--decision fault shows events in which a hook had a fault, as the filter of the page does", async () => {
    const room = await withEvents();
    await record(room, "Stop", { Stop: [{ hooks: [{ type: "command", command: "kill -9 $$" }] }] });
    const shown = async (more: string) =>
      lines(await room.shell(`belay tail --json --decision fault ${more}`));
    expect(await shown("")).toEqual([expect.stringContaining('"kind":"signal"')]);
    expect(await shown("--decision deny")).toHaveLength(2);
  });

  const FOREIGN: readonly ((outcome: EventRecord["outcome"]) => object)[] = [
    (outcome) => ({ outcome: { ...outcome, decision: { kind: "\u001b[2Jwait" } } }),
    (outcome) => ({ outcome: { ...outcome, decision: {} } }),
    (outcome) => ({ outcome: { ...outcome, decision: { kind: "deny", reason: 7 } } }),
    (outcome) => ({ outcome: { ...outcome, diagnostics: undefined } }),
    (outcome) => ({ outcome: { ...outcome, messages: undefined } }),
    (outcome) => ({ outcome: { ...outcome, messages: [null, {}] } }),
    (outcome) => ({ extra: [null], outcome: { ...outcome, diagnostics: [null] } }),
  ];
  it("no command that reads a journal stumbles over a record of another version, or what is none", async () => {
    const room = await withEvents();
    const [first = ""] = readFileSync(room.journal, "utf8").split("\n");
    const known = JSON.parse(first) as EventRecord;
    for (const change of FOREIGN)
      appendFileSync(room.journal, `${JSON.stringify({ ...known, ...change(known.outcome) })}\n`);
    const config = room.config(GUARD);
    const fault = ["tail", "--decision", "fault", "--decision", "go on"];
    for (const args of [["tail"], fault, ["stats"], ["replay"], ["replay", "--rerun", "--config", config]]) {
      const { code, stdout, stderr } = await room.belay(args);
      expect([args, code, stderr.match(/is no record/g)?.length]).toEqual([args, 0, 2]);
      expect(stdout).not.toContain("\u001b");
    }
  });

  it.each([["tail"], ["tail", "-f"], ["stats"], ["replay"]])(
    "says what cannot be read: %s %s",
    async (...args) => {
      const room = await withEvents();
      rmSync(room.journal);
      symlinkSync(room.journal, room.journal);
      const { code, stdout, stderr } = await room.belay(args);
      expect([code, stdout, stderr]).toEqual([
        1,
        "",
        expect.stringMatching(/^belay: the journal cannot be read: ELOOP: .*; next: ls -l .*\.jsonl\n$/),
      ]);
    },
  );
});

const rewrites = (event: string, more: object) => ({
  type: "json",
  name: "rewrites",
  json: { hookSpecificOutput: { hookEventName: event, ...more } },
});

const cells = (text: string) =>
  lines(text).map((line) => line.replaceAll(/ {2,}/g, "  ").replace(/^[\d:]{8} {2}/, ""));

const asLines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`);

describe("a row of belay tail", () => {
  it("marks a rewrite, and a hook that is not trusted", async () => {
    const room = scratch();
    const input = { permissionDecision: "allow", updatedInput: { command: "ls" } };
    const config = room.config({ PreToolUse: [{ hooks: [rewrites("PreToolUse", input)] }] });
    await room.belay(["run", "PreToolUse", "--config", config, "--json"]);
    room.config(GUARD, ".belay/settings.json");
    await room.belay(["run", "PreToolUse", "--json"]);
    await room.belay(["run", "Stop", "--config", config, "--json"]);
    const { stdout } = await room.belay(["tail"], { env: { COLUMNS: undefined } });
    expect(cells(stdout)).toEqual([
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
    journal(room, asLines(records));
    const { stdout } = await room.belay(["tail"], { env: { COLUMNS: undefined } });
    const marked = [true, false, false, true, true, false];
    expect(cells(stdout).map((line) => line.includes("hook not trusted"))).toEqual(marked);
    expect(cells(stdout).at(-1)).toContain("go on (aborted)");
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
      [[{ type: "command", command: "true" }], /npm test {2}go on {2}true {2}\S+ m?s$/, 0],
      [[exits("fine", "true")], /npm test {2}go on {2}fine {2}\S+ m?s$/, 0],
      [[exits("no", "echo never >&2; exit 2")], /deny {2}no {2}\S+ m?s {2}never$/, 0],
    ];
    for (const [index, [hooks]] of ROWS.entries()) {
      const config = room.config({ PreToolUse: [{ hooks }] }, `hooks-${index}.json`);
      await room.belay(["run", "PreToolUse", "--config", config]);
    }
    const { stdout } = await room.belay(["tail"], { env: { COLUMNS: undefined } });
    expect(cells(stdout)).toEqual(ROWS.map(([, line]) => expect.stringMatching(line)));
    const onPage = lines((await room.belay(["tail", "--json"])).stdout).map((line) => JSON.parse(line));
    expect(onPage.map((record) => rowOf("", record).failed)).toEqual(ROWS.map(([, , failed]) => failed));
  });

  it("marks a row where room is short without taking the tool, the hook or the reason of the others", async () => {
    const room = scratch();
    const no = { type: "command", name: "guard.sh", command: "echo never >&2; exit 2" };
    const crashes = { type: "command", name: "crashes", command: "exit 1" };
    const config = room.config({ PreToolUse: [{ hooks: [no] }], Stop: [{ hooks: [crashes] }] });
    for (const event of ["PreToolUse", "Stop"]) await room.belay(["run", event, "--config", config]);
    room.config({ PreToolUse: [{ hooks: [no] }] }, ".belay/settings.json");
    await room.belay(["run", "PreToolUse"]);
    inSevenMs(room.home);
    const shown = async (columns: string) => {
      const { stdout } = await room.belay(["tail"], { env: { COLUMNS: columns } });
      for (const line of stdout.split("\n")) expect(width(line)).toBeLessThanOrEqual(Number(columns));
      return cells(stdout);
    };
    expect(await shown("62")).toEqual([
      "PreToolUse  Bash  npm test  deny  guard.sh",
      "Stop  The par…  go on (! failed)  crashes",
      "PreToolUse  Bash  npm test  go on (hook not trusted)  no hook",
    ]);
    expect(await shown("68")).toEqual([
      "PreToolUse  Bash  deny  guard.sh  never",
      "Stop  go on (! failed)  crashes  exited with 1",
      "PreToolUse  Bash  go on (hook not trusted)  no hook",
    ]);
    expect(await shown("80")).toEqual([
      "PreToolUse  Bash  npm test  deny  guard.sh  never",
      expect.stringMatching(/^Stop {2}The par.* {2}go on \(! failed\) {2}crashes {2}exited with 1$/),
      "PreToolUse  Bash  npm test  go on (hook not trusted)  no hook",
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
    journal(room, asLines(records));
    const { stdout } = await room.belay(["tail"], { env: { COLUMNS: String(columns) } });
    for (const line of lines(stdout)) {
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
    expect([code, stderr, cells(stdout)]).toEqual([
      0,
      "",
      [
        expect.stringMatching(/go on \(! failed\) {2}guard {2}.*the sun went out$/),
        expect.stringMatching(/go on {2}guard {2}/),
      ],
    ]);
    const replayed = await room.belay(["replay"], { env: { COLUMNS: undefined } });
    expect(replayed.stdout).toContain("1 event decided anew: all as recorded\n1 more cannot be compared: ");
    expect(replayed.code).toBe(0);
  });

  it("shows a decision that is called like a property of every object", async () => {
    const room = scratch();
    const kinds = ["__proto__", "constructor", "toString"];
    const lines = [...kinds, "none"].map((decision, index) => lineOf({ id: `${index}`, decision }));
    journal(room, lines);
    const { code, stdout, stderr } = await room.belay(["tail"], { env: { COLUMNS: undefined } });
    const shown = cells(stdout).map((line) => line.split("  ")[4]);
    expect([code, stderr, shown]).toEqual([0, "", [...kinds, "go on"]]);
  });
});

const watch = (room: Scratch, args: readonly string[] = []) => background(room, ["tail", "-f", ...args]);

describe("belay tail -f", () => {
  it("shows what was there, then each event as any process records it, until Ctrl-C", async () => {
    const room = scratch();
    const config = room.config(GUARD);
    const run = (...args: string[]) => room.belay(["run", ...args, "--config", config, "--json"]);
    await run("Stop");
    const tail = watch(room);
    await tail.shows(/Stop .* go on/);
    await Promise.all([run("PreToolUse", "--tool", "Bash"), run("PreToolUse", "--tool", "Write")]);
    await tail.shows(/Bash +npm test +deny +guard/);
    await tail.shows(/Write .* go on/);
    tail.child.kill("SIGINT");
    expect(await tail.ended).toBe(0);
    expect(tail.printed.stdout.trim().split("\n")).toHaveLength(3);
    expect(tail.printed.stderr).toBe("");
  });

  it("waits for a project's first event, shows only what is asked for, and says what is torn", async () => {
    const room = scratch();
    const config = room.config(GUARD);
    const run = (...args: string[]) => room.belay(["run", ...args, "--config", config, "--json"]);
    const tail = watch(room, ["--decision", "deny", "--json"]);
    await tail.shows(/^belay: nothing has been recorded yet in .*; waiting for events, until Ctrl-C\n$/);
    await run("Stop");
    const [project = ""] = readdirSync(join(room.home, ".belay/journal"));
    const folder = join(room.home, ".belay/journal", project);
    const [file = ""] = readdirSync(folder);
    appendFileSync(join(folder, file), '{"version":1,"id":"7');
    await run("PreToolUse", "--tool", "Bash");
    await tail.shows('"tool_name":"Bash"');
    await tail.shows("left out a line that was not written to its end");
    tail.child.kill("SIGTERM");
    expect(await tail.ended).toBe(0);
    expect(lines(tail.printed.stdout)).toEqual([expect.stringContaining('"event":"PreToolUse"')]);
  });

  it("ends when nobody reads any more", async () => {
    const room = scratch();
    await room.belay(["run", "Stop", "--json"]);
    const tail = watch(room);
    await tail.shows("Stop");
    tail.child.stdout.destroy();
    await room.belay(["run", "Stop", "--json"]);
    await room.belay(["run", "Stop", "--json"]);
    expect(await tail.ended).toBe(0);
    expect(tail.printed.stderr).toBe("");
  });
});
