import { isRefused } from "@belay/core";
import { type EventMark, failedWords, relayWords, spanOf, summaryLine, wordFor } from "@belay/core/compare";
import { whenOf, withoutPlace } from "@belay/core/internal";
import type { EventRecord } from "@belay/engine";
import type { Io } from "../io.ts";
import { hasUntrusted, unanswered } from "../records/outcome.ts";
import { briefly, callText, matchedText } from "./brief.ts";
import { refuserOf } from "./refused.ts";
import {
  fit,
  milliseconds,
  oneLine,
  outputLine,
  type Paint,
  paintFor,
  shorten,
  width,
  wrap,
} from "./text.ts";

export interface TailRow {
  readonly time: Date;
  readonly event: string;
  readonly about: string;
  /** The input of the call. */
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

/** `namesAgent`: records are of several agents. */
export function tailRow(record: EventRecord, namesAgent = false): TailRow {
  const { time, event, hooks, payload, outcome, relayed } = record;
  const agent = relayed?.agent ?? (namesAgent ? record.agent : undefined);
  const { kind, hook, reason = "" } = outcome.decision;
  const failed = unanswered(record);
  // A refusal may stand for a failure, and end in its words.
  const isFailure = failed.some(({ why }) => reason.endsWith(why));
  const said = reason === "" ? summaryLine(failed[0]?.why ?? "") : isFailure ? summaryLine(reason) : reason;
  return {
    time: new Date(time),
    event: briefly(agent !== undefined ? `${agent} ${event}` : event),
    about: matchedText(record),
    decision: kind,
    said: briefly(wordFor(kind)),
    marks: markText(record, failed.length),
    hook: briefly(withoutPlace(hook ?? whoOf(record))),
    ...(hooks.length > 0 && { took: spanOf(hooks) }),
    call: callText(payload),
    reason: shorten(outputLine(said), MAX_TEXT),
  };
}

/** What the decision does not tell of an event. A refused event carries no rewrite. */
export function marksOf(record: EventRecord): EventMark[] {
  const { decision, updatedInput, updatedPrompt, updatedToolOutput } = record.outcome;
  const isCarried = !isRefused(decision.kind);
  const marks = {
    aborted: record.aborted === true,
    untrusted: hasUntrusted(record),
    input: isCarried && updatedInput !== undefined,
    prompt: isCarried && updatedPrompt !== undefined,
    output: updatedToolOutput !== undefined,
  };
  return (Object.keys(marks) as EventMark[]).filter((mark) => marks[mark]);
}

function markText(record: EventRecord, failed: number): string {
  const told = record.relayed ? relayWords(record.relayed) : [];
  const words = [...told.map(({ words }) => oneLine(words)), ...marksOf(record).map(wordFor)];
  if (failed > 0) words.push(failedWords(failed, record.hooks.length));
  return words.length > 0 ? ` (${words.join(", ")})` : "";
}

/** A log of another agent may have no run of a hook that ran. */
function whoOf({ hooks, agent, refusedBy }: EventRecord): string {
  const refuser = refuserOf(refusedBy);
  if (refuser !== undefined) return refuser;
  return agent !== undefined && hooks.length === 0 ? "" : hooksOf(hooks);
}

function hooksOf(hooks: EventRecord["hooks"]): string {
  const [only] = hooks;
  return hooks.length === 1 && only ? only.name : hooks.length === 0 ? "no hook" : `${hooks.length} hooks`;
}

const INDENT = " ".repeat(4);
const GAP = 2;
const WHOLE = MAX_TEXT;

type Column = "when" | "event" | "about" | "call" | "decision" | "hook" | "took" | "reason";
type Widths = Record<Column, number>;
type Grant = readonly [column: Column, most: number];

/** Cells that are cut begin small, for as many columns as there can be. */
const GRANTS_OF_CUT: readonly Grant[] = [
  ["hook", 8],
  ["reason", 16],
  ["call", 8],
  ["reason", 24],
];

/** Who gets room, in this order: a column begins if there is room for all of its grant, and later grants widen it. */
const grantsFor = (unfit: "cut" | "under"): readonly Grant[] => [
  ["decision", WHOLE],
  ["about", 4],
  ["event", 4],
  ["event", 10],
  ...(unfit === "cut" ? GRANTS_OF_CUT : []),
  ["call", 8],
  ["event", WHOLE],
  ["about", 16],
  ["hook", 12],
  ["call", 16],
  ["when", WHOLE],
  ["took", WHOLE],
  ["hook", WHOLE],
  ["call", WHOLE],
  ["reason", 16],
  ["reason", WHOLE],
  ["about", WHOLE],
];

const UNDER = ["when", "hook", "reason"] as const;

/**
 * A line per event, in columns. What comes later keeps to the columns there were, or widens them. What has no room is cut, or
 * stands whole under its row.
 */
export function recordLines(
  io: Io,
  unfit: "cut" | "under" = "cut",
): (rows: readonly TailRow[], now: Date) => string {
  const paint = paintFor(io);
  const widest = noColumns();
  return (rows, now) => {
    const texts = rows.map((row) => textsOf(row, now));
    for (const text of texts)
      for (const name of Object.keys(widest) as Column[])
        widest[name] = Math.max(widest[name], width(text[name]));
    const columns = sharedOut(io.room, widest, grantsFor(unfit));
    const cell = (text: Texts, name: Column) => (columns[name] > 0 ? [fit(text[name], columns[name])] : []);
    return rows
      .map(({ decision }, index) => {
        const text = texts[index] as Texts;
        const under = unfit === "under" ? underRow(text, columns) : [];
        const line = [
          ...cell(text, "when").map(paint.dim),
          ...cell(text, "event"),
          ...cell(text, "about"),
          ...cell(text, "call"),
          ...cell(text, "decision").map(colorOf(decision, paint)),
          ...cell(text, "hook"),
          ...cell(text, "took").map((took) => took.trim().padStart(columns.took)),
          ...(under.includes("reason")
            ? []
            : cell(text, "reason").map((reason) => paint.dim(reason.trimEnd()))),
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
function underRow(text: Texts, columns: Widths): (typeof UNDER)[number][] {
  return UNDER.filter((name) =>
    name === "reason" ? width(text.reason) > columns.reason : text[name] !== "" && columns[name] === 0,
  );
}

function colorOf(decision: TailRow["decision"], paint: Paint) {
  if (isRefused(decision)) return paint.red;
  if (decision === "ask") return paint.yellow;
  return decision === "allow" ? paint.green : paint.dim;
}

function noColumns(): Widths {
  return { when: 0, event: 0, about: 0, call: 0, decision: 0, hook: 0, took: 0, reason: 0 };
}

/** Only a decision is cut to what there is: a row without one says nothing. */
function sharedOut(columns: number, widest: Widths, grants: readonly Grant[]): Widths {
  const given = noColumns();
  let room = columns + GAP;
  for (const [name, most] of grants) {
    const wanted = Math.min(widest[name], most) - given[name];
    const gap = given[name] === 0 ? GAP : 0;
    const isCut = gap === 0 || name === "decision";
    const more = isCut ? Math.min(wanted, room - gap) : wanted;
    if (more <= 0 || more + gap > room) continue;
    given[name] += more;
    room -= more + gap;
  }
  return given;
}
