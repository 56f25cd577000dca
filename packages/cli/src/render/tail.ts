import { eventRow, isEventName, isRefused } from "@belay/core";
import { type EventMark, failedWords, tellingLine, wordFor } from "@belay/core/compare";
import type { EventRecord } from "@belay/engine";
import { withoutPlace } from "../chat/speaker.ts";
import type { Io } from "../io.ts";
import { hasUntrusted } from "../kept-from-running.ts";
import { unanswered } from "../unanswered.ts";
import { briefly, callText } from "./call.ts";
import { besideMarks, type Columns, GAP, LEAST, sharedOut, widths } from "./row-columns.ts";
import { fit, milliseconds, outputLine, type Paint, paintFor, shorten, width, wrap } from "./text.ts";

/** What a line shows of a record. */
export interface TailRow {
  readonly time: Date;
  readonly event: string;
  /** What its matcher is tested against: mostly the tool. */
  readonly about: string;
  /** What it was called with. It has a column of its own where there is room; else it stands where there is no reason. */
  readonly call: string;
  readonly decision: EventRecord["outcome"]["decision"]["kind"];
  /** What stands in its place, in its colour. */
  readonly said: string;
  /** Behind it, what it would hide. */
  readonly marks?: string;
  readonly hook: string;
  /** Of the slowest hook, in milliseconds. */
  readonly took?: number;
  readonly reason: string;
}

/** No column is wider than this. */
const MAX_TEXT = 200;

export function tailRow(record: EventRecord): TailRow {
  const { time, event, hooks, payload, outcome } = record;
  const { kind, hook, reason = "" } = outcome.decision;
  const matcher = isEventName(event) ? eventRow(event).matcher : undefined;
  const about = matcher === undefined ? "" : payload[matcher];
  const failed = unanswered(record);
  // A refusal may stand for a failure, and end in its words.
  const isFailure = failed.some(({ why }) => reason.endsWith(why));
  const said = reason === "" ? tellingLine(failed[0]?.why ?? "") : isFailure ? tellingLine(reason) : reason;
  const took = hooks.reduce((most, { run }) => Math.max(most, run.executionTime), 0);
  return {
    time: new Date(time),
    event: briefly(event),
    about: typeof about === "string" ? briefly(about) : "",
    decision: kind,
    said: briefly(wordFor(kind)),
    marks: markText(record, failed.length),
    hook: briefly(withoutPlace(hook ?? hooksOf(hooks))),
    ...(hooks.length > 0 && { took }),
    call: callText(payload),
    reason: shorten(outputLine(said), MAX_TEXT),
  };
}

/** What an unremarkable decision would hide. A refused event carries no rewrite. */
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

/** Of what stands under its row. */
const INDENT = " ".repeat(4);
/** From so many columns on, both the call and the reason have a column. */
const ROOM_FOR_CALLS = 80;
/** So much of a reason is kept then, if need be for the time. */
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

/** A hook that is cut can still be told from others. */
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

/** In the reader's own time; the day only where it is another. */
function whenOf(time: Date, now: Date): string {
  if (Number.isNaN(time.getTime())) return "?";
  const two = (number: number) => String(number).padStart(2, "0");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return time.toDateString() === now.toDateString() ? clock : `${day} ${clock}`;
}
