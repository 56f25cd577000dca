import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type EventName, type EventRecord, isEventName, isObject } from "@belay/core";
import { findProject, journalFolder } from "@belay/engine/tools";
import { BELAY } from "../next.ts";

/** The event of a record, as a case takes it over. */
export interface Recorded {
  readonly event: EventName;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The folder it happened in; the working folder of the case stands in for it. */
  readonly cwd: string;
}

/** A file with one record, else the record of this id in the project's journal. Throws with what is wrong. */
export function readRecorded(named: string, folder: string): Recorded {
  const file = resolve(folder, named);
  if (existsSync(file)) return recordIn(readFileSync(file, "utf8"), named);
  const journal = journalFolder(findProject(folder));
  for (const name of journalFiles(journal)) {
    const line = readFileSync(join(journal, name), "utf8")
      .split("\n")
      .find((text) => text.includes(named) && idOf(text) === named);
    if (line !== undefined) return recordIn(line, named);
  }
  throw new Error(
    `record ${named} is neither a file nor in the journal of this project; next: ${BELAY} run writes one`,
  );
}

function journalFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .reverse();
}

function idOf(line: string): unknown {
  try {
    return (JSON.parse(line) as EventRecord).id;
  } catch {
    return undefined; // A writer died in this line.
  }
}

function recordIn(text: string, named: string): Recorded {
  let record: unknown;
  try {
    record = JSON.parse(text.trim().startsWith("[") ? "" : text);
  } catch {
    throw new Error(`record ${named} is no JSON object of one record`);
  }
  const { event, payload, cwd } = Object(record) as Partial<EventRecord>;
  if (!isEventName(String(event)) || !isObject(payload))
    throw new Error(`record ${named} has no event and payload, as a line of the journal has`);
  return { event: event as EventName, payload, cwd: String(cwd ?? payload.cwd ?? "") };
}
