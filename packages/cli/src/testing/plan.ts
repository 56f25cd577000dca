import { randomBytes } from "node:crypto";
import type { EventName } from "@belay/core";
import { payloadFor } from "../payload-args.ts";
import type { CaseFile, TestCase } from "./case-file.ts";
import { type HookOptions, hooksOf, scratchSettings } from "./hooks-of.ts";
import { type Recorded, readRecorded } from "./recorded.ts";
import { fillIn, mapText, type Places } from "./strings.ts";

/** What is known of all cases before one runs. */
export interface Planned {
  readonly hooks: ReadonlyMap<CaseFile, HookOptions>;
  payloadOf(test: TestCase, places: Places): { event: EventName; payload: Record<string, unknown> };
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
    payloadOf: (test, places) => {
      const record = records.get(test);
      if (record instanceof Error) throw record;
      const event = eventOf(test);
      if (event === undefined) throw new Error("it has no event");
      const recorded = record ? moved(record, places) : {};
      const own = fillIn(test.payload, places);
      const given = { ...recorded, ...own };
      const flags = { cwd: places.cwd, session: sessionOf(own, test) };
      return { event, payload: payloadFor(event, flags, given, "") };
    },
  };
}

/** One that no case had before, in no run: hooks keep things by their session, and not all of them in the home. */
function sessionOf({ session_id: named }: Readonly<Record<string, unknown>>, { index }: TestCase): string {
  return typeof named === "string" ? named : `case-${index + 1}-${randomBytes(4).toString("hex")}`;
}

function recordOf(named: string, folder: string): Recorded | Error {
  try {
    return readRecorded(named, folder);
  } catch (error) {
    return error as Error;
  }
}

/** A recorded payload, as if it had happened in the case's folder. */
function moved({ payload, cwd }: Recorded, places: Places): Record<string, unknown> {
  const here = (text: string) => (cwd === "" ? text : text.replaceAll(cwd, places.cwd));
  return mapText(payload, here) as Record<string, unknown>;
}
