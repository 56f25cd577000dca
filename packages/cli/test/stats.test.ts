import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ERROR, histogram } from "../src/records/stats.ts";
import { width } from "../src/render/text.ts";
import { type Scratch, scratch } from "./cli.ts";
import { lineOf } from "./inspect/journal.ts";

describe("a histogram", () => {
  const exact = (values: readonly number[], share: number) =>
    [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] as number;

  it("knows quantiles within its error", () => {
    const values = fc.array(fc.double({ min: 0.001, max: 1e9, noNaN: true }), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(values, fc.constantFrom(0, 0.5, 0.95, 0.99, 1), (given, share) => {
        const counted = histogram();
        for (const value of given) counted.add(value);
        const truth = exact(given, share);
        expect(Math.abs(counted.quantile(share) - truth) / truth).toBeLessThanOrEqual(ERROR + 1e-9);
      }),
    );
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("takes %d for what it can count", (value) => {
    const counted = histogram();
    expect(counted.quantile(0.5)).toBe(0);
    counted.add(value);
    expect(counted.count).toBe(1);
    expect(Number.isFinite(counted.quantile(0.5))).toBe(true);
  });
});

interface Ran {
  readonly name: string;
  readonly ms: number;
  readonly exitCode?: number;
  readonly failure?: { kind: string; detail: string };
  readonly type?: string;
  readonly warm?: true;
  readonly after?: number;
  readonly source?: string;
}

function record(id: number, ran: readonly Ran[], more: object = {}) {
  const line = JSON.parse(lineOf({ id: `${id}` }));
  const [base] = line.hooks;
  const hooks = ran.map(({ name, ms, exitCode = 0, failure, type = "command", ...rest }) => ({
    ...base,
    name,
    source: `/hooks.json:${id + 3}`,
    run: { ...base.run, exitCode, stderr: "no", executionTime: ms, ...(failure && { failure }) },
    type,
    ...rest,
  }));
  return { ...line, time: new Date().toISOString(), hooks, ...more };
}

function withJournal(records: readonly object[]): Scratch & { journal: string } {
  const room = scratch();
  const journal = join(room.project, "journal");
  mkdirSync(journal);
  writeFileSync(
    join(journal, "2026-01-01.jsonl"),
    records.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  return { ...room, journal };
}

const JOURNAL = [
  record(0, [
    { name: "guard", ms: 40, exitCode: 2 },
    { name: "lint", ms: 100 },
  ]),
  record(1, [
    { name: "guard", ms: 60 },
    { name: "lint", ms: 20 },
  ]),
  record(2, [
    { name: "guard", ms: 40 },
    { name: "kept", ms: 1, warm: true },
  ]),
  // One after another: both were waited for.
  record(3, [
    { name: "guard", ms: 50 },
    { name: "lint", ms: 50, after: 50 },
  ]),
  record(4, [
    { name: "lint", ms: 1, failure: { kind: "timeout", detail: "" } },
    { name: "page", ms: 10, type: "http" },
  ]),
  record(5, [{ name: "page", ms: 1000, type: "http" }], { time: "2020-01-01T00:00:00.000Z" }),
  record(6, [{ name: "x", ms: 5 }], { event: "BeforeTheFlood" }),
  record(7, [{ name: "x", ms: 5, failure: { kind: "eclipse", detail: "" } }]),
];

describe("belay stats", () => {
  it("counts runs, faults and denies, and what was waited for", async () => {
    const room = withJournal(JOURNAL);
    const { code, stdout, stderr } = await room.belay(["stats", room.journal, "--since", "7d", "--json"]);
    expect([code, stderr]).toEqual([
      0,
      "belay: left out 2 records of an event, a dialect, a decision or a failure that is not known here\n",
    ]);
    const near = (value: number) => expect.closeTo(value, Math.max(0, 1 - Math.log10(value)));
    const file = "/hooks.json";
    expect(JSON.parse(stdout)).toMatchObject({
      events: 5,
      waited: 310,
      hooks: [
        { hook: "guard", file, runs: 4, faults: 0, denies: 1, waited: 150, share: 150 / 310, starting: 160 },
        { hook: "lint", file, runs: 4, faults: 1, denies: 0, waited: 150, share: 150 / 310, starting: 60 },
        { hook: "page", file, runs: 1, faults: 0, denies: 0, p50: near(10), p99: near(10), waited: 10 },
        { hook: "kept", file, runs: 1, faults: 0, denies: 0, waited: 0, share: 0 },
      ],
      warmFirst: { hook: "guard" },
    });
  });

  it("shows a table, and the hook to make warm first", async () => {
    const room = withJournal(JOURNAL);
    const { stdout } = await room.belay(["stats", room.journal, "--since", "7d"], {
      env: { COLUMNS: "100" },
    });
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replaceAll(/ +/g, " "));
    expect(lines).toEqual([
      "hook runs faults failed denies p50 p95 p99 waited",
      "guard 4 – – 1 40 ms 60 ms 60 ms 48 %",
      "lint 4 1 – – 20 ms 100 ms 100 ms 48 %",
      "page 1 – – – 10 ms 10 ms 10 ms 3 %",
      "kept 1 – – – 1 ms 1 ms 1 ms 0 %",
      "",
      "5 events, which waited 310 ms for hooks",
      'make warm first: guard; it answered 4 times, and starting its process took up to 160 ms ("warm":',
      "true in its entry, and a script that answers line by line)",
    ]);
  });

  it("advises no field for a file of an agent that does not read it", async () => {
    const [foreign, own] = ["/p/.claude/settings.json:3", "/p/.belay/settings.json:3"];
    const ran = { name: "guard", ms: 90, source: foreign };
    const firstOf = async (hooks: readonly Ran[]) => {
      const room = withJournal([record(0, hooks)]);
      const { stdout } = await room.belay(["stats", room.journal, "--json"]);
      return (JSON.parse(stdout) as { warmFirst?: { hook: string } }).warmFirst?.hook;
    };
    expect(await firstOf([ran])).toBeUndefined();
    expect(await firstOf([ran, { name: "lint", ms: 5, source: own }])).toBe("lint");
    expect(await firstOf([{ ...ran, source: own }])).toBe("guard");
  });

  it.each([
    [80, "hook runs faults failed denies p50 p95 p99 waited"],
    [60, "hook runs faults failed denies p95 waited"],
    [50, "hook runs faults failed waited"],
    [40, "hook runs faults waited"],
    [30, "hook runs faults"],
  ])("in %i columns still says which hook is dead", async (columns, titles) => {
    const room = withJournal([record(0, [{ name: "x".repeat(16), ms: 1 }])]);
    const { stdout } = await room.belay(["stats", room.journal], { env: { COLUMNS: String(columns) } });
    expect(stdout.split("\n")[0]?.replaceAll(/ +/g, " ")).toBe(titles);
  });

  it("fits in any number of columns", async () => {
    const room = withJournal(JOURNAL);
    for (const columns of [100, 60, 40, 20, 5]) {
      const { stdout } = await room.belay(["stats", room.journal], { env: { COLUMNS: String(columns) } });
      for (const line of stdout.split("\n")) expect(width(line)).toBeLessThanOrEqual(columns);
    }
  });

  it("counts what the engine records", async () => {
    const room = scratch();
    const hooks = [
      { type: "command", name: "one", command: "true" },
      { type: "command", name: "two", command: "exit 2" },
    ];
    const config = room.config({ Stop: [{ sequential: true, hooks }] });
    await room.belay(["run", "Stop", "--config", config, "--json"]);
    expect(readdirSync(join(room.home, ".belay/journal"))).toHaveLength(1);
    const { stdout } = await room.belay(["stats", "--json"]);
    const found = JSON.parse(stdout) as {
      waited: number;
      hooks: { hook: string; waited: number; share: number }[];
    };
    expect(found.hooks.map(({ hook }) => hook).sort()).toEqual(["one", "two"]);
    expect(found.hooks.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(found.waited).toBeCloseTo(found.hooks.reduce((sum, { waited }) => sum + waited, 0));
  });

  it("counts a hook that failed, also where its script is gone and its interpreter exits with 2, and no fault", async () => {
    const room = scratch();
    const hook = (name: string, line: string) => ({ type: "command", name, command: line });
    const config = room.config({
      Stop: [{ hooks: [hook("crashes", "exit 1"), hook("gone", "sh gone.sh")] }],
    });
    await room.belay(["run", "Stop", "--config", config]);
    const { stdout } = await room.belay(["stats", "--json"]);
    expect(JSON.parse(stdout).hooks).toMatchObject(Array(2).fill({ runs: 1, faults: 0, failed: 1 }));
  });

  it("has a word for a project without runs", async () => {
    const room = withJournal([record(0, []), record(1, [], { event: "Stop", payload: {} })]);
    const { code, stdout } = await room.belay(["stats", room.journal], { env: { COLUMNS: "1000" } });
    expect([code, stdout]).toEqual([
      0,
      `of 2 events in ${room.journal} none ran a hook. Next, to see why:\n  belay why Stop\n`,
    ]);
  });

  it("counts nothing where no record is known, and says so", async () => {
    const room = withJournal([record(0, [], { event: "BeforeTheFlood" })]);
    const { code, stdout, stderr } = await room.belay(["stats", room.journal]);
    expect([code, stdout, stderr]).toEqual([0, "", expect.stringMatching(/^belay: left out 1 record of/)]);
  });

  it("names a hook without a name by what it runs, and by its place where two run the same", async () => {
    const room = scratch();
    room.file("a-guard-with-a-long-name.sh", "#!/bin/sh\nexit 0\n", 0o755);
    const hooks = [{ hooks: [{ type: "command", command: "./a-guard-with-a-long-name.sh --strict" }] }];
    const config = room.config({ PreToolUse: hooks, PostToolUse: hooks });
    const named = async (COLUMNS?: string) =>
      (await room.belay(["stats"], { env: { COLUMNS } })).stdout
        .split("\n")
        .filter((line) => line.startsWith("a-guard"))
        .map((line) => line.split("  ")[0] ?? "")
        .sort();
    await room.belay(["run", "PreToolUse", "--config", config, "--json"]);
    const name = "a-guard-with-a-long-name.sh --strict";
    expect(await named()).toEqual([name]);
    await room.belay(["run", "PostToolUse", "--config", config, "--json"]);
    expect(await named()).toEqual([`${name} (PostToolUse[0.0])`, `${name} (PreToolUse[0.0])`]);
    for (const short of await named("60")) expect(width(short)).toBeLessThan(60);
  });
});
