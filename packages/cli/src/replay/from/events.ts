import type { EventName, EventRecord } from "@belay/engine";
import { OPINION_EVENTS } from "@belay/harness";
import type { LeftOut, Wanted } from "../../logs/entries.ts";
import { type FoundLogs, logRecords } from "../../logs/records.ts";
import { isToolNamed } from "../../records/journal.ts";

/** Which events of which logs are meant. */
export interface Meant {
  readonly found: readonly FoundLogs[];
  readonly wanted: Wanted;
  readonly events: readonly EventName[];
  readonly tools: readonly string[] | undefined;
}

/** True if results of calls say nothing of these events. */
export function skimsFor(events: readonly EventName[]): boolean {
  return events.every((event) => OPINION_EVENTS.includes(event));
}

/** The events that are meant, in the order of the logs, with the secrets that hooks were given then. */
export function eventsMeant(
  { found, wanted, events, tools }: Meant,
  leaveOut: (what: LeftOut) => void,
): AsyncGenerator<EventRecord> {
  const isMeant = ({ event, payload }: EventRecord) =>
    events.includes(event) && (!tools || tools.some((tool) => isToolNamed(payload.tool_name, tool)));
  return logRecords(found, wanted, leaveOut, false).inFiles(isMeant);
}

/** Takes so many of all evenly, always the same ones. */
export function evenly(many: number, all: number): (index: number) => boolean {
  return (index) => Math.floor(((index + 1) * many) / all) > Math.floor((index * many) / all);
}
