import { DECISION_KINDS, type DecisionKind } from "@belay/core";
import { oneLine } from "@belay/core/clean";
import { wordFor } from "@belay/core/compare";
import { nearest } from "@belay/core/internal";
import { EVENT_NAMES, type EventRecord, UsageError } from "@belay/engine";
import { type JournalFlaw, type JournalLine, linesFromEnd, linesFromStart } from "@belay/engine/internal";
import type { Io } from "../io.ts";
import type { JournalPlace } from "../records/journal-place.ts";
import { unanswered } from "../records/outcome.ts";
import { type FlagValues, oneOf } from "./args.ts";

/** No decision, but asked for where one is: whatever was decided, a hook had a fault. */
export const FAULT = "fault";

const WORDS = [...DECISION_KINDS.map(wordFor), FAULT];

/** Each as it is typed: what is shown, quoted where it is two words. */
const DECISION_WORDS: readonly string[] = WORDS.map(typed);

/** The decision that is meant by what is shown, or by its name in JSON. */
function decisionMeant(given: string): DecisionKind | typeof FAULT {
  if (given === FAULT) return FAULT;
  const kind = DECISION_KINDS.find((one) => given === wordFor(one) || given === one);
  if (kind) return kind;
  const guess = nearest(given, WORDS);
  throw new UsageError(
    `there is no decision ${JSON.stringify(given)}`,
    guess === undefined ? `one of: ${DECISION_WORDS.join(", ")}` : `did you mean ${typed(guess)}?`,
  );
}

function typed(word: string): string {
  return word.includes(" ") ? JSON.stringify(word) : word;
}

/** Flags that say which records of a journal are meant. Several values of one flag: any of them. */
export const RECORD_FLAGS = {
  event: { type: "string", multiple: true, value: "EVENT", help: "only this event; repeatable" },
  hook: {
    type: "string",
    multiple: true,
    value: "TEXT",
    help: "only events that ran a hook whose name holds this; repeatable",
  },
  decision: {
    type: "string",
    multiple: true,
    value: "KIND",
    help: `only events decided so: ${DECISION_WORDS.join(", ")} of a hook; repeatable`,
  },
  tool: {
    type: "string",
    multiple: true,
    value: "NAME",
    help: "only tools whose name begins so, in any case; repeatable",
  },
  since: { type: "string", value: "TIME", help: "only what fired since: 30m, 12h, 7d, or a date and time" },
} as const;

export const JOURNAL_FLAGS = {
  ...RECORD_FLAGS,
  cwd: { type: "string", value: "DIR", help: "a folder of the project whose journal is meant" },
} as const;

export type RecordFlags = FlagValues<typeof RECORD_FLAGS>;

export interface RecordFilter {
  matches(record: EventRecord): boolean;
  /** What fired before is not meant. */
  readonly since: Date | undefined;
}

export function recordFilter(values: RecordFlags, now = new Date()): RecordFilter {
  const { hook, tool } = values;
  const events = values.event?.map((name) => oneOf(name, EVENT_NAMES, "event"));
  const decisions = values.decision?.map(decisionMeant);
  const since = values.since === undefined ? undefined : sinceOf(values.since, now);
  return {
    since,
    matches: (record) => {
      const { event, time, hooks, payload } = record;
      return (
        (!events || events.includes(event)) &&
        (!decisions || decisions.some((meant) => isDecided(record, meant))) &&
        (!tool || tool.some((given) => isToolNamed(payload.tool_name, given))) &&
        (!hook || hooks.some(({ name }) => hook.some((given) => isHookNamed(name, given)))) &&
        (!since || new Date(time) >= since)
      );
    },
  };
}

function isDecided(record: EventRecord, meant: ReturnType<typeof decisionMeant>): boolean {
  return meant === FAULT ? unanswered(record).length > 0 : record.outcome.decision.kind === meant;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

function sinceOf(given: string, now: Date): Date {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(given) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * (UNITS[unit] ?? 0) * 1000);
  const time = new Date(given);
  if (/^\d{4}-/.test(given) && !Number.isNaN(time.getTime())) return time;
  throw new UsageError(
    `--since ${JSON.stringify(given)} is no time`,
    "for example: --since 30m, --since 7d, --since 2026-01-31, --since 2026-01-31T09:00",
  );
}

/** A flag that is a number of something. */
export function countOf(
  given: string | undefined,
  flag: string,
  what: string,
  example: string,
): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new UsageError(`${flag} ${JSON.stringify(given)} is no number of ${what}`, `for example: ${example}`);
}

/** The records of a journal that are meant, the oldest first; of more than `limit` the last. `flawed` gets what is no record. */
export async function* recordsFor(
  { place, isMeant }: JournalPlace,
  { matches }: RecordFilter,
  flawed: FlawSayer,
  limit?: number,
): AsyncGenerator<EventRecord> {
  if (limit === 0) return;
  const isWanted = (record: EventRecord) => isMeant(record) && matches(record);
  const from = limit === undefined ? undefined : startOf(place, isWanted, limit);
  for await (const line of linesFromStart(place, from)) {
    if ("flaw" in line) flawed.add(line);
    else if (isWanted(line.record)) yield line.record;
  }
}

/** Where the last `limit` records begin; undefined if there are fewer. */
function startOf(
  place: string,
  isWanted: (record: EventRecord) => boolean,
  limit: number,
): JournalLine | undefined {
  let left = limit;
  for (const line of linesFromEnd(place)) {
    if ("flaw" in line || !isWanted(line.record)) continue;
    left -= 1;
    if (left === 0) return line;
  }
  return undefined;
}

const FLAWS: Record<JournalFlaw, string> = {
  torn: "was not written to its end",
  foreign: "is no record",
  long: "is too long to be a record",
};

const MAX_SAID = 3;

/** What is said of lines that are no records: the first few, and how many more. */
export interface FlawSayer {
  add(line: JournalLine): void;
  say(io: Io): void;
}

export function flawSayer(): FlawSayer {
  const first: string[] = [];
  let more = 0;
  return {
    add: (line) => {
      if (first.length === MAX_SAID) more += 1;
      else if ("flaw" in line)
        first.push(`left out a line that ${FLAWS[line.flaw]}: ${oneLine(line.file)}, at byte ${line.at}`);
    },
    say: (io) => {
      for (const text of first.splice(0)) io.err(`belay: ${text}\n`);
      if (more > 0) io.err(`belay: and ${more} more that ${more === 1 ? "is" : "are"} no whole records\n`);
      more = 0;
    },
  };
}

/* What narrows a journal down by a name: the same on the command line and on the page of belay inspect. */

/** Tools by the beginning of their names, in any case: `mcp__github` is all of a server's, and `bash` is Bash. */
export function isToolNamed(name: unknown, given: string): boolean {
  return typeof name === "string" && name.toLowerCase().startsWith(given.toLowerCase());
}

/** Hooks by any part: a name that was made up begins with its event. */
export function isHookNamed(name: string, given: string): boolean {
  return name.toLowerCase().includes(given.toLowerCase());
}
