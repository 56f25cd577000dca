import { eventRow, isEventName, isRefused } from "@belay/core";
import type { EventRecord } from "@belay/engine";
import { withoutPlace } from "../chat/speaker.ts";
import { decisionWord } from "../decision-words.ts";
import type { Io } from "../io.ts";
import { hasUntrusted } from "../kept-from-running.ts";
import { unanswered } from "../unanswered.ts";
import { briefly, callText } from "./call.ts";
import { tellingLine } from "./telling-line.ts";
import { fit, milliseconds, outputLine, type Paint, paintFor, shorten, width, wrap } from "./text.ts";

/** What a line shows of a record. */
export interface TailRow {
  readonly time: Date;
  readonly event: string;
  /** What its matcher is tested against: mostly the tool. */
  readonly about: string;
  /** What it was called with. */
  readonly call?: string;
  readonly decision: EventRecord["outcome"]["decision"]["kind"];
  /** What stands in its place, in its colour. */
  readonly said: string;
  readonly hook: string;
  /** Of the slowest hook, in milliseconds. */
  readonly took?: number;
  /** Where there is none, what it was called with: that tells one event from the next. */
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
  const said = reason === "" ? tellingLine(failed[0]?.why ?? "") : reason;
  const took = hooks.reduce((most, { run }) => Math.max(most, run.executionTime), 0);
  return {
    time: new Date(time),
    event: briefly(event),
    about: typeof about === "string" ? briefly(about) : "",
    decision: kind,
    said: `${briefly(decisionWord(kind))}${marksOf(record, failed.length)}`,
    hook: briefly(withoutPlace(hook ?? hooksOf(hooks))),
    ...(hooks.length > 0 && { took }),
    reason: said === "" ? callText(payload) : shorten(outputLine(said), MAX_TEXT),
  };
}

/** What an unremarkable decision would hide. */
function marksOf(record: EventRecord, failed: number): string {
  const { decision, updatedInput, updatedPrompt } = record.outcome;
  const { length: all } = record.hooks;
  const marks = [
    ...(updatedInput && !isRefused(decision.kind) ? ["input rewritten"] : []),
    ...(updatedPrompt !== undefined && !isRefused(decision.kind) ? ["prompt rewritten"] : []),
    ...(hasUntrusted(record) ? ["hook not trusted"] : []),
    ...(failed > 0 ? [all === 1 ? "! failed" : `! ${failed} of ${all} failed`] : []),
  ];
  return marks.length > 0 ? ` (${marks.join(", ")})` : "";
}

function hooksOf(hooks: EventRecord["hooks"]): string {
  const [only] = hooks;
  return hooks.length === 1 && only ? only.name : hooks.length === 0 ? "no hook" : `${hooks.length} hooks`;
}

const GAP = 2;
/** A column of words, and the least of it that is worth its place. */
const LEAST = { event: 4, about: 4, call: 8, hook: 12, reason: 16 };

/** What a row shows, column by column. */
type Columns = ReturnType<typeof widths>;

/** Of a reason that stands under its row. */
const INDENT = " ".repeat(4);

/**
 * A line per event, in columns. Where there is no room the reason goes first, then the time taken, the tool, the hook. What
 * comes later keeps to the columns there were, or widens them. A reason without room is cut, or stands whole under its row.
 */
export function recordLines(
  io: Io,
  { reason: unfit }: { readonly reason: "cut" | "under" } = { reason: "cut" },
): (rows: readonly TailRow[], now: Date) => string {
  const paint = paintFor(io);
  const widest = widths();
  return (rows, now) => {
    const texts = rows.map((row) => ({
      ...row,
      when: whenOf(row.time, now),
      call: row.call ?? "",
      decision: row.said,
      took: row.took === undefined ? "" : milliseconds(row.took),
    }));
    for (const text of texts)
      for (const name of Object.keys(widest) as (keyof Columns)[])
        widest[name] = Math.max(widest[name], width(text[name]));
    const columns = sharedOut(io.room, (name) => widest[name]);
    return rows
      .map(({ decision }, index) => {
        const text = texts[index] as (typeof texts)[number];
        const isUnder = unfit === "under" && width(text.reason) > columns.reason;
        const cell = (name: keyof Columns) => (columns[name] > 0 ? [fit(text[name], columns[name])] : []);
        const line = [
          ...cell("when").map(paint.dim),
          ...cell("event"),
          ...cell("about"),
          ...cell("call"),
          ...cell("decision").map(colorOf(decision, paint)),
          ...cell("hook"),
          ...cell("took").map((took) => took.trim().padStart(columns.took)),
          ...(isUnder ? [] : cell("reason").map((reason) => paint.dim(reason.trimEnd()))),
        ].join(" ".repeat(GAP));
        const under = isUnder ? wrap(INDENT + text.reason, io.room).map(paint.dim) : [];
        return [line.trimEnd(), ...under].map((part) => `${part}\n`).join("");
      })
      .join("");
  };
}

/** How wide each column is; 0 leaves it out. */
function sharedOut(columns: number, natural: (name: keyof Columns) => number) {
  const given = widths();
  let room = columns + GAP;
  const give = (name: keyof typeof given, least: number, reserved = 0) => {
    const wanted = natural(name);
    const most = Math.min(wanted, room - GAP - reserved);
    if (wanted === 0 || most < Math.min(wanted, least)) return;
    given[name] = most;
    room -= most + GAP;
  };
  give("decision", 1);
  // Which call it was says more than when it was, and than which hook.
  const call = Math.min(natural("call"), LEAST.call);
  const hook = Math.min(natural("hook"), LEAST.hook) + GAP;
  if (call === 0) give("when", natural("when"));
  give("event", LEAST.event, call);
  give("about", LEAST.about, call > 0 ? call + GAP : hook);
  if (call > 0) {
    give("call", LEAST.call, hook);
    if (given.call === 0) give("call", LEAST.call);
    give("when", natural("when"), hook);
  }
  give("took", natural("took"), hook);
  give("hook", LEAST.event);
  give("reason", LEAST.reason);
  return given;
}

function widths() {
  return { when: 0, event: 0, about: 0, call: 0, decision: 0, hook: 0, took: 0, reason: 0 };
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
