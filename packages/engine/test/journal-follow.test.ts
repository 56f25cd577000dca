import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "@belay/engine";
import {
  type FollowedLine,
  type FollowOptions,
  followJournal,
  journalEnd,
  linesBefore,
} from "@belay/engine/tools";
import { afterAll, describe, expect, it } from "vitest";
import { files } from "./journals.ts";
import { startHost, until } from "./processes.ts";

const root = mkdtempSync(join(tmpdir(), "belay-follow-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
function newFolder(): string {
  count += 1;
  return join(root, String(count));
}

function line(id: string): string {
  const record = {
    version: 1,
    id,
    time: "2026-01-02T03:04:05.678Z",
    event: "Stop",
    hooks: [],
    payload: {},
    outcome: { decision: { kind: "none" } },
  };
  return `${JSON.stringify(record)}\n`;
}

const idOf = (read: FollowedLine) => ("record" in read ? read.record.id : read.flaw);

/** Follows a folder until it is told to stop. */
function follow(folder: string, options: FollowOptions = {}) {
  const ending = new AbortController();
  const lines: FollowedLine[] = [];
  const over = (async () => {
    const following = followJournal(folder, { everyMs: 5, signal: ending.signal, ...options });
    for await (const read of following) lines.push(read);
  })();
  return {
    lines,
    ids: () => lines.map(idOf),
    has: (id: string) => until(() => lines.some((read) => idOf(read) === id)),
    stop: () => {
      ending.abort();
      return over;
    },
  };
}

describe("a journal is followed", () => {
  it("from before it is there, through new files and lines that are still being written", async () => {
    const folder = newFolder();
    const following = follow(folder);
    mkdirSync(folder);
    const [first, second, third] = ["2026-01-01.jsonl", "2026-01-01.part-0001.jsonl", "2026-01-02.jsonl"].map(
      (name) => join(folder, name),
    ) as [string, string, string];
    writeFileSync(first, line("a") + line("b").slice(0, 30));
    expect(await following.has("a")).toBe(true);
    appendFileSync(first, line("b").slice(30));
    expect(await following.has("b")).toBe(true);
    writeFileSync(second, line("c"));
    expect(await following.has("c")).toBe(true);
    // One that was slow still writes to the file before.
    appendFileSync(first, line("late"));
    expect(await following.has("late")).toBe(true);
    appendFileSync(second, line("torn").slice(0, 40));
    writeFileSync(third, line("d"));
    expect(await following.has("torn")).toBe(true);
    rmSync(first);
    appendFileSync(third, line("e"));
    expect(await following.has("e")).toBe(true);
    await following.stop();
    expect([...following.ids()].sort()).toEqual(["a", "b", "c", "d", "e", "late", "torn"]);
  });

  it("and gone on with from any position, each line once", async () => {
    const folder = newFolder();
    mkdirSync(folder);
    const names = [1, 2, 3, 4, 5, 6].map((day) => `2026-01-0${day}.jsonl`);
    for (const [index, name] of names.entries())
      writeFileSync(join(folder, name), line(`${index}a`) + line(`${index}b`));
    const whole = follow(folder);
    expect(await whole.has("5b")).toBe(true);
    await whole.stop();
    const ids = whole.ids();
    expect(ids).toEqual(names.flatMap((_, index) => [`${index}a`, `${index}b`]));
    for (const [index, { position }] of whole.lines.entries()) {
      const rest = follow(folder, { from: position });
      if (index < ids.length - 1) expect(await rest.has("5b")).toBe(true);
      await rest.stop();
      expect(rest.ids()).toEqual(ids.slice(index + 1));
    }
  });

  it("from its end, of which what was there before stands apart", async () => {
    const folder = newFolder();
    mkdirSync(folder);
    const file = join(folder, "2026-01-01.jsonl");
    writeFileSync(file, line("a") + line("b") + line("c").slice(0, 20));
    const end = journalEnd(folder);
    appendFileSync(file, line("c").slice(20) + line("d"));
    writeFileSync(join(folder, "2026-01-02.jsonl"), line("e"));
    const before = [...linesBefore(folder, end)].map((read) => "record" in read && read.record.id);
    expect(before).toEqual(["b", "a"]);
    const following = follow(folder, { from: end });
    expect(await following.has("e")).toBe(true);
    await following.stop();
    expect(following.ids()).toEqual(["c", "d", "e"]);
    expect([journalEnd(join(root, "none")), [...linesBefore(folder, "")]]).toEqual(["", []]);
  });

  it("while two processes write, and files fill", { timeout: 60_000 }, async () => {
    const folder = newFolder();
    const following = follow(folder);
    // Files of 1 MiB; the journal as a whole is below its bound, so none goes unread.
    const hosts = ["a", "b"].map((name) => startHost("journal.mjs", [folder, name, "80", "8388608"]));
    for (const { finished } of hosts) expect(await finished).toMatchObject({ code: 0, stderr: "" });
    const sessions = () => following.lines.map((read) => "record" in read && read.record.session);
    expect(await until(() => sessions().length === 160)).toBe(true);
    await following.stop();
    expect(files(folder).length).toBeGreaterThan(2);
    for (const name of ["a", "b"]) {
      const mine = following.lines.flatMap((read) =>
        "record" in read && read.record.session === name ? [read.record.payload.tool_use_id] : [],
      );
      expect(mine.sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 80 }, (_, id) => String(id)),
      );
    }
  });

  it.each(["x", "2026-01-01.jsonl", "2026-01-01.jsonl:-1", "../2026-01-01.jsonl:1", "2026-01-01.jsonl:1,"])(
    "not from %j",
    async (from) => {
      await expect(followJournal(root, { from }).next()).rejects.toThrow(UsageError);
    },
  );
});
