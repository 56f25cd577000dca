import { setImmediate } from "node:timers/promises";
import type { EventName, EventRecord } from "@belay/engine";
import { type LoggingAgent, OPINION_EVENTS, recordMaker } from "@belay/harness";
import { entryReader, type LeftOut, type Wanted } from "../../logs/entries.ts";
import { PAUSE } from "../../logs/lines.ts";
import type { FoundLogs } from "../../logs/records.ts";
import { isToolNamed } from "../../records/journal.ts";

/** Which events of which logs are meant. */
export interface Meant {
  readonly found: readonly FoundLogs[];
  readonly wanted: Wanted;
  readonly events: readonly EventName[];
  readonly tools: readonly string[] | undefined;
}

export interface OfAgent {
  readonly agent: LoggingAgent;
  readonly event: EventRecord;
}

/** True if results of calls say nothing of these events. */
export function skimsFor(events: readonly EventName[]): boolean {
  return events.every((event) => OPINION_EVENTS.includes(event));
}

/** The events that are meant, in the order of the logs, with the secrets that hooks were given then. */
export async function* eventsMeant(
  { found, wanted, events, tools }: Meant,
  leaveOut: (what: LeftOut) => void,
): AsyncGenerator<OfAgent> {
  const isMeant = ({ event, payload }: EventRecord) =>
    events.includes(event) && (!tools || tools.some((tool) => isToolNamed(payload.tool_name, tool)));
  for (const { agent, place } of found) {
    const { entriesOf } = entryReader(agent, wanted, leaveOut);
    place.unread.forEach(leaveOut);
    const ofAgent = (records: readonly EventRecord[]) =>
      records.filter(isMeant).map((event) => ({ agent, event }));
    for (const { path } of place.files) {
      const { add, end } = recordMaker(agent, path);
      for (const entry of entriesOf(path)) {
        if (entry === PAUSE) await setImmediate();
        else yield* ofAgent(add(entry));
      }
      yield* ofAgent(end());
    }
  }
}

/** Takes so many of all evenly, always the same ones. */
export function evenly(many: number, all: number): (index: number) => boolean {
  return (index) => Math.floor(((index + 1) * many) / all) > Math.floor((index * many) / all);
}
