import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventsPage } from "../../../inspector/src/api.ts";
import { scratch } from "../cli.ts";
import { journal, lineOf } from "./journal.ts";
import { type Heard, idsIn, serve } from "./server.ts";

async function start(lines: readonly string[], name?: string) {
  const room = scratch();
  const folder = journal(room, lines, name);
  const served = await serve(room);
  const cookie = await served.signIn();
  const page = async (query = "") =>
    (await served.ask(`/api/events?${query}`, { headers: cookie })).json as EventsPage;
  return { room, folder, served, cookie, page };
}

const foundIn = ({ rows }: EventsPage) => rows.flatMap(({ id, isAside }) => (isAside ? [] : [id]));

describe("a page of events", () => {
  it("is read backwards, page by page and file by file, to the beginning", async () => {
    const { room, page } = await start(
      ["a", "b", "c"].map((id) => lineOf({ id })),
      "2026-11-13.jsonl",
    );
    journal(room, [lineOf({ id: "d" }), lineOf({ id: "e" })], "2026-11-14.jsonl");
    journal(room, [lineOf({ id: "f" }), "not a record\n", lineOf({ id: "torn" }).slice(0, 50)]);
    const seen: string[][] = [];
    let flaws = 0;
    for (let before: string | undefined = ""; before !== undefined; ) {
      const read = await page(`limit=2${before && `&before=${before}`}`);
      seen.push(read.rows.map(({ id }) => id));
      flaws += read.flaws;
      before = read.before;
    }
    expect(seen).toEqual([
      ["f", "e"],
      ["d", "c"],
      ["b", "a"],
    ]);
    expect(flaws).toBe(2);
  });

  it("has as many rows as are asked for, and no more", async () => {
    const { page } = await start(Array.from({ length: 300 }, (_, index) => lineOf({ id: `${index}` })));
    for (const [limit, rows] of [
      ["2", 2],
      ["1.5", 1],
      ["-1", 1],
      ["many", 200],
    ] as const)
      expect([limit, (await page(`limit=${limit}`)).rows.length]).toEqual([limit, rows]);
  });

  const LINES = [
    lineOf({ id: "list" }),
    lineOf({ id: "push", command: "git push", decision: "ask" }),
    lineOf({ id: "write", tool: "Write", decision: "deny" }),
    lineOf({ id: "stop", event: "Stop", stdout: "Was NUN" }),
  ];
  const FILTERS: [query: string, ids: string[]][] = [
    ["", ["stop", "write", "push", "list"]],
    ["decision=deny", ["write"]],
    ["decision=fault", []],
    ["event=Stop", ["stop"]],
    ["tool=Write", ["write"]],
    ["tool=wr", ["write"]],
    ["tool=rite", []],
    ["hook=GUA", ["stop", "write", "push", "list"]],
    ["hook=other", []],
    ["text=git+push", ["push"]],
    ["text=was+nun", ["stop"]],
    ["session=0b5e", ["stop", "write", "push", "list"]],
    ["event=PreToolUse&decision=ask", ["push"]],
  ];
  it("holds what its filters let through", async () => {
    const { page } = await start(LINES);
    for (const [query, ids] of FILTERS) expect([query, foundIn(await page(query))]).toEqual([query, ids]);
  });

  it("leads to the whole record; one that is gone says so", async () => {
    const { room, served, cookie, page, folder } = await start([lineOf({ id: "a" }), lineOf({ id: "b" })]);
    const [b, a] = (await page()).rows;
    for (const row of [a, b]) {
      const { json } = await served.ask(`/api/events/${row?.key}`, { headers: cookie });
      expect(json).toMatchObject({ record: { id: row?.id } });
    }
    rmSync(join(folder, "2026-11-15.jsonl"));
    const { status, json } = await served.ask(`/api/events/${a?.key}`, { headers: cookie });
    expect(status).toBe(404);
    expect(json).toMatchObject({ error: expect.stringContaining("not in the journal any more") });
    // The file is begun again, and another record stands at the same byte.
    journal(room, [lineOf({ id: "c" }), lineOf({ id: "d" })]);
    expect((await served.ask(`/api/events/${b?.key}`, { headers: cookie })).status).toBe(404);
  });
});

describe("the live stream", () => {
  it("tells what is recorded after the page was read, and goes on where it was cut off", async () => {
    const { room, served, cookie, page } = await start([lineOf({ id: "a" })]);
    const { place } = await page();
    journal(room, [lineOf({ id: "b" })]);
    const first = served.listen(`/api/live?after=${place}`, (heard) => idsIn(heard).length === 2, cookie);
    journal(room, [lineOf({ id: "c" })]);
    const heard = await first;
    expect(idsIn(heard)).toEqual(["b", "c"]);
    journal(room, [lineOf({ id: "d" })]);
    const last = heard.findLast(({ data }) => data.type === "rows")?.id ?? "";
    const again = { ...cookie, "Last-Event-ID": last };
    const rest = await served.listen(`/api/live?after=${place}`, (more) => idsIn(more).length === 1, again);
    expect(idsIn(rest)).toEqual(["d"]);
  });

  it("tells of files that are older or newer than the last event, wherever it was cut off", async () => {
    const { room, served, cookie, page } = await start([lineOf({ id: "a" })], "2026-11-14.jsonl");
    journal(room, [lineOf({ id: "b" })], "2026-11-16.jsonl");
    const { place } = await page();
    // Two processes: one began before midnight, the clock of the other was ahead.
    journal(room, [lineOf({ id: "c" })], "2026-11-14.jsonl");
    journal(room, [lineOf({ id: "d" })], "2026-11-15.jsonl");
    journal(room, [lineOf({ id: "e" })], "2026-11-16.jsonl");
    const heard = await served.listen(`/api/live?after=${place}`, (all) => idsIn(all).includes("e"), cookie);
    expect(idsIn(heard)).toEqual(["c", "d", "e"]);
  });

  it("begins anew when the journal was emptied and filled again while nobody listened", async () => {
    const { room, folder, served, cookie, page } = await start([lineOf({ id: "a" })]);
    const { place } = await page();
    rmSync(join(folder, "2026-11-15.jsonl"));
    journal(room, [lineOf({ id: "b" }), lineOf({ id: "c" })]);
    const isTold = (all: readonly Heard[]) => all.some(({ data }) => data.type !== "questions");
    const heard = await served.listen(`/api/live?after=${place}`, isTold, cookie);
    expect(heard.filter(({ data }) => data.type !== "questions")[0]?.data.type).toBe("reset");
  });

  it("says so when its place is gone", async () => {
    const { served, cookie } = await start([lineOf({ id: "a" })]);
    const gone = { ...cookie, "Last-Event-ID": "2020-01-01.jsonl@77" };
    const isReset = (all: readonly Heard[]) => all.some(({ data }) => data.type === "reset");
    expect((await served.listen("/api/live", isReset, gone))[0]?.data.type).toBe("reset");
  });

  it("keeps to the filters, and begins with the first event", async () => {
    const { room, served, cookie, page } = await start([]);
    const live = `/api/live?after=${(await page()).place}&decision=deny`;
    const heard = served.listen(live, (all) => idsIn(all).length === 1, cookie);
    journal(room, [lineOf({ id: "a" }), lineOf({ id: "b", decision: "deny" })]);
    expect(idsIn(await heard)).toEqual(["b"]);
  });
});
