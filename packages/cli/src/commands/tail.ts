import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { safeJson } from "@belay/core/clean";
import type { EventRecord } from "@belay/engine";
import { followJournal, type JournalLine, linesFromEnd } from "@belay/engine/internal";
import { type Command, noArguments, readFlags, wholeNumber } from "../args/args.ts";
import { BELAY } from "../args/flags.ts";
import { drained, type Io, untilClosed, untilInterrupted } from "../io.ts";
import { FROM_FLAGS } from "../logs/from.ts";
import { tailFrom } from "../logs/tail.ts";
import {
  flawSayer,
  JOURNAL_FLAGS,
  journalPlace,
  type NothingFound,
  type RecordFilter,
  recordFilter,
  sayNothing,
  whyNothing,
} from "../records/journal.ts";
import { recordLines, type TailRow, tailRow } from "../render/tail.ts";

const USAGE = "belay tail [-n N] [-f] [options]";

const DEFAULT_COUNT = 20;

const FLAGS = {
  lines: {
    type: "string",
    short: "n",
    value: "N",
    help: `how many events, or all; ${DEFAULT_COUNT} if absent`,
  },
  follow: { type: "boolean", short: "f", help: "go on with every event as it is recorded, until Ctrl-C" },
  ...FROM_FLAGS,
  ...JOURNAL_FLAGS,
  json: { type: "boolean", help: "print the records as they are, one line of JSON each" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Shows the last events of this project's journal, the newest last.\nOf each: when it fired, its tool, the decision, the hook that made it, the time that the slowest hook took.",
  flags: FLAGS,
  examples: [
    "belay tail",
    "belay tail -f --decision deny --decision ask",
    "belay tail -n 100 --tool Bash --since 1d",
    "belay tail -n 1 --json",
    "belay tail -n all --json --since 7d > events.jsonl",
    "belay tail --from claude-code --decision deny",
  ],
  run: tail,
};

async function tail(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const filter = recordFilter(values);
  const count = linesOf(values.lines);
  const print = printer(values.json ?? false, io, /,|^all$/.test(values.from ?? ""));
  if (values.from !== undefined || values.project !== undefined)
    return tailFrom(values, positionals, count, print, io);
  noArguments(positionals, `usage: ${USAGE}`);
  const journal = journalPlace(undefined, values.cwd);
  const nothing = () => whyNothing("tail", journal, values);
  if (values.follow) return follow(journal.place, { count, filter, nothing }, print, io);
  const shown = showLast(linesFromEnd(journal.place), count, filter, print, io);
  if (shown === 0 && count > 0 && !values.json) sayNothing(nothing(), io);
  return 0;
}

function linesOf(given: string | undefined): number {
  if (given === "all") return Number.POSITIVE_INFINITY;
  if (given === undefined) return DEFAULT_COUNT;
  return wholeNumber("-n", given, "number of events", `for example: ${BELAY} tail -n 100, or -n all`);
}

type Printer = ReturnType<typeof printer>;

/** Prints what is shown of records. What was made of the records is kept until then, not the records. */
function printer(asJson: boolean, io: Io, namesAgent = false) {
  const lines = recordLines(io);
  return {
    keep: (record: EventRecord): TailRow | string =>
      asJson ? safeJson(record, 0) : tailRow(record, namesAgent),
    print: (kept: readonly (TailRow | string)[]) => {
      if (!asJson) io.out(lines(kept as TailRow[], new Date()));
      else for (const line of kept) io.out(`${line as string}\n`);
    },
  };
}

function showLast(
  lines: Iterable<JournalLine>,
  count: number,
  { matches, since }: RecordFilter,
  { keep, print }: Printer,
  io: Io,
): number {
  const newestFirst: (TailRow | string)[] = [];
  const flawed = flawSayer();
  for (const line of lines) {
    if (newestFirst.length === count) break;
    if ("flaw" in line) flawed.add(line);
    else if (matches(line.record)) newestFirst.push(keep(line.record));
    else if (since && isLongBefore(line.record.time, since)) break;
  }
  print(newestFirst.reverse());
  flawed.say(io);
  return newestFirst.length;
}

/** Records stand in the order in which their hooks ended: what is a day older has nothing newer before it. */
const SLACK_MS = 24 * 60 * 60 * 1000;

function isLongBefore(time: string, since: Date): boolean {
  return since.getTime() - new Date(time).getTime() > SLACK_MS;
}

const EVERY_MS = 100;

async function follow(
  folder: string,
  { count, filter, nothing }: { count: number; filter: RecordFilter; nothing: () => NothingFound },
  printer: Printer,
  io: Io,
): Promise<number> {
  const { signal: interrupted, done } = untilInterrupted();
  const signal = AbortSignal.any([interrupted, untilClosed()]);
  const follower = followJournal(folder);
  const place = follower.places.at(-1);
  // What stands behind that place, as half a line, is waited for.
  const before = place ? linesFromEnd(folder, { file: join(folder, place.file), at: place.at }) : [];
  const shown = showLast(before, count, filter, printer, io);
  if (shown === 0 && count > 0) io.err(`belay: ${nothing().why}; waiting for events, until Ctrl-C\n`);
  const flawed = flawSayer();
  try {
    while (!signal.aborted) {
      const { lines, more } = follower.look();
      for (const line of lines) {
        if ("flaw" in line) flawed.add(line);
        else if (filter.matches(line.record)) printer.print([printer.keep(line.record)]);
      }
      flawed.say(io);
      await drained();
      if (!more) await setTimeout(EVERY_MS, undefined, { signal }).catch(() => {});
    }
    return 0;
  } finally {
    done();
  }
}
