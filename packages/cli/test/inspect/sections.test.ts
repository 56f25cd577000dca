import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventRow, EventsPage } from "../../../inspector/src/api.ts";
import {
  type Folds,
  type Line,
  type Lines,
  linesOf,
  sectionReader,
  sectionsOf,
} from "../../../inspector/src/state/sections.ts";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { journal, lineOf } from "./journal.ts";
import { launch, type Served, serve } from "./server.ts";

/* The timeline in sessions and turns. */

/**
 * Events from the oldest to the newest, a word each: its session, and "(" if a turn begins with it, ")" if one ends, "-" if it
 * passes no filter. A number is so many minutes of silence.
 */
function rowsOf(words: string): EventRow[] {
  let time = Date.parse("2026-11-15T12:00:00");
  const rows = words.split(" ").flatMap((word, at): EventRow[] => {
    const minutes = Number(word);
    time += Number.isNaN(minutes) ? 1000 : minutes * 60_000;
    if (!Number.isNaN(minutes)) return [];
    const edge = word.includes("(") ? "begins" : word.includes(")") ? "ends" : undefined;
    return [
      {
        ...ROW,
        key: `${at}`,
        time: new Date(time).toISOString(),
        session: word.charAt(0),
        ...(edge && { edge }),
        ...(word.includes("-") && { isAside: true }),
      },
    ];
  });
  return rows.reverse();
}

const ROW: EventRow = {
  key: "",
  id: "",
  time: "",
  event: "PreToolUse",
  about: "",
  subject: "",
  decision: "none",
  action: "continue",
  reason: "",
  hook: "",
  hooks: 0,
  failed: 0,
  marks: [],
  took: 0,
  session: "",
};

/** Headings as "session:count" or "turn:count", a "+" behind those that are folded; events as the numbers of their words. */
function drawn(words: string, folds: Folds = { chosen: new Set(), turns: false }): string {
  const lines = linesOf(sectionsOf(rowsOf(words)), folds);
  return everyOne(lines)
    .map(({ row, heading }) => {
      if (!heading) return row?.key;
      const name = heading.kind === "turn" ? "turn" : heading.session || "lone";
      return `${name}:${heading.events}${heading.isFolded ? "+" : ""}`;
    })
    .join(" ");
}

function everyOne(lines: Lines): Line[] {
  return Array.from({ length: lines.length }, (_, at) => lines.at(at) as Line);
}

const SECTIONS: [what: string, words: string, drawn: string][] = [
  ["a turn is from its prompt to its stop", "a a( a a) a", "a:5 4 turn:3 3 2 1 0"],
  ["a prompt ends a turn that nobody stopped", "a( a a( a", "a:4 turn:2 3 2 turn:2 1 0"],
  ["two ends, as of a turn and of its session", "a( a a) a)", "a:4 3 turn:3 2 1 0"],
  ["a turn whose prompt is not there is none", "a a) a( a)", "a:4 turn:2 3 2 1 0"],
  [
    "turns of sessions that run at once stay whole, in the order in which they began",
    "a( b( a b a b) a)",
    "b:3 turn:3 5 3 1 a:4 turn:4 6 4 2 0",
  ],
  [
    "a session has a heading where another one stands between",
    "a( a) b( b) a( a)",
    "a:2 turn:2 5 4 b:2 turn:2 3 2 a:2 turn:2 1 0",
  ],
  ["a pause within a turn is part of it", "a( a 75 a a)", "a:4 turn:4 4 3 1 0"],
  ["a pause outside of turns is the end of a section", "a a b b 75 a a", "a:2 6 5 b:2 3 2 a:2 1 0"],
  ["but no heading comes again where nothing else stands between", "a a 75 a a", "a:4 4 3 1 0"],
  ["each day has its heading", "a a 1440 a a", "a:2 4 3 a:2 1 0"],
  ["sessions of one event have one heading", "a b c( c)", "c:2 turn:2 3 2 lone:2 1 0"],
  ["what passes no filter counts as an edge, and is not shown", "a(- a a)- a b(- b)-", "a:2 3 turn:1 1"],
];

describe("sections", () => {
  it.each(SECTIONS)("%s", (_, words, expected) => {
    expect(drawn(words)).toBe(expected);
  });

  it.each(SECTIONS)("are the same when older events come later: %s", (_, words) => {
    const rows = rowsOf(words);
    const read = sectionReader();
    for (let length = 0; length <= rows.length; length += 1)
      expect(read(rows.slice(0, length))).toEqual(sectionsOf(rows.slice(0, length)));
    expect(read(rows.slice(1))).toEqual(sectionsOf(rows.slice(1)));
  });

  it("are folded by a heading, all turns at once, or all but one", () => {
    const words = "a( a) a( a)";
    const sections = sectionsOf(rowsOf(words));
    const lines = linesOf(sections, { chosen: new Set(), turns: false });
    const [session, turn] = everyOne(lines);
    expect(everyOne(lines).map(({ key }) => lines.indexOf(key))).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect([lines.indexOf("no"), lines.at(-1), lines.at(7)]).toEqual([-1, undefined, undefined]);
    const chosen = (fold = "") => new Set([fold]);
    expect(drawn(words, { chosen: chosen(session?.heading?.fold), turns: false })).toBe("a:4+");
    expect(drawn(words, { chosen: chosen(turn?.heading?.fold), turns: false })).toBe(
      "a:4 turn:2+ turn:2 1 0",
    );
    expect(drawn(words, { chosen: new Set(), turns: true })).toBe("a:4 turn:2+ turn:2+");
    expect(drawn(words, { chosen: chosen(turn?.heading?.fold), turns: true })).toBe("a:4 turn:2 3 2 turn:2+");
  });
});

const A = "aaaaaaaa-8d7a-4c1b-9e3f-2a1b3c4d5e6f";
const B = "bbbbbbbb-8d7a-4c1b-9e3f-2a1b3c4d5e6f";
const LINES = [
  { event: "SessionStart", session: A, prompt: "" },
  { event: "UserPromptSubmit", session: A, prompt: "mend the parser" },
  { session: A, command: "a-1", decision: "deny" },
  { event: "Stop", session: A, prompt: "", decision: "block" },
  { session: A, command: "a-2" },
  { event: "UserPromptSubmit", session: B, prompt: "look at it" },
  { session: B, command: "b-1" },
  { event: "Stop", session: A, prompt: "" },
  { event: "SessionEnd", session: A, prompt: "" },
  { event: "Stop", session: B, prompt: "" },
].map((one, at) => {
  const action = one.decision === "block" ? '"action":"block-stop"' : '"action":"continue"';
  const line = lineOf({ id: `${at}`, time: `2026-11-15T10:00:0${at}.000Z`, ...one });
  return line.replace('"action":"continue"', action);
});

it("the server says where turns begin and end, and with a filter the edges of those that it found", async () => {
  const room = scratch();
  journal(room, LINES);
  const served = await serve(room);
  const edges = async (query: string) =>
    (await served.api<EventsPage>(`/api/events?${query}`)).rows.map(
      ({ id, edge = "-", isAside }) => `${id} ${edge}${isAside ? " aside" : ""}`,
    );
  expect(await edges("")).toEqual([
    "9 ends",
    "8 ends",
    "7 ends",
    "6 -",
    "5 begins",
    "4 -",
    "3 -",
    "2 -",
    "1 begins",
    "0 -",
  ]);
  // The first of each session is always told: it may be the edge of a turn of the page before.
  const sides = ["9 ends aside", "8 ends aside", "7 ends aside", "5 begins aside"];
  expect(await edges("decision=deny")).toEqual([...sides, "2 -", "1 begins aside"]);
  expect(await edges("text=nothing")).toEqual([...sides, "1 begins aside"]);
  const { place } = await served.api<EventsPage>("/api/events");
  journal(room, [lineOf({ id: "10", event: "Stop" }), lineOf({ id: "11", command: "c" })]);
  const heard = await served.listen(
    `/api/live?after=${place}&text=nothing`,
    (all) => all.some(({ data }) => data.type === "rows"),
    await served.signIn(),
  );
  const rows = heard.flatMap(({ data }) => (data.type === "rows" ? data.rows : []));
  expect(rows.map(({ id, isAside }) => [id, isAside])).toEqual([["10", true]]);
});

const program = findBrowser();

describe.runIf(program)("the timeline in a real browser", () => {
  const open = browserFor(program);
  const room = scratch(afterAll);
  let served: Served;
  beforeAll(async () => {
    journal(room, LINES);
    served = await launch(room);
    return served.end;
  });

  const headings = async (page: Page) =>
    (await page.locator(".heading .title").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));

  it("has columns, and a heading for each session and turn, with the day and what there is in it", async () => {
    const page = await open(served);
    await page.locator(".row").first().waitFor();
    const names = ["Time", "Decision", "Event", "Tool", "What it was about", "Faults", "Hook", "Took"];
    expect(await page.locator(".columns span").allTextContents()).toEqual(names);
    const lefts = (of: string) =>
      page.evaluate<number[]>(
        `[...document.querySelector("${of}").children].map((one) => one.getBoundingClientRect().left)`,
      );
    expect(await lefts(".columns")).toEqual(await lefts(".row"));
    expect((await headings(page)).map((text) => text.replace(/^\d\d:/, ""))).toEqual([
      "Sun 15 November session aaaaaaaa-8d7a",
      "Sun 15 November session bbbbbbbb-8d7a",
      "00:05 look at it",
      "Sun 15 November session aaaaaaaa-8d7a",
      "00:01 mend the parser",
    ]);
    expect(await page.locator(".heading .counts").allTextContents()).toEqual([
      "1 event",
      "3 events",
      "3 events · 4 s",
      "6 events · 2 refused",
      "5 events · 2 refused · 6 s",
    ]);
    expect(await page.locator(".row time").first().getAttribute("title")).toMatch(
      /^Sun 15 November \d\d:00:08$/,
    );
  });

  it("is folded by a press, by keys, and turn by turn", async () => {
    const page = await open(served);
    const rows = () => page.locator(".row .subject").allInnerTexts();
    await page.locator(".row").first().waitFor();
    await page.locator(".heading:has-text('mend the parser')").click();
    await expect.poll(rows).toEqual(["", "", "b-1", "look at it", ""]);
    await page.evaluate("document.activeElement.blur()");
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft"]) await page.keyboard.press(key);
    await page.locator(".chosen .heading[aria-expanded=false]:has-text('look at it')").waitFor();
    await expect.poll(rows).toEqual(["", ""]);
    for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
    await page.locator(".chosen .heading[aria-expanded=true]:has-text('mend the parser')").waitFor();
    await page.keyboard.press("ArrowDown");
    expect(await page.locator(".chosen .row .event").textContent()).toBe("Stop");
    await page.getByRole("button", { name: "Fold the turns" }).click();
    await expect.poll(rows).toEqual(["", ""]);
    await page.getByRole("button", { name: "Unfold the turns" }).click();
    await expect.poll(async () => (await rows()).length).toBe(10);
  });

  it("keeps in sight which session and turn the first line is of", async () => {
    const page = await open(served, { viewport: { width: 1280, height: 300 } });
    await page.locator(".row").first().waitFor();
    expect(await page.locator(".stuck").count()).toBe(0);
    const scrollTo = (line: number) =>
      page.evaluate(`document.querySelector(".list").scrollTop = ${line * 30}`);
    const stuck = () => page.locator(".stuck .title > :last-child").allTextContents();
    for (const [line, titles] of [
      [2, []],
      [3, ["session bbbbbbbb-8d7a"]],
      [4, ["session bbbbbbbb-8d7a", "look at it"]],
      [9, ["session aaaaaaaa-8d7a", "mend the parser"]],
    ] as const) {
      await scrollTo(line);
      await expect.poll(stuck).toEqual(titles);
    }
  });

  it("shows one session, and the others to choose from", async () => {
    const page = await open(served);
    const sessions = page.getByLabel("Session");
    await page.locator(".row").first().waitFor();
    const names = (await sessions.locator("option").allTextContents()).map((text) =>
      text.replace(/^.*\d {2}/, ""),
    );
    expect(names).toEqual(["every session", "mend the parser", "look at it"]);
    await sessions.selectOption({ index: 1 });
    await page.locator(".status:has-text('7 events')").waitFor();
    expect(await page.locator(".heading.session .counts").allTextContents()).toEqual([
      "7 events · 2 refused",
    ]);
    expect(await sessions.locator("option").count()).toBe(3);
    await sessions.selectOption("");
    await page.locator(".status:has-text('10 events')").waitFor();
    // That of an event too.
    await page.locator(".row:has-text('b-1')").click();
    await page.locator(".head").getByRole("button", { name: "bbbbbbbb" }).click();
    await page.locator(".status:has-text('3 events')").waitFor();
    expect(await sessions.inputValue()).toBe(B);
  });

  it("stays where it is when events come to a turn above, and shows the turn of an event that was searched for", async () => {
    const room = scratch();
    journal(room, [
      ...Array.from({ length: 60 }, (_, at) => lineOf({ id: `${at}`, session: A, command: `old-${at}` })),
      lineOf({ id: "p", session: B, event: "UserPromptSubmit", prompt: "go on" }),
      lineOf({ id: "q", session: B, command: "new-1" }),
    ]);
    const page = await open(await serve(room), { viewport: { width: 1280, height: 400 } });
    await page.locator(".row:has-text('new-1')").waitFor();
    await page.evaluate("document.querySelector('.list').scrollTop = 600");
    const row = page.locator(".row:has-text('old-40')");
    const before = await row.boundingBox();
    journal(room, [lineOf({ id: "r", session: B, command: "new-2" })]);
    await page.locator(".status:has-text('63 events')").waitFor();
    expect(await row.boundingBox()).toEqual(before);
    await page.getByLabel("Search in everything").fill("new-2");
    await page.locator(".status:has-text('1 event')").waitFor();
    await expect
      .poll(() => headings(page))
      .toEqual([expect.stringMatching(/session bbbb/), expect.stringMatching(/go on$/)]);
  });
});
