import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JournalLine, linesFromEnd, linesFromStart } from "@belay/engine/internal";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { files, line } from "./journals.ts";
import { startHost } from "./processes.ts";
import { scratch } from "./scratch.ts";

/** Read in blocks of 64 KiB, from either end. */
const BLOCK = 64 * 1024;

const root = mkdtempSync(join(tmpdir(), "belay-read-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ranWith = (odd: object) => ({
  name: "x",
  source: "s:1",
  run: { stdout: "", stderr: "", executionTime: 1, ...odd },
});

let count = 0;
function journal(contents: Readonly<Record<string, string | Buffer>>): string {
  count += 1;
  const folder = join(root, String(count));
  mkdirSync(folder);
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text);
  return folder;
}

const said = (lines: readonly JournalLine[]) =>
  lines.map((read) => ("record" in read ? read.record.id : `${read.flaw} at ${read.at}`));
const fromEnd = (folder: string) => said([...linesFromEnd(folder)]);
async function fromStart(folder: string): Promise<string[]> {
  const lines: JournalLine[] = [];
  for await (const read of linesFromStart(folder)) lines.push(read);
  return said(lines);
}

describe("a journal is read from its end and from its start", () => {
  const whole = line("a");
  const CASES: [name: string, contents: Record<string, string | Buffer>, oldestFirst: string[]][] = [
    ["empty", {}, []],
    ["an empty file", { "2026-01-01.jsonl": "" }, []],
    ["one record", { "2026-01-01.jsonl": whole }, ["a"]],
    ["without the last line end", { "2026-01-01.jsonl": whole + line("b").trimEnd() }, ["a", "b"]],
    [
      "in the order of its files",
      {
        "2026-01-02.jsonl": line("d"),
        "2026-01-01.part-0001.jsonl": line("c"),
        "2026-01-01.jsonl": line("a") + line("b"),
        "notes.txt": "not ours",
      },
      ["a", "b", "c", "d"],
    ],
    [
      "torn at its end",
      { "2026-01-01.jsonl": whole + line("b").slice(0, 40) },
      ["a", `torn at ${whole.length}`],
    ],
    [
      "torn, and gone on with",
      { "2026-01-01.jsonl": `${whole}${line("b").slice(0, 40)}\n${line("c")}` },
      ["a", `torn at ${whole.length}`, "c"],
    ],
    [
      "torn, and gone on with by a writer that had it open",
      { "2026-01-01.jsonl": `${whole}${line("b").slice(0, 40)}${line("c")}${line("d")}` },
      ["a", `torn at ${whole.length}`, "c", "d"],
    ],
    [
      "torn within a character, twice, and gone on with",
      {
        "2026-01-01.jsonl": Buffer.concat([
          Buffer.from(line("ü", 100)).subarray(0, 21),
          Buffer.from(line("ü", 100)).subarray(0, 181),
          Buffer.from(line("c").trimEnd()),
        ]),
      },
      ["torn at 0", "c"],
    ],
    [
      "torn behind what looks like a record, and gone on with",
      { "2026-01-01.jsonl": `{"version":1,"id":"b","payload":{"x":{"version":1,"id":"fa${line("c")}` },
      ["torn at 0", "c"],
    ],
    [
      "in the order of its parts, however many",
      {
        "2026-01-01.part-10000.jsonl": line("c"),
        "2026-01-01.part-9999.jsonl": line("b"),
        "2026-01-01.part-0001.jsonl": line("a"),
      },
      ["a", "b", "c"],
    ],
    [
      "with hooks that are none",
      { "2026-01-01.jsonl": whole.replace('"hooks":[]', '"hooks":[{"name":"x"}]') },
      ["foreign at 0"],
    ],
    ...(
      [
        ["an exit code", { exitCode: { toString: 1 } }],
        ["a signal", { signal: 9 }],
        ["a failure", { failure: { kind: "timeout" } }],
        ["a list of streams", { notUtf8: 5 }],
        ["a cap", { cap: { toString: 1 } }],
      ] as const
    ).map(([what, odd]): (typeof CASES)[number] => [
      `with ${what} that is none`,
      { "2026-01-01.jsonl": whole.replace('"hooks":[]', `"hooks":[${JSON.stringify(ranWith(odd))}]`) },
      ["foreign at 0"],
    ]),
    ...(
      [
        ["a dialect", '"hooks":[]', '"dialect":{},"hooks":[]'],
        ["a hook's dialect", '"hooks":[]', `"hooks":[${JSON.stringify({ ...ranWith({}), dialect: {} })}]`],
        ["a count of stops", '"hooks":[]', '"context":{"stops":null},"hooks":[]'],
        ["an action", '"outcome":{', '"outcome":{"action":{},'],
        ["a rewritten prompt", '"outcome":{', '"outcome":{"updatedPrompt":7,'],
        ["a rewritten input", '"outcome":{', '"outcome":{"updatedInput":"ls",'],
      ] as const
    ).map(([what, part, odd]): (typeof CASES)[number] => [
      `with ${what} that is none`,
      { "2026-01-01.jsonl": whole.replace(part, odd) },
      ["foreign at 0"],
    ]),
    [
      "with stops that were counted",
      {
        "2026-01-01.jsonl": whole.replace('"hooks":[]', '"context":{"stops":{"soFar":1,"cap":8}},"hooks":[]'),
      },
      ["a"],
    ],
    [
      "with a run",
      {
        "2026-01-01.jsonl": whole.replace(
          '"hooks":[]',
          `"hooks":[${JSON.stringify(ranWith({ exitCode: 2 }))}]`,
        ),
      },
      ["a"],
    ],
    ["without a folder", { "2026-01-01.jsonl": whole.replace('"cwd":"/p",', "") }, ["foreign at 0"]],
    [
      "nested deeper than anything that was fired",
      { "2026-01-01.jsonl": whole.replace('"filling":""', `"a":${"[".repeat(60_000)}${"]".repeat(60_000)}`) },
      ["foreign at 0"],
    ],
    [
      "with lines of someone else's",
      { "2026-01-01.jsonl": `hello\n${whole}{"version":2}\n[]\n\n7` },
      [
        "foreign at 0",
        "a",
        `foreign at ${6 + whole.length}`,
        `foreign at ${20 + whole.length}`,
        `foreign at ${24 + whole.length}`,
      ],
    ],
    [
      "with records longer than a block",
      { "2026-01-01.jsonl": line("a", 3 * BLOCK) + line("b") + line("c", BLOCK) },
      ["a", "b", "c"],
    ],
  ];
  it.each(CASES)("%s", async (_, contents, oldestFirst) => {
    const folder = journal(contents);
    expect(await fromStart(folder)).toEqual(oldestFirst);
    expect(fromEnd(folder)).toEqual([...oldestFirst].reverse());
  });

  it("of any lengths, wherever the blocks end", async () => {
    const lengths = fc.array(fc.oneof(fc.nat(300), fc.integer({ min: BLOCK - 400, max: BLOCK + 50 })), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(lengths, async (bytes) => {
        const text = bytes.map((length, index) => line(`${index}`, length)).join("");
        const folder = journal({ "2026-01-01.jsonl": text });
        const ids = bytes.map((_, index) => `${index}`);
        expect(await fromStart(folder)).toEqual(ids);
        expect(fromEnd(folder)).toEqual(ids.reverse());
        rmSync(folder, { recursive: true });
      }),
      { numRuns: 30 },
    );
  });

  it("a folder that is not there holds nothing", async () => {
    expect(fromEnd(join(root, "none"))).toEqual([]);
    expect(await fromStart(join(root, "none"))).toEqual([]);
  });
});

it("no more is read than is asked for", async () => {
  const name = "2026-01-01.jsonl";
  const folder = journal({ [name]: "" });
  const many = line("x", 1000).repeat(1000);
  for (let part = 0; part < 50; part += 1) appendFileSync(join(folder, name), many);
  const { stdout, stderr } = await startHost("last-lines.mjs", [folder, "100"]).finished;
  expect(stderr).toBe("");
  const { lines, grownMiB } = JSON.parse(stdout) as { lines: number; grownMiB: number };
  expect(lines).toBe(100);
  expect(grownMiB).toBeLessThan(16);
});

it("one file is read like a folder of it, and a folder from any of its lines on", async () => {
  const folder = journal({
    "2026-01-01.jsonl": line("a") + line("b"),
    "2026-01-01.part-0001.jsonl": line("c") + line("d"),
  });
  const second = join(folder, "2026-01-01.part-0001.jsonl");
  expect([await fromStart(second), fromEnd(second)]).toEqual([
    ["c", "d"],
    ["d", "c"],
  ]);
  const lines = [...linesFromEnd(folder)];
  for (const [index, from] of lines.entries()) {
    const rest: JournalLine[] = [];
    for await (const read of linesFromStart(folder, from)) rest.push(read);
    expect(rest).toEqual(lines.slice(0, index + 1).reverse());
  }
});

describe("limits.journalDays", () => {
  const CASES: [days: number | undefined, kept: string[]][] = [
    [undefined, [32, 2, 1, 0].map(daysAgo)],
    [1, [2, 1, 0].map(daysAgo)],
    [31, [33, 32, 2, 1, 0].map(daysAgo)],
    [Number.POSITIVE_INFINITY, ["2020-01-01", ...[33, 32, 2, 1, 0].map(daysAgo)]],
  ];
  it.each(CASES)("%s", async (journalDays, kept) => {
    const room = scratch();
    const engine = await room.engineFor(
      "Stop",
      [],
      journalDays === undefined ? {} : { limits: { journalDays } },
    );
    const folder = engine.journalFolder as string;
    mkdirSync(folder, { recursive: true });
    for (const day of ["2020-01-01", ...[33, 32, 2, 1].map(daysAgo)])
      writeFileSync(join(folder, `${day}.jsonl`), line(day));
    await engine.fire("Stop");
    expect(files(folder)).toEqual(kept.map((day) => `${day}.jsonl`));
  });
});

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

describe("limits.journalBytes", () => {
  it("bounds a journal, and its oldest file goes", { timeout: 30_000 }, async () => {
    const room = scratch();
    const journalBytes = 64 * 1024;
    const engine = await room.engineFor("PreToolUse", [], { limits: { journalBytes } });
    const folder = engine.journalFolder as string;
    for (let index = 0; index < 60; index += 1)
      await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: { text: "x".repeat(3000), index } });
    const bytes = files(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const oneRecord = 4000;
    expect(bytes).toBeLessThan(journalBytes + oneRecord);
    expect(bytes).toBeGreaterThan(journalBytes / 2);
    const lines = [...linesFromEnd(folder)].map(
      (read) => "record" in read && (read.record.payload.tool_input as { index: number }).index,
    );
    expect(lines).toEqual(lines.map((_, index) => 59 - index));
    expect(lines.length).toBeLessThan(60);
  });
});
