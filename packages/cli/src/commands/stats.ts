import { oneLine, safeJson } from "@belay/core/clean";
import { plural } from "@belay/core/internal";
import { noArguments, readFlags } from "../args/args.ts";
import { flawSayer, JOURNAL_FLAGS, recordFilter, recordsFor } from "../args/records.ts";
import type { Io } from "../io.ts";
import { nextCommand } from "../next-command.ts";
import { journalPlace } from "../records/journal-place.ts";
import { type NothingFound, sayNothing, whyNothing } from "../records/nothing-found.ts";
import { hookStats } from "../records/stats.ts";
import { progressLine } from "../render/progress.ts";
import { renderStats } from "../render/stats.ts";
import { NOT_COMPARABLE, whyNotDecided } from "../replay/comparison.ts";
import type { Command } from "./command.ts";

const USAGE = "belay stats [journal file | folder | session id] [options]";

const FLAGS = {
  ...JOURNAL_FLAGS,
  json: { type: "boolean", help: "print the numbers as JSON; times are milliseconds" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Shows what each hook did and cost, by the journal: runs, faults, failures, denies, times, and its share of what events waited for.\nNames the hook that would gain the most if its process were kept (warm).",
  flags: FLAGS,
  examples: ["belay stats", "belay stats --since 7d", "belay stats --tool Bash --json"],
  run: stats,
};

async function stats(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [named, ...extra] = positionals;
  noArguments(extra, `usage: ${USAGE}`);
  const filter = recordFilter(values);
  const journal = journalPlace(named, values.cwd);
  const flawed = flawSayer();
  const counted = hookStats();
  let seen = 0;
  let unknown = 0;
  let last = "";
  const progress = progressLine(values.json ? { ...io, isTerminal: false } : io, () => `${seen} events …`);
  try {
    for await (const record of recordsFor(journal, filter, flawed)) {
      seen += 1;
      if (whyNotDecided(record)) unknown += 1;
      else {
        counted.add(record);
        last = record.event;
      }
    }
  } finally {
    progress.wipe();
  }
  const found = counted.stats();
  if (values.json) io.out(`${safeJson(found)}\n`);
  else if (seen === 0) sayNothing(whyNothing("stats", journal, values), io);
  else if (found.hooks.length > 0) io.out(renderStats(found, io));
  else if (found.events > 0) sayNothing(noRuns(found.events, last, journal.place, values.cwd), io);
  flawed.say(io);
  if (unknown > 0) io.err(`belay: left out ${plural(unknown, "record")} ${NOT_COMPARABLE.unreadable}\n`);
  return 0;
}

function noRuns(events: number, last: string, place: string, cwd: string | undefined): NothingFound {
  return {
    why: `of ${plural(events, "event")} in ${oneLine(place)} none ran a hook`,
    label: "next, to see why",
    command: nextCommand("why", { cwd }, last),
  };
}
