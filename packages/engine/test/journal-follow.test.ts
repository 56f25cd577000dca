import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { followJournal, type JournalLine, linesFromEnd, recordAt } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import { line } from "./journals.ts";
import { scratch } from "./scratch.ts";

function journal() {
  const folder = join(scratch().root, "journal");
  const append = (name: string, ...texts: string[]) => {
    mkdirSync(folder, { recursive: true });
    for (const text of texts) appendFileSync(join(folder, name), text);
  };
  return { folder, append };
}

const said = (lines: readonly JournalLine[]) =>
  lines.map((read) => ("record" in read ? read.record.id : read.flaw));
const DAY = "2026-01-01.jsonl";

describe("a journal is followed", () => {
  it("from its end, through files that begin later", () => {
    const { folder, append } = journal();
    append(DAY, line("old"));
    const follower = followJournal(folder);
    expect(said(follower.look().lines)).toEqual([]);
    append(DAY, line("a"));
    append("2026-01-01.part-0001.jsonl", line("b"));
    append("2026-01-02.jsonl", line("c"));
    expect(said(follower.look().lines)).toEqual(["a", "b", "c"]);
    // A process that began before midnight.
    append("2026-01-01.part-0001.jsonl", line("late"));
    const { places } = follower;
    expect(said(follower.look().lines)).toEqual(["late"]);
    expect(said(follower.look().lines)).toEqual([]);
    expect(said(followJournal(folder, places).look().lines)).toEqual(["late"]);
  });

  it("before there is one", () => {
    const { folder, append } = journal();
    const { places } = followJournal(folder);
    append(DAY, line("a"));
    expect(said(followJournal(folder, places).look().lines)).toEqual(["a"]);
  });

  it("although more lines of it are none than a call can be given", () => {
    const { folder, append } = journal();
    const follower = followJournal(folder);
    append(DAY, "1\n".repeat(600_000), line("a"));
    const { lines } = follower.look();
    expect([lines.length, said(lines.slice(-1))]).toEqual([600_001, ["a"]]);
  });

  it("line by line, however they come", () => {
    const { folder, append } = journal();
    append(DAY, line("old"), line("a").slice(0, 20));
    const follower = followJournal(folder);
    append(DAY, line("a").slice(20, 50));
    expect(said(follower.look().lines)).toEqual([]);
    append(DAY, line("a").slice(50), line("torn").slice(0, 30));
    expect(said(follower.look().lines)).toEqual(["a"]);
    append(DAY, "\n", line("b"), "\n\n", "hello\n", line("long", 1_000_000));
    expect(said(follower.look().lines)).toEqual(["torn", "b", "foreign", "long"]);
  });

  it("behind a line that a killed writer left, and another had the file open", () => {
    const { folder, append } = journal();
    const follower = followJournal(folder);
    append(DAY, line("torn").slice(0, 30) + line("a"), line("b"));
    expect(said(follower.look().lines)).toEqual(["torn", "a", "b"]);
  });

  it("through more parts than four digits can number", () => {
    const { folder, append } = journal();
    append("2026-01-01.part-9999.jsonl", line("old"));
    const follower = followJournal(folder);
    append("2026-01-01.part-10000.jsonl", line("a"));
    expect(said(follower.look().lines)).toEqual(["a"]);
    append("2026-01-01.part-10000.jsonl", line("b"));
    expect(said(followJournal(folder, follower.places).look().lines)).toEqual(["b"]);
  });

  it("in several looks when there is much, and from any place between", () => {
    const { folder, append } = journal();
    let { places } = followJournal(folder);
    const ids = Array.from({ length: 40 }, (_, index) => `r${index}`);
    for (const [index, id] of ids.entries()) append(index < 20 ? DAY : "2026-01-02.jsonl", line(id, 250_000));
    const seen: string[] = [];
    let looks = 0;
    for (let more = true; more; looks += 1) {
      const follower = followJournal(folder, places);
      const news = follower.look();
      seen.push(...said(news.lines));
      ({ more } = news);
      ({ places } = follower);
    }
    expect(seen).toEqual(ids);
    expect(looks).toBeGreaterThan(1);
  });

  const AGAIN: [name: string, lose: (file: string) => void][] = [
    ["was removed", (file) => rmSync(file)],
    ["was removed with its folder", (file) => rmSync(dirname(file), { recursive: true })],
    ["was emptied", (file) => truncateSync(file)],
    ["has another in its place", (file) => renameSync(file, `${file}.old`)],
  ];
  it.each(AGAIN)("when its file %s and is begun again", (_, lose) => {
    const { folder, append } = journal();
    append(DAY, line("a"));
    const follower = followJournal(folder);
    append(DAY, line("b"));
    expect(said(follower.look().lines)).toEqual(["b"]);
    lose(join(folder, DAY));
    append(DAY, line("c"));
    const first = follower.look();
    expect([said(first.lines), first.begunAgain]).toEqual([["c"], true]);
    append(DAY, line("d"), line("e"));
    const next = follower.look();
    expect([said(next.lines), next.begunAgain]).toEqual([["d", "e"], false]);
    lose(join(folder, DAY));
    expect(follower.look().lines).toEqual([]);
    append(DAY, line("f"), line("g"), line("h"), line("i"));
    expect(said(follower.look().lines)).toEqual(["f", "g", "h", "i"]);
  });

  const GONE: [name: string, lose: (file: string) => void][] = [
    ["removed", (file) => rmSync(file)],
    ["cut short", (file) => truncateSync(file, 10)],
    ["begun again", (file) => writeFileSync(file, line("x") + line("y") + line("z"))],
  ];
  it.each(GONE)("and says so when the file of its place was %s", (_, lose) => {
    const { folder, append } = journal();
    append(DAY, line("a"), line("b"));
    const { places } = followJournal(folder);
    lose(join(folder, DAY));
    append("2026-01-02.jsonl", line("c"));
    const follower = followJournal(folder, places);
    expect(follower.lost).toBe(true);
    append("2026-01-02.jsonl", line("d"));
    expect(said(follower.look().lines)).toEqual(["d"]);
  });
});

it("a journal of more files than a place lists is followed from its end", () => {
  const { folder, append } = journal();
  for (let part = 1; part <= 70; part += 1) append(`2026-01-01.part-${1000 + part}.jsonl`, line("old"));
  const { places } = followJournal(folder);
  append("2026-01-01.part-1070.jsonl", line("a"));
  append("2026-01-01.part-1071.jsonl", line("b"));
  expect(said(followJournal(folder, places).look().lines)).toEqual(["a", "b"]);
});

it("a record is read from its position", () => {
  const { folder, append } = journal();
  append(DAY, line("a"), line("b", 100_000), line("c").trimEnd());
  const [a, b] = [line("a").length, Buffer.byteLength(line("b", 100_000))];
  const [{ mark = "" } = {}] = linesFromEnd(folder);
  const ROWS: [file: string, mark: string, at: number, id: string | undefined][] = [
    [DAY, mark, 0, "a"],
    [DAY, mark, a, "b"],
    [DAY, mark, a + b, "c"],
    [DAY, mark, 3, undefined],
    [DAY, mark, 1e9, undefined],
    [DAY, "of another file", a, undefined],
    ["2020-01-01.jsonl", mark, 0, undefined],
    ["../secret.jsonl", mark, 0, undefined],
  ];
  expect(ROWS.map(([file, mark, at]) => recordAt(folder, { file, mark, at })?.id)).toEqual(
    ROWS.map(([, , , id]) => id),
  );
});
