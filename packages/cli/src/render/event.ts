import { type EventName, eventRow, plural } from "@belay/core";
import type { Explanation } from "@belay/engine";
import type { Io } from "../io.ts";
import { stagesOf } from "./stages.ts";
import { hang, oneLine, type Paint, paintFor, shorten } from "./text.ts";

export interface EventView extends Pick<Explanation, "matches" | "payload"> {
  readonly event: EventName;
  /** The commands that say more; absent where the reader cannot run them (the demo's folder is gone by then). */
  readonly next?: { readonly why: string; readonly trust: string };
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
function eventLine({ event, payload }: EventView): string {
  const row = eventRow(event);
  const matched = row.matcher === undefined ? undefined : payload[row.matcher];
  const about = payload.tool_input ?? payload.prompt ?? payload.message ?? payload.last_assistant_message;
  const parts = [matched, about].filter((part) => part !== undefined);
  const text = parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" ");
  return `${event}  ${oneLine(text)}`;
}

function matchLines({ event, matches, next, noHooks = "" }: EventView, paint: Paint, room: number): string[] {
  if (matches.length === 0)
    return hang("", paint.yellow(`no hooks are configured; ${oneLine(noHooks)}`), room);
  const ours = matches.filter(({ because }) => because !== "other-event");
  const firing = ours.filter(({ fires }) => fires).length;
  const untrusted = ours.filter(({ because }) => because === "untrusted").length;
  const counts = `${firing} of ${plural(ours.length, "hook")} for ${event} fire${firing === 1 ? "s" : ""}`;
  const hints = [
    untrusted > 0 &&
      paint.yellow(
        `${untrusted} ${untrusted === 1 ? "matches but is" : "match but are"} not trusted; next: ${next?.trust}`,
      ),
    ours.length > firing && paint.dim(`${next?.why} says more`),
  ].filter((hint) => hint !== false);
  return [shorten(counts, room), ...(next ? hints.flatMap((hint) => hang("", hint, room)) : [])];
}
