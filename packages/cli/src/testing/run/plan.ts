import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type EventName, type EventRecord, isEventName } from "@belay/core";
import { isObject } from "@belay/core/internal";
import { findProject, journalFolder, linesFromEnd, readText } from "@belay/engine/internal";
import { BELAY } from "../../args/flags.ts";
import { payloadFor } from "../../args/payload.ts";
import type { CaseFile, TestCase } from "../read/case-file.ts";
import { type HookOptions, hooksOf, scratchSettings } from "../read/hooks.ts";
import { type CaseFolders, fillIn, mapText } from "./case-folders.ts";

export interface Planned {
  readonly hooks: ReadonlyMap<CaseFile, HookOptions>;
  payloadOf(test: TestCase, folders: CaseFolders): { event: EventName; payload: Record<string, unknown> };
}

/** A record that cannot be found is the fault of its case. */
export function plan(files: readonly CaseFile[], root: string): Planned {
  const records = new Map<TestCase, Recorded | Error>();
  for (const test of files.flatMap(({ cases }) => cases))
    if (test.record !== undefined) records.set(test, recordOf(test.record, test.file.folder));
  const eventOf = (test: TestCase): EventName | undefined => {
    const record = records.get(test);
    return test.event ?? (record instanceof Error ? undefined : record?.event);
  };
  const hooks = new Map(
    files.map((file, index) => {
      const events = file.cases.flatMap((test) => eventOf(test) ?? []);
      return [file, hooksOf(file, events, scratchSettings(root, index))] as const;
    }),
  );
  return {
    hooks,
    payloadOf: (test, folders) => {
      const record = records.get(test);
      if (record instanceof Error) throw record;
      const event = eventOf(test);
      if (event === undefined) throw new Error("it has no event");
      const recorded = record ? moved(record, folders) : {};
      const own = fillIn(test.payload, folders);
      const given = { ...recorded, ...own };
      const flags = { cwd: folders.cwd, session: sessionOf(own, test) };
      return { event, payload: payloadFor(event, flags, given, "") };
    },
  };
}

/** A session that no case had before, in this run or another: hooks keep things by their session, also outside the home. */
function sessionOf({ session_id: named }: Readonly<Record<string, unknown>>, { index }: TestCase): string {
  return typeof named === "string" ? named : `case-${index + 1}-${randomUUID().slice(0, 8)}`;
}

function recordOf(named: string, folder: string): Recorded | Error {
  try {
    return readRecorded(named, folder);
  } catch (error) {
    return error as Error;
  }
}

function moved({ payload, cwd }: Recorded, folders: CaseFolders): Record<string, unknown> {
  const here = (text: string) => (cwd === "" ? text : text.replaceAll(cwd, folders.cwd));
  return mapText(payload, here) as Record<string, unknown>;
}

interface Recorded {
  readonly event: EventName;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The folder it happened in; the working folder of the case stands in for it. */
  readonly cwd: string;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Characters of an id that are enough to name a record; `belay inspect` shows as many. */
const LEAST_ID = 8;

/** A file with one record, else the record of the project's journal whose id this is or begins. Throws with what is wrong. */
function readRecorded(named: string, folder: string): Recorded {
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
