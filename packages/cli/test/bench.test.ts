import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withHost } from "../../../bench/host.mjs";
import { inTurns, longestGap } from "../../../bench/measure.mjs";
import { measureRow } from "../../../bench/report.mjs";
import { recordLine } from "../../../bench/row-journal.mjs";
import { belay } from "../../../bench/row-replay.mjs";
import { svgOf } from "../../../bench/svg.mjs";
import { ROOT } from "./docs/pages.ts";

/* What the measurements are made of. Nothing here says how fast anything is. */

describe("the short form", () => {
  const row = "match + parse + decide + route, 1 KB of JSON";
  const rows = [
    [
      "fails when a ratio is worse",
      { ratio: 0.001 },
      { status: 1, said: /^WORSE {2}match.*\n\n1 worse by more than 1.5 ×/ },
    ],
    ["passes when it is not", { ratio: 1_000_000 }, { status: 0, said: /^ok {5}match/ }],
    [
      "fails for a row that has no baseline",
      {},
      { status: 1, said: /^NEW {4}match.*: not in the baseline\n[\s\S]*--write-baseline/ },
    ],
    [
      "fails for a baseline that has no row",
      { ratio: 1_000_000, more: { "old name, to this": 1 } },
      { status: 1, said: /^ok {5}match.*\nGONE {3}old name, to this: / },
    ],
  ] as const;
  it.each(rows)("%s", { timeout: 60_000 }, (_name, before, { status, said }) => {
    const folder = mkdtempSync(join(tmpdir(), "belay-bench-test-"));
    const baseline = join(folder, "baseline.json");
    const ratios = {
      ...("ratio" in before && { [`${row}, to JSON.parse of that 1 KB`]: before.ratio }),
      ...("more" in before && before.more),
    };
    writeFileSync(baseline, JSON.stringify({ ratios }));
    const run = spawnSync(process.execPath, ["bench/run.mjs", "--short", "--baseline", baseline, row], {
      cwd: ROOT,
      encoding: "utf8",
    });
    rmSync(folder, { recursive: true, force: true });
    expect({ status: run.status, stdout: run.stdout }, run.stderr).toEqual({
      status,
      stdout: expect.stringMatching(said),
    });
  });
});

it.each([
  { isWorst: false, ours: 2, met: true },
  { isWorst: true, ours: 300, met: false },
])("a row is held by its median, or by the worst of its rounds: %j", async ({ isWorst, ours, met }) => {
  const row = {
    name: "tasks",
    reference: "others",
    unit: "ms" as const,
    target: { of: "value" as const, atMost: 100 },
    isWorst,
    measure: async () => ({ ours: [1, 300, 2], reference: [1, 1, 1] }),
  };
  expect(await measureRow(row, { quick: true })).toMatchObject({ ours, met });
});

it("the short form without a baseline says how to write one", () => {
  const args = ["bench/run.mjs", "--short", "--baseline", join(tmpdir(), "belay-bench-test-none", "b.json")];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^bench: there is no .*b\.json; .*--write-baseline\n$/),
  });
});

describe("a process tells its own memory, not that of the one that started it", () => {
  const rows: [what: string, peakOf: (folder: string) => number][] = [
    [
      "that reads a journal",
      (folder) => {
        writeFileSync(join(folder, "2026-01-01.jsonl"), recordLine(1));
        const args = ["bench/journal-child.mjs", folder, "end", "1"];
        return Number(spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" }).stdout);
      },
    ],
    ["of a command", (folder) => belay(["--version"], { home: folder, project: folder }).peak],
  ];
  it.each(rows)("%s", (_what, peakOf) => {
    const folder = mkdtempSync(join(tmpdir(), "belay-bench-test-"));
    const ballast = Buffer.alloc(300 * 1024 * 1024, 1);
    const peak = peakOf(folder);
    rmSync(folder, { recursive: true, force: true });
    expect(peak).toBeLessThan(ballast.length / 1024 / 1024 / 2);
    expect(peak).toBeGreaterThan(10);
  });
});

describe("a host", () => {
  it("is as large as it claims", async () => {
    const rss = await withHost({ bytes: 200e6 }, async (host) => host.rss);
    expect(rss).toBeGreaterThan(195e6);
    expect(rss).toBeLessThan(260e6);
  });

  it("refuses to measure when it is not", async () => {
    await expect(withHost({ bytes: 1e6 }, async (host) => host.rss)).rejects.toThrow(
      "the host of 1 MB ended with 1",
    );
  });
});

it("everyone begins equally often", async () => {
  const order: string[] = [];
  const task = (name: string) => () => order.push(name);
  await inTurns({ a: task("a"), b: task("b"), c: task("c") }, 3, 0);
  expect(order.join("")).toBe("abcbcacab");
});

it("a stop of the event loop is seen, at the start of a task and later", async () => {
  const stop = () => {
    const until = performance.now() + 60;
    while (performance.now() < until);
  };
  const later = () => new Promise<void>((resolve) => setTimeout(resolve, 5)).then(stop);
  expect(await longestGap(async () => stop())).toBeGreaterThanOrEqual(60);
  expect(await longestGap(later)).toBeGreaterThanOrEqual(60);
});

describe("a plot", () => {
  const axes = { title: "a < b", xLabel: "records", yLabel: "ms" };
  const line = (name: string, ...points: [number, number][]) => ({
    name,
    points: points.map(([x, y]) => ({ x, y })),
  });
  const rows = [
    ["one point", [line("one", [1, 1])]],
    ["a flat line", [line("flat", [1, 3], [1000, 3])]],
    ["a series without points", [line("one", [1, 0.05], [10, 200]), line("none")]],
    ["a journal of a million records", [line("last 100", [1, 0.2], [1000, 0.9], [1_000_000, 80])]],
  ] as const;
  it.each(rows)("%s", (_name, series) => {
    const svg = svgOf({ ...axes, series: [...series] });
    expect(svg).not.toMatch(/NaN|Infinity|undefined|a < b/);
    expect(series.filter(({ name, points }) => svg.includes(`>${name}<`) !== points.length > 0)).toEqual([]);
    const numbers = [...svg.matchAll(/ (?:cx|cy|x1|x2|y1|y2|x|y)="([^"]+)"/g)].map(([, value]) =>
      Number(value),
    );
    expect(numbers.filter((value) => !(value >= 0 && value <= 720))).toEqual([]);
  });
});

describe("the soak fails when too little was written", () => {
  /** Ends a writer before it has begun, when the condition on its name holds. */
  const ended = (condition: string) => {
    const code = `if(process.argv[2]==='writer'&&${condition})process.exit(3)`;
    return `--import=data:text/javascript,${encodeURIComponent(code)}`;
  };
  const rows = [
    ["by anyone", "true", /writer 0: 0 of 120 .*\n.*writer 1: 0 of 120 /],
    ["by one of the two", "process.argv[4].startsWith('1.')", /writer 1: 0 of 120 /],
  ] as const;
  it.each(rows)("%s", { timeout: 60_000 }, (_name, condition, said) => {
    const { status, stdout } = spawnSync(process.execPath, ["bench/soak.mjs", "--minutes", "0.01"], {
      cwd: ROOT,
      encoding: "utf8",
      env: { ...process.env, NODE_OPTIONS: ended(condition) },
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringMatching(said) });
  });
});
