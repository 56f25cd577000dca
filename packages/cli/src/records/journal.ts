import { join, resolve } from "node:path";
import { DECISION_KINDS, type DecisionKind } from "@belay/core";
import { clean, oneLine } from "@belay/core/clean";
import { wordFor } from "@belay/core/compare";
import { nearest, plural, shellWord } from "@belay/core/internal";
import { EVENT_NAMES, type EventRecord, UsageError } from "@belay/engine";
import {
  findProject,
  type JournalFlaw,
  type JournalLine,
  journalFolder,
  linesFromEnd,
  linesFromStart,
  readText,
  statOf,
} from "@belay/engine/internal";
import { type FlagValues, oneOf } from "../args/args.ts";
import { BELAY, flagsOf, nextCommand, workingFolder } from "../args/flags.ts";
import { EXAMPLE_EVENT } from "../hooks/first-hook.ts";
import type { Io } from "../io.ts";
import { commandLines, shorten, wrap } from "../render/text.ts";
import { unanswered } from "./outcome.ts";

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
      const { event, time, payload } = record;
      return (
        (!events || events.includes(event)) &&
        (!decisions || decisions.some((meant) => isDecided(record, meant))) &&
        (!tool || tool.some((given) => isToolNamed(payload.tool_name, given))) &&
        (!hook || namesIn(record).some((name) => hook.some((given) => isHookNamed(name, given)))) &&
        (!since || new Date(time) >= since)
      );
    },
  };
}

/** The hooks of an event. In a session log the one that decided may be named alone. */
export function namesIn({ hooks, outcome }: EventRecord): string[] {
  return [
    ...hooks.map(({ name }) => name),
    ...(outcome.decision.hook === undefined ? [] : [outcome.decision.hook]),
  ];
}

function isDecided(record: EventRecord, meant: ReturnType<typeof decisionMeant>): boolean {
  return meant === FAULT ? unanswered(record).length > 0 : record.outcome.decision.kind === meant;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

export function sinceOf(given: string, now: Date): Date {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(given) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * (UNITS[unit] ?? 0) * 1000);
  const time = new Date(given);
  if (/^\d{4}-/.test(given) && !Number.isNaN(time.getTime())) return time;
  throw new UsageError(
    `--since ${JSON.stringify(given)} is no time`,
    "for example: --since 30m, --since 7d, --since 2026-01-31, --since 2026-01-31T09:00",
  );
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

export type FlawSayer = ReturnType<typeof flawSayer>;

/** Says of lines that are no records the first few, and how many more there are. */
export function flawSayer() {
  const said = fewSayer((more) => `and ${more} more that ${more === 1 ? "is" : "are"} no whole records`);
  return {
    add: (line: JournalLine) => {
      if ("flaw" in line)
        said.add(() => `left out a line that ${FLAWS[line.flaw]}: ${oneLine(line.file)}, at byte ${line.at}`);
    },
    say: said.say,
  };
}

const MAX_SAID = 3;

/** Says the first few of many things, and how many more there are. */
export function fewSayer(rest: (more: number) => string) {
  const first: string[] = [];
  let more = 0;
  return {
    add: (text: () => string) => {
      if (first.length === MAX_SAID) more += 1;
      else first.push(text());
    },
    say: (io: Io) => {
      for (const text of first.splice(0)) io.err(`belay: ${text}\n`);
      if (more > 0) io.err(`belay: ${rest(more)}\n`);
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

/** Where records are, and which of them are meant before any filter. */
export interface JournalPlace {
  readonly place: string;
  readonly named?: string;
  readonly session?: string;
  isMeant(record: EventRecord): boolean;
}

/** A journal's file, its folder, or a session of this project's journal; without a name that journal as a whole. */
export function journalPlace(named: string | undefined, cwd: string | undefined): JournalPlace {
  const own = journalFolder(findProject(workingFolder(cwd)));
  if (named === undefined) return { place: own, isMeant: () => true };
  const path = resolve(named);
  const stat = statOf(path);
  const isFolder = stat?.isDirectory() ?? false;
  if (stat && !(isFolder && linesFromEnd(path).next().done))
    return { place: path, named, isMeant: () => true };
  const isMeant = ({ session }: EventRecord) => session === named;
  const others = new Set<string>();
  for (const line of linesFromEnd(own)) {
    if (!("record" in line)) continue;
    if (isMeant(line.record)) return { place: own, named, session: named, isMeant };
    if (others.size < MAX_NAMED) others.add(line.record.session);
  }
  throw isFolder
    ? new UsageError(
        `${JSON.stringify(named)} is a folder without a journal, and no session of this project`,
        `if its project is meant: --cwd ${shellWord(clean(named))}`,
      )
    : noSession(named, [...others], nothingText(nothingYet(own, cwd)));
}

const MAX_NAMED = 3;

function noSession(named: string, others: readonly string[], nothing: string): UsageError {
  const given = JSON.stringify(named);
  return others.length === 0
    ? new UsageError(`${given} is no file and no folder, and there are no sessions: ${nothing}`)
    : new UsageError(
        `${given} is no file, no folder and no session of this project`,
        `its last sessions: ${others.map(oneLine).join(", ")}`,
      );
}

/** Why no record is meant, and what to type next. */
export interface NothingFound {
  readonly why: string;
  readonly label: string;
  readonly command: string;
}

type Values = RecordFlags & { readonly cwd?: string; readonly limit?: string };

/** Reads the whole journal once more, to say how many records there are. */
export function whyNothing(
  name: "tail" | "stats" | "replay",
  { place, named, session, isMeant }: JournalPlace,
  values: Values,
): NothingFound {
  const { records, tools } = lookThrough(place, isMeant);
  const again = (command: string) => `${BELAY} ${command}${flagsOf(values, ["cwd"])}`;
  const filters = filtersOf(values);
  if (records > 0 && filters !== "") {
    const events = `${plural(records, "event")}${session === undefined ? "" : ` of session ${oneLine(session)}`}`;
    return {
      why: `of ${events} in ${oneLine(place)} none fits ${filters}${toolMeant(values.tool, tools)}`,
      label: "next",
      command: again(named === undefined ? "tail" : `${name} ${shellWord(clean(named))}`),
    };
  }
  if (named === undefined) return nothingYet(place, values.cwd);
  return {
    why: `nothing is recorded in ${oneLine(place)}`,
    label: "next, for this project's own journal",
    command: again(name),
  };
}

/** Beside the records of a project: the last payload that belay record could not read, and why. */
export const NOT_RECORDED = "not-recorded.txt";

const MAX_NOTE = 500;

function lastNotRecorded(place: string): string {
  try {
    return shorten(oneLine(readText(join(place, NOT_RECORDED)).trim()), MAX_NOTE);
  } catch {
    return "";
  }
}

/** Of a project's own journal: any event that fires there is recorded in it. */
export function nothingYet(place: string, cwd: string | undefined): NothingFound {
  const last = lastNotRecorded(place);
  return {
    why: `nothing has been recorded yet in ${oneLine(place)}${last === "" ? "" : `; the last of what was not recorded, ${last}`}`,
    label: "next",
    command: nextCommand("run", { cwd }, EXAMPLE_EVENT),
  };
}

export function sayNothing({ why, label, command }: NothingFound, { out, columns }: Io): void {
  const next = label.replace(/^\w/, (letter) => letter.toUpperCase());
  out(`${[...wrap(`${why}. ${next}:`, columns), ...commandLines(command, columns)].join("\n")}\n`);
}

export function nothingText({ why, label, command }: NothingFound): string {
  return `${why}; ${label}: ${command}`;
}

export function filtersOf(values: Values): string {
  const names = [...Object.keys(RECORD_FLAGS), ...(Number(values.limit) === 0 ? ["limit"] : [])];
  return flagsOf(values, names).trim();
}

/** Names of tools that are kept: hosts may invent them, without end. */
const MAX_TOOLS = 1000;

function lookThrough(place: string, isMeant: JournalPlace["isMeant"]) {
  let records = 0;
  const tools = new Set<string>();
  for (const line of linesFromEnd(place)) {
    if (!("record" in line && isMeant(line.record))) continue;
    records += 1;
    const { tool_name: tool } = line.record.payload;
    if (typeof tool === "string" && tools.size < MAX_TOOLS) tools.add(tool);
  }
  return { records, tools };
}

function toolMeant(given: readonly string[] = [], tools: ReadonlySet<string>): string {
  const unknown = given.find((tool) => ![...tools].some((name) => isToolNamed(name, tool)));
  const guess = unknown === undefined ? undefined : nearest(unknown, [...tools]);
  return guess === undefined ? "" : ` (did you mean --tool ${shellWord(clean(guess))}?)`;
}
