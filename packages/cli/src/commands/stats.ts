import { safeJson } from "@belay/core/clean";
import { UsageError } from "@belay/engine";
import { readFlags } from "../args.ts";
import type { Io } from "../io.ts";
import { journalPlace } from "../journal-place.ts";
import { flawSayer, RECORD_FLAGS, recordFilter, recordsFor } from "../record-args.ts";
import { progressLine } from "../render/progress.ts";
import { renderStats } from "../render/stats.ts";
import { whyNotDecided } from "../replay/comparison.ts";
import { hookStats } from "../stats/hook-stats.ts";
import type { Command } from "./command.ts";

const USAGE = "belay stats [journal file | folder | session id] [options]";

const FLAGS = {
  ...RECORD_FLAGS,
  cwd: { type: "string", value: "DIR", help: "a folder of the project whose journal is meant" },
  json: { type: "boolean", help: "print the numbers as JSON; times are milliseconds" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Shows what each hook did and cost, by the journal: runs, faults, denies, times, and its share of what events waited for.\nNames the hook that would gain the most if its process were kept (warm).",
  flags: FLAGS,
  examples: ["belay stats", "belay stats --since 7d", "belay stats --tool Bash --json"],
  run: stats,
};

async function stats(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [named, extra] = positionals;
  if (extra !== undefined)
    throw new UsageError(`${JSON.stringify(extra)} is one argument too many`, `usage: ${USAGE}`);
  const { place, isMeant } = journalPlace(named, values.cwd);
  const flawed = flawSayer();
  const counted = hookStats();
  let seen = 0;
  let unknown = 0;
  const progress = progressLine(values.json ? { ...io, isTerminal: false } : io, () => `${seen} events …`);
  try {
    for await (const record of recordsFor(place, recordFilter(values), flawed)) {
      if (!isMeant(record)) continue;
      seen += 1;
      if (whyNotDecided(record)) unknown += 1;
      else counted.add(record);
    }
  } finally {
    progress.wipe();
  }
  const found = counted.stats();
  io.out(values.json ? `${safeJson(found)}\n` : renderStats(found, place, io));
  flawed.say(io);
  if (unknown > 0)
    io.err(`belay: left out ${unknown} of an event, a dialect or a decision that is not known here\n`);
  return 0;
}
