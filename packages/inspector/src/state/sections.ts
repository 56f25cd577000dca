import { isRefused } from "@belay/core";
import type { EventRow } from "../api.ts";
import { dayOf } from "../parts/format.ts";

/*
 * The timeline in sections. A turn is one, from its prompt to its stop; what a session did outside of its turns is one, up to
 * a pause. Sections stand in the order in which they began, the newest first: so none moves when an event comes to another
 * one, and the turns of sessions that run at once stay whole. Lines are made anew for each page that is read, of up to 100,000
 * events: nothing is allocated for a single one.
 */

export interface Section {
  readonly session: string;
  /** Whose session it is, in a log of another agent. */
  readonly agent?: string;
  /** The prompt; absent outside of turns. */
  readonly prompt?: EventRow;
  /** What is shown of it, the newest first. */
  readonly rows: readonly EventRow[];
  /** When its first and its last event fired. */
  readonly from: string;
  readonly to: string;
}

/** Outside of turns, a session that was quiet for so long begins a section anew. */
const PAUSE_MS = 60 * 60_000;
/** Of a time, all down to its hour: where it is the same, there was no pause. */
const HOUR = "2026-01-31T09".length;

/** What belongs together, before it is cut at its pauses. A turn has none. */
interface Found {
  /** The newest first, and where each stands among all. */
  readonly rows: EventRow[];
  readonly places: number[];
  /** What a pause comes before, by its index. */
  readonly cuts: number[];
  isTurn?: true;
  /** Made of the rows above; gone when one is added. */
  made?: readonly Made[];
}

interface Made {
  readonly section: Section;
  /** Where the oldest of its rows stands among all. */
  readonly at: number;
}

/** `rows`: in the order of the journal, the newest first. */
export function sectionsOf(rows: readonly EventRow[]): readonly Section[] {
  return sectionReader()(rows);
}

/** Reads a timeline again and again. Where only older rows were added to it, the rest is not made anew. */
export function sectionReader(): (rows: readonly EventRow[]) => readonly Section[] {
  let read: readonly EventRow[] = [];
  let all: Found[] = [];
  /** Of each session, what stands before the next edge that is met on the way back. */
  let open = new Map<string, Found>();
  const add = (row: EventRow, at: number) => {
    const { session, edge } = row;
    let found = open.get(session);
    if (!found || edge === "ends") {
      found = { rows: [], places: [], cuts: [] };
      all.push(found);
      open.set(session, found);
    }
    const { rows, places, cuts } = found;
    const last = rows.at(-1);
    if (last && isPause(row.time, last.time)) cuts.push(rows.length);
    rows.push(row);
    places.push(at);
    delete found.made;
    if (edge !== "begins") return;
    found.isTurn = true;
    open.delete(session);
  };
  return (rows) => {
    const isLonger =
      rows.length >= read.length && rows[0] === read[0] && rows[read.length - 1] === read.at(-1);
    if (!isLonger) [read, all, open] = [[], [], new Map()];
    for (let at = read.length; at < rows.length; at += 1) add(rows[at] as EventRow, at);
    read = rows;
    return all
      .flatMap((found) => {
        found.made ??= stretchesOf(found);
        return found.made;
      })
      .sort((one, other) => one.at - other.at)
      .map(({ section }) => section);
  };
}

/** Cut at the pauses. */
function stretchesOf({ rows, places, cuts, isTurn }: Found): Made[] {
  return [0, ...(isTurn ? [] : cuts)].flatMap((from, index, starts) => {
    const stretch = rows.slice(from, starts[index + 1]);
    const first = stretch.at(-1) as EventRow;
    const section = {
      session: first.session,
      ...(first.agent !== undefined && { agent: first.agent }),
      ...(isTurn && { prompt: first }),
      rows: stretch.some(({ isAside }) => isAside) ? stretch.filter(({ isAside }) => !isAside) : stretch,
      from: first.time,
      to: stretch[0]?.time ?? first.time,
    };
    return section.rows.length > 0 ? { section, at: places[from + stretch.length - 1] as number } : [];
  });
}

function isPause(from: string, to: string): boolean {
  return !to.startsWith(from.slice(0, HOUR)) && Date.parse(to) - Date.parse(from) > PAUSE_MS;
}

/** Each session once, by its newest section that has a prompt, or its newest. */
export function sessionsOf(sections: readonly Section[]): Section[] {
  const sessions = new Map<string, Section>();
  for (const section of sections) {
    const known = sessions.get(section.session);
    if (!known || (!known.prompt && section.prompt)) sessions.set(section.session, section);
  }
  return [...sessions.values()];
}

/** A line above the events of a session on a day, or of a turn. It can be folded. */
export interface Heading {
  readonly kind: "session" | "turn";
  readonly key: string;
  /** What is folded with it: a session may have several headings on one day. */
  readonly fold: string;
  readonly isFolded: boolean;
  /** Empty for several sessions of one event each. */
  readonly session: string;
  readonly agent?: string;
  readonly prompt?: EventRow;
  readonly from: string;
  readonly to: string;
  readonly events: number;
  readonly refused: number;
  readonly failed: number;
}

/** An event, or a heading. */
export interface Line {
  readonly key: string;
  readonly row?: EventRow;
  readonly heading?: Heading;
  /** The open headings that it stands under, the outer one first. */
  readonly under: readonly Heading[];
}

/** The lines of the timeline from top to bottom. */
export interface Lines {
  readonly length: number;
  at(index: number): Line | undefined;
  /** -1 where it is folded away, or not there. */
  indexOf(key: string): number;
}

/** Which headings are folded: those that were chosen, and with `turns` every turn but the chosen ones. */
export interface Folds {
  readonly chosen: ReadonlySet<string>;
  readonly turns: boolean;
}

/** Lines that follow one another: a heading, or the events below it. */
interface Block {
  readonly start: number;
  readonly under: readonly Heading[];
  readonly heading?: Heading;
  readonly rows: readonly EventRow[];
}

export function linesOf(sections: readonly Section[], folds: Folds): Lines {
  const blocks: Block[] = [];
  let length = 0;
  const addHeading = (heading: Heading, under: readonly Heading[]) => {
    blocks.push({ start: length, under, heading, rows: [] });
    length += 1;
  };
  for (const heading of headingsOf(sections, folds)) {
    addHeading(heading, []);
    if (heading.isFolded) continue;
    const below = [heading];
    for (const { turn, rows } of heading.parts) {
      if (turn) addHeading(turn, below);
      if (turn?.isFolded) continue;
      blocks.push({ start: length, under: turn ? [heading, turn] : below, rows });
      length += rows.length;
    }
  }
  return {
    length,
    at: (index) => {
      const block = blockAt(blocks, index);
      if (!block) return undefined;
      const { heading, under, rows, start } = block;
      if (heading) return { key: heading.key, heading, under };
      const row = rows[index - start];
      return row && { key: row.key, row, under };
    },
    indexOf: (key) => {
      for (const { start, heading, rows } of blocks) {
        const within = heading ? (heading.key === key ? 0 : -1) : rows.findIndex((row) => row.key === key);
        if (within >= 0) return start + within;
      }
      return -1;
    },
  };
}

/** The last that begins at or before an index. */
function blockAt(blocks: readonly Block[], index: number): Block | undefined {
  if (index < 0) return undefined;
  let [low, high] = [0, blocks.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((blocks[middle] as Block).start <= index) low = middle;
    else high = middle;
  }
  return blocks[low];
}

/** Sections of one session and day that follow one another have one heading, and so have sessions of one event each. */
function headingsOf(sections: readonly Section[], folds: Folds) {
  const counts = new Map<string, number>();
  for (const { session, rows } of sections) counts.set(session, (counts.get(session) ?? 0) + rows.length);
  const groups: { readonly session: string; readonly fold: string; readonly sections: Section[] }[] = [];
  for (const section of sections) {
    const isLone = !section.prompt && counts.get(section.session) === 1;
    const session = isLone ? "" : section.session;
    const fold = `${section.agent ?? ""} ${session} ${factsOf(section).day}`;
    const last = groups.at(-1);
    if (last?.fold === fold) last.sections.push(section);
    else groups.push({ session, fold, sections: [section] });
  }
  const times = new Map<string, number>();
  return groups.map(({ session, fold, sections }) => {
    const agent = sections[0]?.agent;
    const time = (times.get(fold) ?? 0) + 1;
    times.set(fold, time);
    const parts = sections.map((section) => {
      const { prompt, rows, from, to } = section;
      const { counts } = factsOf(section);
      if (!prompt) return { rows, counts };
      const key = `turn ${prompt.key}`;
      const isFolded = folds.chosen.has(key) !== folds.turns;
      const { events, refused, failed } = counts;
      const kind = "turn" as const;
      return {
        rows,
        counts,
        turn: { kind, key, fold: key, isFolded, session, prompt, from, to, events, refused, failed },
      };
    });
    return {
      kind: "session" as const,
      key: `${fold} ${time}`,
      fold,
      isFolded: folds.chosen.has(fold),
      session,
      ...(agent !== undefined && { agent }),
      from: sections.at(-1)?.from ?? "",
      to: sections[0]?.to ?? "",
      ...sumOf(parts.map(({ counts }) => counts)),
      parts,
    };
  });
}

const known = new WeakMap<Section, { readonly day: string; readonly counts: Counts }>();

function factsOf(section: Section) {
  const facts = known.get(section) ?? { day: dayOf(section.from), counts: countsOf(section.rows) };
  known.set(section, facts);
  return facts;
}

type Counts = Pick<Heading, "events" | "refused" | "failed">;

function countsOf(rows: readonly EventRow[]): Counts {
  let [refused, failed] = [0, 0];
  for (const row of rows) {
    if (isRefused(row.decision)) refused += 1;
    if (row.failed > 0) failed += 1;
  }
  return { events: rows.length, refused, failed };
}

function sumOf(all: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) => all.reduce((total, counts) => total + counts[name], 0);
  return { events: sum("events"), refused: sum("refused"), failed: sum("failed") };
}
