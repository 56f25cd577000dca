import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type EventName, type EventRecord, isEventName, isObject } from "@belay/core";
import { findProject, journalFolder, linesFromEnd, readText } from "@belay/engine/tools";
import { BELAY } from "../next.ts";

/** The event of a record, as a case takes it over. */
export interface Recorded {
  readonly event: EventName;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The folder it happened in; the working folder of the case stands in for it. */
  readonly cwd: string;
}

/** No record is longer. */
const MAX_BYTES = 64 * 1024 * 1024;

/** So much of an id tells records apart, mostly; `belay inspect` shows as much. */
const LEAST_ID = 8;

/** A file with one record, else the record of the project's journal whose id this is or begins. Throws with what is wrong. */
export function readRecorded(named: string, folder: string): Recorded {
  const file = resolve(folder, named);
  if (existsSync(file)) return recordIn(readText(file, { max: MAX_BYTES }), named);
  let found: EventRecord | undefined;
  let begun = 0;
  for (const line of linesFromEnd(journalFolder(findProject(folder)))) {
    if (!("record" in line)) continue;
    const { id } = line.record;
    if (id === named) return recordedOf(line.record, named);
    if (named.length < LEAST_ID || !id.startsWith(named)) continue;
    found = line.record;
    begun += 1;
  }
  if (found && begun === 1) return recordedOf(found, named);
  throw new Error(
    begun > 1
      ? `record ${named} begins ${begun} ids of the journal; name more of it: ${BELAY} tail --json prints them`
      : `record ${named} is neither a file nor in the journal of this project; the last one, with its id: ${BELAY} tail -n 1 --json`,
  );
}

function recordIn(text: string, named: string): Recorded {
  let record: unknown;
  try {
    record = JSON.parse(text.trim().startsWith("[") ? "" : text);
  } catch {
    throw new Error(`record ${named} is no JSON object of one record`);
  }
  return recordedOf(Object(record) as Partial<EventRecord>, named);
}

function recordedOf({ event, payload, cwd }: Partial<EventRecord>, named: string): Recorded {
  if (!isEventName(String(event)) || !isObject(payload))
    throw new Error(`record ${named} has no event and payload, as a line of the journal has`);
  return { event: event as EventName, payload, cwd: String(cwd ?? payload.cwd ?? "") };
}
