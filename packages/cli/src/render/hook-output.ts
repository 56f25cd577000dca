import { type Outcome, type RunReport, ruleFor } from "@belay/core";
import { tellingLine } from "@belay/core/compare";
import { eventRow, plural } from "@belay/core/internal";
import { cleanOutput, hang, outputLine, type Paint, shorten } from "./text.ts";

/** More lines of a stream are counted, not shown. */
const MAX_LINES = 20;
/** Columns of a line. */
const MAX_SHOWN = 100;
const STREAMS = ["stdout", "stderr"] as const;
type Stream = (typeof STREAMS)[number];

/** The lines below a hook: what it printed, or that nobody sees it; and what its exit code does not do. */
export function printedLines(
  run: RunReport,
  outcome: Outcome,
  verbose: boolean,
  room: number,
  paint: Paint,
): string[] {
  const hint = exitHint(run, outcome);
  const notes = hint === undefined ? [] : [hint.text];
  const hidden = STREAMS.filter(
    (stream) => !hint?.explains.includes(stream) && isUnseen(run, stream, outcome),
  );
  if (!verbose) notes.push(...hidden.map((stream) => `${stream} that nobody sees: ${startOf(run[stream])}`));
  return [
    ...notes.flatMap((note) => hang("  ", paint.dim(note), room)),
    ...(verbose ? STREAMS.flatMap((stream) => streamLines(run[stream], stream, room, paint)) : []),
  ];
}

/** What a hook's exit code does not do although its author may expect it. */
export function exitHint(
  run: RunReport,
  { event }: Outcome,
): { text: string; explains: readonly Stream[] } | undefined {
  const { exitCode = 0, stdout, stderr, read, verdict } = run;
  if (read !== "exit-code") return undefined;
  if (ruleFor(event, run.dialect).refusal === undefined)
    return exitCode === 2
      ? { text: `exit 2 refuses nothing at ${event}: nothing can be refused there`, explains: [] }
      : undefined;
  // From 126 on a shell says that there was nothing to run, or what killed it.
  const isOwn = exitCode !== 0 && exitCode !== 2 && exitCode < 126 && !isCrash(stderr);
  if (isOwn && verdict === "abstain" && isPrevented(event))
    return { text: `exit ${exitCode} does not refuse; exit 2 does`, explains: [] };
  if (exitCode === 2 && stderr.trim() === "" && stdout.trim() !== "")
    return {
      text: "the reason of an exit 2 belongs on stderr (>&2); stdout is not read",
      explains: ["stdout"],
    };
  return undefined;
}

/** True if stderr is a stack trace of Python or JavaScript: such a hook did not choose its exit code. */
function isCrash(stderr: string): boolean {
  return /^ *File ".+", line \d|^ {4,}at .+:\d+\)?$/m.test(stderr);
}

/** True if a refusal prevents something: after a tool call it is too late. */
function isPrevented(event: Outcome["event"]): boolean {
  const row = eventRow(event);
  return row.exit2 !== "notice" && row.blockedAction !== "error-displayed";
}

/** True if a stream holds text that is neither an answer nor in a message of this hook. */
function isUnseen(run: RunReport, stream: Stream, { messages }: Outcome): boolean {
  const text = run[stream].trim();
  if (text === "" || (stream === "stdout" && run.read !== "exit-code")) return false;
  const start = text.slice(0, 200);
  return !messages.some(({ hook, block }) => hook === run.hook && block.content.includes(start));
}

function streamLines(text: string, stream: Stream, room: number, paint: Paint): string[] {
  const all = cleanOutput(text).trimEnd().split("\n");
  if (all.length === 1 && all[0] === "") return [];
  const more = all.length > MAX_LINES ? [paint.dim(`… ${plural(all.length - MAX_LINES, "more line")}`)] : [];
  return hang(`  ${paint.dim(stream)}  `, [...all.slice(0, MAX_LINES), ...more].join("\n"), room);
}

/** The line of a text that says most, and how to see the rest. */
function startOf(text: string): string {
  const all = text.trim();
  const line = outputLine(shorten(tellingLine(all), MAX_SHOWN));
  return line === outputLine(all) ? line : `${line}; -v shows all of it`;
}
