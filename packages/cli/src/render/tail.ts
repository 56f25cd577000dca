import { isRefused } from "@belay/core";
import { type EventMark, failedWords, summaryLine, wordFor } from "@belay/core/compare";
import { whenOf, withoutPlace } from "@belay/core/internal";
import type { EventRecord } from "@belay/engine";
import type { Io } from "../io.ts";
import { hasUntrusted, unanswered } from "../records/outcome.ts";
import { briefly, callText, matchedText } from "./brief.ts";
import { fit, milliseconds, outputLine, type Paint, paintFor, shorten, width, wrap } from "./text.ts";

export interface TailRow {
  readonly time: Date;
  readonly event: string;
  readonly about: string;
  /** The input of the call. Without room for a column of its own, it stands where a reason is missing. */
  readonly call: string;
  readonly decision: EventRecord["outcome"]["decision"]["kind"];
  readonly said: string;
  /** Words behind the decision: what the decision does not tell. */
  readonly marks?: string;
  readonly hook: string;
  readonly took?: number;
  readonly reason: string;
}

const MAX_TEXT = 200;

export function tailRow(record: EventRecord): TailRow {
  const { time, event, hooks, payload, outcome } = record;
  const { kind, hook, reason = "" } = outcome.decision;
  const failed = unanswered(record);
  // A refusal may stand for a failure, and end in its words.
  const isFailure = failed.some(({ why }) => reason.endsWith(why));
  const said = reason === "" ? summaryLine(failed[0]?.why ?? "") : isFailure ? summaryLine(reason) : reason;
  const took = hooks.reduce((most, { run }) => Math.max(most, run.executionTime), 0);
  return {
    time: new Date(time),
    event: briefly(event),
    about: matchedText(record),
    decision: kind,
    said: briefly(wordFor(kind)),
    marks: markText(record, failed.length),
    hook: briefly(withoutPlace(hook ?? hooksOf(hooks))),
    ...(hooks.length > 0 && { took }),
    call: callText(payload),
    reason: shorten(outputLine(said), MAX_TEXT),
  };
}

/** What the decision does not tell of an event. A refused event carries no rewrite. */
export function marksOf(record: EventRecord): EventMark[] {
  const { decision, updatedInput, updatedPrompt } = record.outcome;
  const isCarried = !isRefused(decision.kind);
  const marks = {
    aborted: record.aborted === true,
    untrusted: hasUntrusted(record),
    input: isCarried && updatedInput !== undefined,
    prompt: isCarried && updatedPrompt !== undefined,
  };
  return (Object.keys(marks) as EventMark[]).filter((mark) => marks[mark]);
}

function markText(record: EventRecord, failed: number): string {
  const words = marksOf(record).map(wordFor);
  if (failed > 0) words.push(failedWords(failed, record.hooks.length));
  return words.length > 0 ? ` (${words.join(", ")})` : "";
}

function hooksOf(hooks: EventRecord["hooks"]): string {
  const [only] = hooks;
  return hooks.length === 1 && only ? only.name : hooks.length === 0 ? "no hook" : `${hooks.length} hooks`;
}

const INDENT = " ".repeat(4);
/** With so many columns, the call and the reason each have one. */
const ROOM_FOR_CALLS = 80;
/** Columns that a reason keeps beside a call; the time goes before them. */
const KEPT_REASON = 24;

function withoutCall(row: TailRow): TailRow {
  return { ...row, call: "", reason: row.reason === "" ? row.call : row.reason };
}

/** Columns of a terminal in which a tool's name is cut at so many letters. */
const NARROW = 100;
const LONGEST_TOOL = 16;

const UNDER = ["when", "hook", "reason"] as const;

/**
 * A line per event, in columns. Where there is no room the reason goes first, then the time taken, the tool, the hook. What
 * comes later keeps to the columns there were, or widens them. What has no room is cut, or stands whole under its row.
 */
export function recordLines(
  io: Io,
  unfit: "cut" | "under" = "cut",
): (rows: readonly TailRow[], now: Date) => string {
  const paint = paintFor(io);
  const widest = { ...widths(), said: 0 };
  // One long name of a tool must not take the room of every reason.
  const most: Partial<Columns> & { said?: number } = io.room < NARROW ? { about: LONGEST_TOOL } : {};
  const hasCalls = unfit === "under" || io.room >= ROOM_FOR_CALLS;
  return (rows, now) => {
    const texts = rows.map((row) => textsOf(hasCalls ? row : withoutCall(row), now));
    for (const text of texts)
      for (const name of Object.keys(widest) as (keyof typeof widest)[])
        widest[name] = Math.max(widest[name], Math.min(width(text[name]), most[name] ?? MAX_TEXT));
    const least =
      unfit === "under" ? { hook: LEAST.hook, reason: 0 } : { hook: LEAST.event, reason: KEPT_REASON };
    const columns = sharedOut(io.room, widest, least);
    return rows
      .map(({ decision }, index) => {
        const text = texts[index] as Texts;
        const under = unfit === "under" ? underRow(text, columns) : [];
        const shown = besideMarks(io.room, columns, text);
        const cell = (name: keyof Columns) => (shown[name] > 0 ? [fit(text[name], shown[name])] : []);
        const line = [
          ...cell("when").map(paint.dim),
          ...cell("event"),
          ...cell("about"),
          ...cell("call"),
          ...cell("decision").map(colorOf(decision, paint)),
          ...cell("hook"),
          ...cell("took").map((took) => took.trim().padStart(shown.took)),
          ...(under.includes("reason") ? [] : cell("reason").map((reason) => paint.dim(reason.trimEnd()))),
        ].join(" ".repeat(GAP));
        const more = under.map((name) => text[name]).join(" ".repeat(GAP));
        const lines = more === "" ? [] : wrap(INDENT + more, io.room).map(paint.dim);
        return [line.trimEnd(), ...lines].map((part) => `${part}\n`).join("");
      })
      .join("");
  };
}

type Texts = ReturnType<typeof textsOf>;

function textsOf({ time, call, marks = "", took, ...row }: TailRow, now: Date) {
  return {
    ...row,
    when: whenOf(time, now),
    call,
    decision: row.said + marks,
    took: took === undefined ? "" : milliseconds(took),
  };
}

/** The texts that stand under a row: those that have no column, and a reason that is cut. */
function underRow(text: Texts, columns: Columns): (typeof UNDER)[number][] {
  return UNDER.filter((name) =>
    name === "reason" ? width(text.reason) > columns.reason : text[name] !== "" && columns[name] === 0,
  );
}

function colorOf(decision: TailRow["decision"], paint: Paint) {
  if (isRefused(decision)) return paint.red;
  if (decision === "ask") return paint.yellow;
  return decision === "allow" ? paint.green : paint.dim;
}

const GAP = 2;
/** The least width of each column of words; with less room, the column is left out. */
const LEAST = { event: 4, about: 4, call: 8, hook: 12, reason: 16 };

type Columns = ReturnType<typeof widths>;

function widths() {
  return { when: 0, event: 0, about: 0, call: 0, decision: 0, hook: 0, took: 0, reason: 0 };
}

interface Least {
  readonly hook: number;
  readonly reason: number;
}

/** The widths of all columns. Where room is short, marks behind a decision do not widen its column. */
function sharedOut(room: number, widest: Columns & { readonly said: number }, kept: Least): Columns {
  const marked = shared(room, widest, kept);
  const isEnough = (Object.keys(marked) as (keyof Columns)[]).every((name) => {
    const { [name]: least = widest[name] }: Partial<Columns> = LEAST;
    return marked[name] >= Math.min(widest[name], least);
  });
  const marks = widest.decision - widest.said;
  return isEnough ? marked : shared(room, { ...widest, decision: widest.said }, kept, marks);
}

/** `marks`: columns to leave free behind a decision for its marks. For them the time goes, and words are cut to their least. */
function shared(columns: number, widest: Columns, kept: Least, marks = 0): Columns {
  const given = widths();
  let room = columns + GAP;
  const give = (name: keyof Columns, least: number, reserved = 0, spared = 0) => {
    const wanted = widest[name];
    const left = room - GAP - reserved;
    const most = Math.min(wanted, Math.max(left - spared, Math.min(left, least)));
    if (wanted === 0 || most < Math.min(wanted, least)) return;
    given[name] = most;
    room -= most + GAP;
  };
  give("decision", 1);
  // Which call it was says more than when it was, and than which hook.
  const call = Math.min(widest.call, LEAST.call);
  const hook = Math.min(widest.hook, LEAST.hook) + GAP;
  const about = marks > 0 && widest.about > 0 ? Math.min(widest.about, LEAST.about) + GAP : 0;
  if (call === 0) give("when", widest.when, marks > 0 ? LEAST.event + GAP + about + marks : 0);
  give("event", LEAST.event, call, about + marks);
  give("about", LEAST.about, call > 0 ? call + GAP : hook, Math.max(0, marks - hook));
  const reason =
    call > 0 && widest.reason > 0 && kept.reason > 0 ? Math.min(widest.reason, kept.reason) + GAP : 0;
  if (call > 0) {
    const when = reason > 0 ? widest.when + GAP : 0;
    const isRoomForBoth = room - GAP - hook - reason - when >= 2 * LEAST.call;
    give("call", LEAST.call, hook + reason + (isRoomForBoth ? when : 0));
    if (given.call === 0) give("call", LEAST.call);
    give("when", widest.when, hook + reason);
  }
  give("took", widest.took, hook + reason);
  give("hook", kept.hook, reason);
  // A reason is the hook's: it stands where that does.
  if (given.hook > 0) give("reason", LEAST.reason);
  return given;
}

/** The widths for a row whose marks stick out of their column: what follows gets the room that is left. */
function besideMarks(
  room: number,
  columns: Columns,
  text: Readonly<Record<"decision" | "hook" | "reason", string>>,
): Columns {
  const decision = width(text.decision);
  if (decision <= columns.decision) return columns;
  const { when, event, about, call } = columns;
  const given = { ...widths(), when, event, about, call };
  let left = [when, event, about, call].reduce((rest, wide) => rest - (wide > 0 ? wide + GAP : 0), room);
  const give = (name: "decision" | "hook" | "reason", least: number) => {
    const wanted = width(text[name]);
    if (left < Math.min(wanted, least)) return;
    given[name] = Math.min(wanted, left);
    left -= given[name] + GAP;
  };
  give("decision", 1);
  give("hook", LEAST.event);
  give("reason", LEAST.reason);
  return given;
}
