import type { EventName } from "@belay/core";
import { eventRow, plural } from "@belay/core/internal";
import type { ExplainedMatch, Explanation } from "@belay/engine";
import { errorsIn, keptOff } from "../hooks/disabled.ts";
import type { Io } from "../io.ts";
import { stagesOf } from "./outcome.ts";
import { commandLines, hang, oneLine, type Paint, paintFor, shorten, width } from "./text.ts";

export interface EventView extends Pick<Explanation, "matches" | "payload" | "problems"> {
  readonly event: EventName;
  /** The commands that say more; absent where the reader cannot run them (the demo's folder is gone by then). */
  readonly next?: { readonly why: string; readonly trust: string; readonly check: string };
  /** What to do when no hooks are configured. */
  readonly noHooks?: string;
}

/** The stages that are known before a hook runs: the event, and what matches. */
export function renderEvent(view: EventView, io: Io): string {
  const { stage, room } = stagesOf(io);
  return `${[
    ...stage("event", [shorten(eventLine(view), room)]),
    ...stage("match", matchLines(view, paintFor(io), room)),
  ].join("\n")}\n`;
}

/** The event with what it is about: the matched value and the heart of the payload. */
export function eventLine({
  event,
  payload,
}: {
  readonly event: EventName;
  readonly payload: Readonly<Record<string, unknown>>;
}): string {
  const row = eventRow(event);
  const matched = row.matcher === undefined ? undefined : payload[row.matcher];
  const about = payload.tool_input ?? payload.prompt ?? payload.message ?? payload.last_assistant_message;
  const parts = [matched, about].filter((part) => part !== undefined);
  const text = parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" ");
  return `${event}  ${oneLine(text)}`;
}

function matchLines(view: EventView, paint: Paint, room: number): string[] {
  const { event, matches, problems, next } = view;
  if (matches.length === 0) return noHookLines(view, room).map(paint.yellow);
  const ours = matches.filter(({ because }) => because !== "other-event");
  const firing = ours.filter(({ fires }) => fires).length;
  const untrusted = ours.filter(({ because }) => because === "untrusted");
  const counts = `${firing} of ${plural(ours.length, "hook")} for ${event} fire${firing === 1 ? "s" : ""}`;
  if (next === undefined) return [shorten(counts, room)];
  const off = errorsIn(problems, event);
  return [
    shorten(counts, room),
    ...(off.length > 0 ? hint(`${keptOff(off)}; next:`, next.check, room).map(paint.yellow) : []),
    ...(untrusted.length > 0 ? hint(`${doubted(untrusted)}; next:`, next.trust, room).map(paint.yellow) : []),
    ...(ours.length > firing ? hint("this says more:", next.why, room).map(paint.dim) : []),
  ];
}

function doubted(untrusted: readonly ExplainedMatch[]): string {
  const count = untrusted.length;
  const edited = untrusted.filter(({ wasTrusted }) => wasTrusted).length;
  const since = edited > 0 ? ` (${edited} edited since you trusted ${edited === 1 ? "it" : "them"})` : "";
  return `${count} ${count === 1 ? "matches but is" : "match but are"} not trusted${since}`;
}

function noHookLines({ problems, next, noHooks = "" }: EventView, room: number): string[] {
  const off = errorsIn(problems);
  return off.length > 0 && next !== undefined
    ? hint(`${keptOff(off, "all hooks")}; next:`, next.check, room)
    : hang("", `no hooks are configured; ${oneLine(noHooks)}`, room);
}

/** A command to copy: beside its words, or below them where it would have to be broken. */
function hint(words: string, command: string, room: number): string[] {
  const line = `${words} ${command}`;
  return width(line) <= room ? [line] : [...hang("", words, room), ...commandLines(command, room)];
}
