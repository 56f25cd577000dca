import { basename } from "node:path";
import type { EventRecord } from "@belay/core";
import { spanOf } from "@belay/core/compare";
import { shorten } from "@belay/core/internal";
import type { JournalPlace } from "@belay/engine/internal";
import type { EventFilter, EventRow } from "@belay/inspector/api";
import { FAULT, isHookNamed, isToolNamed } from "../args/records.ts";
import { unanswered } from "../records/outcome.ts";
import { callText, matchedText } from "../render/call.ts";
import { marksOf } from "../render/tail.ts";

const MAX_REASON = 240;

/** A record of the journal as a line of the timeline. */
export function rowOf(key: string, record: EventRecord): EventRow {
  const { id, time, event, hooks, payload, outcome, session } = record;
  const [only, another] = hooks;
  const { kind, reason = "", hook = another ? "" : (only?.name ?? "") } = outcome.decision;
  return {
    key,
    id,
    time,
    event,
    about: matchedText(record),
    subject: callText(payload),
    decision: kind,
    action: outcome.action,
    reason: shorten(reason.replaceAll(/\s+/g, " ").trim(), MAX_REASON),
    hook,
    hooks: hooks.length,
    failed: unanswered(record).length,
    marks: marksOf(record),
    took: spanOf(hooks),
    session: typeof session === "string" ? session : "",
  };
}

/** True if an event is to be shown. The cheap tests come first: a search goes through many records. */
export function passes(filter: EventFilter, row: EventRow, record: EventRecord): boolean {
  const { event, decision, tool, hook, session, text } = filter;
  if (event && row.event !== event) return false;
  if (decision && (decision === FAULT ? row.failed === 0 : row.decision !== decision)) return false;
  if (tool && !isToolNamed(record.payload.tool_name, tool)) return false;
  if (session && !row.session.startsWith(session)) return false;
  if (hook && !record.hooks.some(({ name }) => isHookNamed(name, hook))) return false;
  return !text || holds(record, text.toLowerCase());
}

/** True if any text in a value holds these words. */
function holds(value: unknown, words: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(words);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => holds(part, words));
}

export function keyOf({ file, at }: JournalPlace): string {
  return `${basename(file)}@${at}`;
}

/** The place that a key names; undefined if it names none. */
export function placeIn(key: string): JournalPlace | undefined {
  const [, file, at] = /^([\w.-]*)@(\d{1,15})$/.exec(key) ?? [];
  return file === undefined ? undefined : { file, at: Number(at) };
}
