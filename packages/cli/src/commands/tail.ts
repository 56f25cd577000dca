import { UsageError } from "@belay/engine";
import {
  findProject,
  type JournalFlaw,
  type JournalLine,
  journalFolder,
  linesFromEnd,
} from "@belay/engine/tools";
import { noArguments, readFlags } from "../args.ts";
import { oneLine, safeJson } from "../clean.ts";
import { workingFolder } from "../config-args.ts";
import type { Io } from "../io.ts";
import { BELAY } from "../next.ts";
import { renderRecords, type TailRow, tailRow } from "../render/tail.ts";
import type { Command } from "./command.ts";

const USAGE = "belay tail [-n N] [options]";

const DEFAULT_COUNT = 20;

const FLAGS = {
  lines: { type: "string", short: "n", value: "N", help: `how many events; ${DEFAULT_COUNT} if absent` },
  cwd: { type: "string", value: "DIR", help: "a folder of the project whose journal is meant" },
  json: { type: "boolean", help: "print the records as they are, one line of JSON each" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Shows the last events of this project's journal, the newest last.\nOf each: when it fired, its tool, the decision, the hook that made it, the time that the slowest hook took.",
  flags: FLAGS,
  examples: ["belay tail", "belay tail -n 100", "belay tail -n 1 --json"],
  run: tail,
};

async function tail(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  noArguments(positionals, `usage: ${USAGE}`);
  const count = readCount(values.lines);
  const folder = journalFolder(findProject(workingFolder(values.cwd)));
  const newestFirst: (TailRow | string)[] = [];
  const flawed: JournalLine[] = [];
  for (const line of linesFromEnd(folder)) {
    if (newestFirst.length === count) break;
    if ("flaw" in line) flawed.push(line);
    // What is shown of a record is kept, not the record: there may be very many, and each may be long.
    else newestFirst.push(values.json ? safeJson(line.record, 0) : tailRow(line.record));
  }
  const shown = newestFirst.reverse();
  if (values.json) for (const line of shown) io.out(`${line as string}\n`);
  else if (shown.length > 0) io.out(renderRecords(shown as TailRow[], new Date(), io));
  else if (count > 0)
    io.out(`no events are recorded in ${oneLine(folder)}; ${BELAY} run <Event> fires one\n`);
  sayFlaws(flawed, io);
  return 0;
}

function readCount(given: string | undefined): number {
  if (given === undefined) return DEFAULT_COUNT;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new UsageError(
    `-n ${JSON.stringify(given)} is no number of events`,
    `for example: ${BELAY} tail -n 100`,
  );
}

const FLAWS: Record<JournalFlaw, string> = {
  torn: "was not written to its end",
  foreign: "is no record",
  long: "is too long to be a record",
};

const MAX_SAID = 3;

function sayFlaws(lines: readonly JournalLine[], io: Io): void {
  for (const { file, at, ...line } of lines.slice(0, MAX_SAID))
    if ("flaw" in line)
      io.err(`belay: left out a line that ${FLAWS[line.flaw]}: ${oneLine(file)}, at byte ${at}\n`);
  const more = lines.length - MAX_SAID;
  if (more > 0) io.err(`belay: and ${more} more that ${more === 1 ? "is" : "are"} no whole records\n`);
}
