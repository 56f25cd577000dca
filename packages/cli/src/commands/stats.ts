import { safeJson } from "@belay/core/clean";
import { plural, withoutPlace } from "@belay/core/internal";
import { type Command, noArguments, readFlags } from "../args/args.ts";
import { nextCommand } from "../args/flags.ts";
import type { Io } from "../io.ts";
import { FROM_FLAGS } from "../logs/from.ts";
import { statsFrom } from "../logs/stats.ts";
import {
  flawSayer,
  JOURNAL_FLAGS,
  journalPlace,
  type NothingFound,
  recordFilter,
  recordsFor,
  sayNothing,
  whyNothing,
} from "../records/journal.ts";
import { type AgentStats, type HookStats, hookStats, type Stats } from "../records/stats.ts";
import { progressLine } from "../render/progress.ts";
import { type Column, tableLines } from "../render/table.ts";
import { milliseconds, oneLine, wrap } from "../render/text.ts";
import { NOT_COMPARABLE, whyNotDecided } from "../replay/comparison.ts";

const USAGE = "belay stats [journal file | folder | session id] [options]";

const FLAGS = {
  ...FROM_FLAGS,
  ...JOURNAL_FLAGS,
  json: { type: "boolean", help: "print the numbers as JSON; times are milliseconds" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Shows what each hook did and cost, by the journal: runs, faults, failures, denies, times, and its share of what events waited for.\nNames the hook that would gain the most if its process were kept (warm).",
  flags: FLAGS,
  examples: [
    "belay stats",
    "belay stats --since 7d",
    "belay stats --tool Bash --json",
    "belay stats --from claude-code --since 30d",
  ],
  run: stats,
};

async function stats(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  if (values.from !== undefined || values.project !== undefined) return statsFrom(values, positionals, io);
  const [named, ...extra] = positionals;
  noArguments(extra, `usage: ${USAGE}`);
  const filter = recordFilter(values);
  const journal = journalPlace(named, values.cwd);
  const flawed = flawSayer();
  const counted = hookStats();
  let seen = 0;
  let unknown = 0;
  let last = "";
  const progress = progressLine(io, () => `${seen} events …`, values);
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

const some = (count: number) => (count === 0 ? "–" : String(count));

const COLUMNS: readonly Column<HookStats>[] = [
  { title: "runs", text: ({ runs }) => String(runs) },
  { title: "faults", text: ({ faults }) => some(faults) },
  { title: "failed", text: ({ failed }) => some(failed) },
  { title: "denies", text: ({ denies }) => some(denies) },
  { title: "p50", text: ({ p50 }) => milliseconds(p50) },
  { title: "p95", text: ({ p95 }) => milliseconds(p95) },
  { title: "p99", text: ({ p99 }) => milliseconds(p99) },
  { title: "waited", text: ({ share }) => `${Math.round(share * 100)} %` },
];
/** What goes first where there is no room; last what says that a hook is dead, which else looks sound. */
const DROPPED = ["p99", "p50", "p95", "denies", "failed", "waited", "faults", "runs"];

export function renderStats({ events, waited, hooks, warmFirst, agents = [] }: Stats, io: Io): string {
  const nameOf = namesOf(hooks);
  const lines = [
    ...tableLines(hooks, { title: "hook", text: nameOf }, COLUMNS, DROPPED, io),
    "",
    ...wrap(`${plural(events, "event")}, which waited ${milliseconds(waited)} for hooks`, io.columns),
    ...agents.flatMap((agent) => wrap(askedBy(agent), io.columns)),
    ...(warmFirst ? wrap(advice(warmFirst, nameOf(warmFirst)), io.columns) : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** "codex asked of 12 events: ask as a deny 3, nobody answered 3" */
function askedBy({ agent, events, told }: AgentStats): string {
  const counts = Object.entries(told).map(([words, count]) => `${words} ${count}`);
  const losses = counts.length > 0 ? `: ${counts.join(", ")}` : ", and was told all";
  return oneLine(`${agent} asked of ${plural(events, "event")}${losses}`);
}

function advice({ runs, faults, failed, starting = 0 }: HookStats, name: string): string {
  return `make warm first: ${name}; it answered ${plural(runs - faults - failed, "time")}, and starting its process took up to ${milliseconds(starting)} ("warm": true in its entry, and a script that answers line by line)`;
}

/**
 * A hook without a name goes by what it runs; where another does too, its place follows. Two hooks of one name are told apart
 * by their files.
 */
function namesOf(hooks: readonly HookStats[]): (hook: HookStats) => string {
  const whole = counter(hooks.map(({ hook }) => hook));
  const brief = counter(hooks.map(({ hook }) => withoutPlace(hook)));
  return ({ hook, file }) => {
    const name = withoutPlace(hook);
    if (whole(hook) > 1) return oneLine(`${hook} (${file})`);
    if (brief(name) === 1 || name === hook) return oneLine(name);
    return oneLine(hook.endsWith(name) ? `${name} (${hook.slice(0, -name.length).trim()})` : hook);
  };
}

function counter(names: readonly string[]): (name: string) => number {
  const count = new Map<string, number>();
  for (const name of names) count.set(name, (count.get(name) ?? 0) + 1);
  return (name) => count.get(name) ?? 0;
}
