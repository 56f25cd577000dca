import { resolve } from "node:path";
import { createEngine, DIALECT_NAMES, type DialectName, type EventRecord, UsageError } from "@belay/engine";
import { type Command, noArguments, parallelOf, readFlags, wholeNumber } from "../args/args.ts";
import {
  BELAY,
  CONFIG_FLAGS,
  configOptions,
  isFolder,
  refuseBroken,
  simulatingOptions,
} from "../args/flags.ts";
import { hintAtDialects } from "../hooks/dialect-hint.ts";
import { closeStdin, type Io, untilInterrupted } from "../io.ts";
import { FROM_FLAGS } from "../logs/from.ts";
import {
  type FlawSayer,
  flawSayer,
  JOURNAL_FLAGS,
  type JournalPlace,
  journalPlace,
  nothingText,
  recordFilter,
  recordsFor,
  whyNothing,
} from "../records/journal.ts";
import { progressLine } from "../render/progress.ts";
import { changesAsJson } from "../replay/changes.ts";
import { type Compared, decidedAnew } from "../replay/comparison.ts";
import { replayFrom } from "../replay/from/replay-from.ts";
import {
  exitCodeOf,
  type ReplaySummary,
  renderReplay,
  rowsToShow,
  tally,
  whyNothingProved,
} from "../replay/report.ts";
import { inOrder, openRerun, type Rerun } from "../replay/rerun.ts";

const USAGE = "belay replay [journal file | folder | session id] [options]";

const FLAGS = {
  rerun: {
    type: "boolean",
    help: "run the hooks there are now on the recorded events. They run for real, with all they do: files, network",
  },
  ...CONFIG_FLAGS,
  dialect: {
    ...CONFIG_FLAGS.dialect,
    help: `read every hook's answer by this dialect, with --rerun the files of it too: ${DIALECT_NAMES.join(", ")}`,
  },
  in: {
    type: "string",
    value: "DIR",
    help: "with --rerun: run them in this folder, not in the recorded one",
  },
  parallel: { type: "string", value: "N", help: "with --rerun: events at once; as many as cores if absent" },
  ...JOURNAL_FLAGS,
  limit: { type: "string", value: "N", help: "only the last N of them" },
  ...FROM_FLAGS,
  sample: { type: "string", value: "N", help: "with --from: only N events, taken evenly" },
  yes: { type: "boolean", help: "with --from: run the hooks without asking" },
  json: { type: "boolean", help: "print every change and a summary as JSON" },
} as const;

export const command: Command = {
  usage: USAGE,
  summary:
    "Decides recorded events anew, and shows what is decided otherwise than it was. Nothing is run: what hooks answered was recorded.\nWith --rerun the hooks of a changed policy are run on the recorded events, to see what it would have changed.\nWith --from they are run on what the session logs of other agents tell of, in scratch folders: what would this policy have done last month?\nExits 2 when anything loosened; 1 for bad usage, when nothing was compared, or when hooks that --rerun should run are not trusted, cannot be read, do not answer, are none or are those of another project; else 0.",
  flags: FLAGS,
  examples: [
    "belay replay",
    "belay replay --rerun --config new-hooks.json --since 7d",
    "belay replay events.jsonl --rerun --in . --config .belay/settings.json",
    "belay replay --from claude-code --since 30d --config new-hooks.json",
  ],
  run: replayJournal,
};

async function replayJournal(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  if (values.from !== undefined || values.project !== undefined) return replayFrom(values, positionals, io);
  refuseFromFlags(values);
  const [named, ...extra] = positionals;
  noArguments(extra, `usage: ${USAGE}`);
  const example = `for example: ${BELAY} replay --limit 1000`;
  const limit =
    values.limit === undefined
      ? undefined
      : wholeNumber("--limit", values.limit, "number of events", example);
  const parallel = parallelOf(values.parallel, "events");
  if (values.rerun) closeStdin();
  else refuseRerunFlags(values);
  const filter = recordFilter(values);
  const journal = journalPlace(named, values.cwd);
  const rerun = values.rerun ? await rerunFor(values, journal) : undefined;
  if (rerun) hintAtDialects(values, io);
  const { signal, done } = untilInterrupted();
  const flawed = flawSayer();
  try {
    const records = recordsFor(journal, filter, flawed, limit);
    const compared = rerun
      ? inOrder(until(signal, records), parallel, (record) => rerun.fire(record, signal))
      : decided(until(signal, records), configOptions(values).dialect);
    const code = await report(compared, values, journal, rerun, flawed, signal, io);
    if (!signal.aborted) return code;
    io.err("belay: interrupted; not all events were replayed\n");
    return 130;
  } finally {
    done();
    await rerun?.close();
  }
}

async function report(
  compared: AsyncIterable<Compared | undefined>,
  values: Values,
  journal: JournalPlace,
  rerun: Rerun | undefined,
  flawed: FlawSayer,
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  const shown = rowsToShow(io);
  const counts = tally();
  const progress = progressLine(io, () => `${counts.seen()} events …`, values);
  const printed = values.json ? changesAsJson(io) : undefined;
  try {
    for await (const one of compared) {
      if (signal.aborted) break;
      if (!counts.add(one) || typeof one !== "object") continue;
      if (printed) await printed.add(one);
      else shown.add(one);
    }
  } catch (error) {
    // What was under way when it was interrupted says nothing of a hook.
    if (!signal.aborted) throw error;
  } finally {
    progress.wipe();
  }
  const away = rerun?.otherProjects.count() ?? 0;
  const summary = { ...counts.summary(), ...(away > 0 && { elsewhere: away }) };
  if (printed) printed.end({ summary });
  else if (counts.seen() > 0) io.out(renderReplay(shown, summary, howDone(rerun), io));
  flawed.say(io);
  const skipped = rerun?.skipped.sentences() ?? [];
  for (const sentence of skipped) io.err(`belay: ${sentence}\n`);
  if (summary.events === 0 && skipped.length === 0 && !signal.aborted) {
    const why =
      counts.seen() > 0
        ? `; ${nextAfter(summary)}`
        : `: ${nothingText(whyNothing("replay", journal, values))}`;
    io.err(`belay: nothing was compared${why}\n`);
  }
  for (const sentence of [
    ...(rerun?.otherProjects.sentences() ?? []),
    ...(rerun?.dialects.sentences() ?? []),
  ])
    io.err(`belay: ${sentence}\n`);
  const unproved = rerun && whyNothingProved(rerun, values, exitCodeOf(summary) === 0);
  if (unproved !== undefined && !signal.aborted) io.err(`belay: ${unproved}\n`);
  return exitCodeOf(summary) || (unproved === undefined ? 0 : 1);
}

function howDone(rerun: Rerun | undefined) {
  if (!rerun) return { done: "decided anew", same: "all as recorded" };
  const done = rerun.ran.runs > 0 ? "fired again" : "fired again, but no hook ran";
  return { done, same: "all were decided as recorded" };
}

function nextAfter({ notComparable }: ReplaySummary): string {
  return notComparable["folder-gone"]
    ? "--in DIR runs the hooks in another folder than the recorded one"
    : "name a journal, or filters, with other events";
}

async function* decided(records: AsyncIterable<EventRecord>, dialect: DialectName | undefined) {
  for await (const record of records) yield decidedAnew(record, dialect);
}

async function* until(signal: AbortSignal, records: AsyncIterable<EventRecord>) {
  for await (const record of records) {
    if (signal.aborted) return;
    yield record;
  }
}

type Values = ReturnType<typeof readFlags<typeof FLAGS>>["values"];

async function rerunFor(values: Values, journal: JournalPlace): Promise<Rerun> {
  const inFolder = values.in === undefined ? undefined : resolve(values.in);
  if (inFolder !== undefined && !isFolder(inFolder))
    throw new UsageError(`--in ${JSON.stringify(values.in)} is no folder`, "name a folder that exists");
  const options = simulatingOptions(values);
  const cwd = inFolder ?? options.cwd;
  const engine = await createEngine({ ...options, cwd, journal: false, program: BELAY });
  await engine.close();
  refuseBroken(engine.problems, inFolder === undefined ? values : { ...values, cwd });
  const ownJournal = journal.named === undefined || journal.session !== undefined;
  return openRerun({ ...options, inFolder, ownJournal });
}

function refuseFromFlags(values: Values): void {
  const flag = (["sample", "yes"] as const).find((name) => values[name] !== undefined);
  if (flag)
    throw new UsageError(
      `--${flag} has a meaning with --from alone`,
      `for example: ${BELAY} replay --from claude-code --config new-hooks.json`,
    );
}

/** Without --rerun nothing is run, and a policy that was named would silently not be asked. */
function refuseRerunFlags(values: Values): void {
  const flag = (["config", "plugin", "in", "parallel"] as const).find((name) => values[name] !== undefined);
  if (flag)
    throw new UsageError(
      `--${flag} has no meaning where no hook is run`,
      `to run hooks on the recorded events: ${BELAY} replay --rerun --${flag} …`,
    );
}
