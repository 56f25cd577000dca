import { setImmediate } from "node:timers/promises";
import { messageOf } from "@belay/core/internal";
import type { EventRecord } from "@belay/engine";
import { redactRecord } from "@belay/engine/internal";
import { type LoggingAgent, recordMaker } from "@belay/harness";
import { entryReader, type LeftOut, type Wanted } from "./entries.ts";
import type { LogFile, LogPlace } from "./files.ts";
import { PAUSE } from "./lines.ts";
import { SECRETS } from "./redact.ts";

/** The logs of one agent, as they were found. */
export interface FoundLogs {
  readonly agent: LoggingAgent;
  readonly place: LogPlace;
}

type Matches = (record: EventRecord) => boolean;

/**
 * Session logs as records of events, without secrets: what commands read in the place of a journal. `hides` is false for
 * a journal, which hides secrets itself, and for hooks, which were given them then.
 */
export function logRecords(
  found: readonly FoundLogs[],
  wanted: Wanted,
  leaveOut: (what: LeftOut) => void,
  hides = true,
) {
  const sources = found.flatMap(({ agent, place }) => {
    const { entriesOf } = entryReader(agent, wanted, leaveOut);
    place.unread.forEach(leaveOut);
    return place.files.map((file) => ({ agent, file, entriesOf }));
  });
  type Source = (typeof sources)[number];

  function* recordsOf(
    { agent, file, entriesOf }: Source,
    matches: Matches,
  ): Generator<EventRecord | typeof PAUSE> {
    const { add, end } = recordMaker(agent, file.path);
    const shown = function* (records: readonly EventRecord[]) {
      for (const record of records.filter(matches)) {
        try {
          yield hides ? redactRecord(record, SECRETS) : record;
        } catch (error) {
          leaveOut({ path: file.path, why: messageOf(error) });
        }
      }
    };
    for (const entry of entriesOf(file.path)) {
      if (entry === PAUSE) yield PAUSE;
      else yield* shown(add(entry));
    }
    yield* shown(end());
  }

  return {
    /** All of them, file by file. */
    inFiles: async function* (matches: Matches): AsyncGenerator<EventRecord> {
      for (const source of sources)
        for (const record of recordsOf(source, matches)) {
          if (record === PAUSE) await setImmediate();
          else yield record;
        }
    },
    /** What is kept of the last ones, the newest last. Files that were written to before all of them are not read. */
    last: <Kept>(count: number, matches: Matches, keep: (record: EventRecord) => Kept): Kept[] => {
      let newest: { readonly time: string; readonly kept: Kept }[] = [];
      const cut = () => {
        newest = newest.sort(byTime).slice(-count);
      };
      for (const source of sources.sort((a, b) => b.file.changed - a.file.changed)) {
        const [least] = newest;
        if (count === 0 || (newest.length === count && least && source.file.changed < Date.parse(least.time)))
          break;
        for (const record of recordsOf(source, matches)) {
          if (record === PAUSE) continue;
          newest.push({ time: record.time, kept: keep(record) });
          if (newest.length > 2 * count + ROOM) cut();
        }
        cut();
      }
      return newest.map(({ kept }) => kept);
    },
    /** All of them, the oldest first: of each session in its order, and sessions beside each other as they were. */
    all: async function* (matches: Matches): AsyncGenerator<EventRecord> {
      const waiting = sources
        .map((source) => ({ source, from: firstTime(source.agent, source.file, wanted) }))
        .filter(({ from }) => from !== undefined)
        .sort((a, b) => ((a.from as string) < (b.from as string) ? -1 : 1));
      const open: { next: EventRecord; rest: Generator<EventRecord | typeof PAUSE> }[] = [];
      const advance = async (rest: Generator<EventRecord | typeof PAUSE>) => {
        for (;;) {
          const { value, done } = rest.next();
          if (done) return undefined;
          if (value !== PAUSE) return value;
          await setImmediate();
        }
      };
      for (;;) {
        open.sort((a, b) => byTime(a.next, b.next));
        const [first] = open;
        const [soon] = waiting;
        if (soon && (!first || (soon.from as string) <= first.next.time)) {
          waiting.shift();
          const rest = recordsOf(soon.source, matches);
          const next = await advance(rest);
          if (next) open.push({ next, rest });
        } else if (first) {
          yield first.next;
          const next = await advance(first.rest);
          if (next) first.next = next;
          else open.shift();
        } else return;
      }
    },
  };
}

/** Records that are sorted at once. */
const ROOM = 1000;

function byTime(a: { readonly time: string }, b: { readonly time: string }): number {
  return a.time < b.time ? -1 : a.time > b.time ? 1 : 0;
}

/** When a log begins to say what is wanted; its first block tells it. One that has flaws and nothing else is read for these. */
function firstTime(agent: LoggingAgent, { path }: LogFile, wanted: Wanted): string | undefined {
  let isFlawed = false;
  const noteFlaw = () => {
    isFlawed = true;
  };
  for (const entry of entryReader(agent, wanted, noteFlaw).entriesOf(path))
    if (entry !== PAUSE) return entry.time;
  return isFlawed ? "" : undefined;
}
