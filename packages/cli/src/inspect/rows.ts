import { type EventRecord, isEventName } from "@belay/core";
import { spanOf } from "@belay/core/compare";
import { brief, eventRow, shorten } from "@belay/core/internal";
import type { JournalPlace } from "@belay/engine/internal";
import type { EventFilter, EventRow } from "@belay/inspector/api";
import { FAULT, isHookNamed, isToolNamed } from "../args/records.ts";
import { unanswered } from "../records/outcome.ts";
import { marksOf } from "../render/tail.ts";

const MAX_TEXT = 240;

export function rowOf(key: string, record: EventRecord): EventRow {
  const { id, time, event, hooks, payload, outcome, session } = record;
  const [only, another] = hooks;
  const { kind, reason = "", hook = another ? "" : (only?.name ?? "") } = outcome.decision;
  return {
    key,
    id,
    time,
    event,
    about: aboutOf(record),
    subject: subjectOf(payload),
    decision: kind,
    action: outcome.action,
    reason: line(reason),
    hook,
    hooks: hooks.length,
    failed: unanswered(record).length,
    marks: marksOf(record),
    took: spanOf(hooks),
    session: typeof session === "string" ? session : "",
  };
}

function aboutOf({ event, payload }: EventRecord): string {
  const field = isEventName(event) ? eventRow(event).matcher : undefined;
  const value = field === undefined ? undefined : payload[field];
  return typeof value === "string" ? line(value) : "";
}

/** Of an input with several fields the first text: tools put first what they are about. */
function subjectOf(payload: EventRecord["payload"]): string {
  const { tool_input: input, prompt, message, last_assistant_message: last } = payload;
  if (typeof input === "object" && input !== null) {
    const text = Object.values(input).find((value) => typeof value === "string");
    return line(typeof text === "string" ? text : brief(input));
  }
  const words = [prompt, message, last].find((value) => typeof value === "string");
  return typeof words === "string" ? line(words) : "";
}

function line(text: string): string {
  return shorten(
    text
      .slice(0, MAX_TEXT * 2)
      .replaceAll(/\s+/g, " ")
      .trim(),
    MAX_TEXT,
  );
}

/** Whether an event is to be shown. Cheap questions first: a search goes through very many. */
export function passes(filter: EventFilter, row: EventRow, record: EventRecord): boolean {
  const { event, decision, tool, hook, session, text } = filter;
  if (event && row.event !== event) return false;
  if (decision && (decision === FAULT ? row.failed === 0 : row.decision !== decision)) return false;
  if (tool && !isToolNamed(record.payload.tool_name, tool)) return false;
  if (session && !row.session.startsWith(session)) return false;
  if (hook && !record.hooks.some(({ name }) => isHookNamed(name, hook))) return false;
  return !text || holds(record, text.toLowerCase());
}

/** Its words anywhere in the record, as they read. */
function holds(value: unknown, words: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(words);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => holds(part, words));
}

export function keyOf({ file, at }: JournalPlace): string {
  return `${file}@${at}`;
}

/** Undefined for what is no place. */
export function placeIn(key: string): JournalPlace | undefined {
  const [, file, at] = /^([\w.-]*)@(\d{1,15})$/.exec(key) ?? [];
  return file === undefined ? undefined : { file, at: Number(at) };
}
