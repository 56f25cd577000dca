import {
  type Diagnostic,
  type EventName,
  type Message,
  type Outcome,
  type RunReport,
  ruleFor,
} from "@belay/core";
import { saidBy, summaryLine, whyNoAnswer, wordFor } from "@belay/core/compare";
import { eventRow, plural, resultText, withoutPlace } from "@belay/core/internal";
import type { ExplainedMatch, Explanation } from "@belay/engine";
import { asTyped } from "../args/flags.ts";
import { disabledEntries, errorsIn } from "../hooks/disabled.ts";
import type { Io } from "../io.ts";
import {
  clean,
  cleanOutput,
  commandLines,
  fit,
  hang,
  milliseconds,
  oneLine,
  outputLine,
  type Paint,
  paintFor,
  shorten,
  widest,
  width,
  wrap,
} from "./text.ts";

export interface EventView extends Pick<Explanation, "matches" | "payload" | "problems"> {
  readonly event: EventName;
  /** The commands that say more; absent where the reader cannot run them (the demo's folder is gone by then). */
  readonly next?: { readonly why: string; readonly trust: string; readonly check: string };
  readonly noHooks?: string;
}

export function renderEvent(view: EventView, io: Io): string {
  const { stage, room } = stagesOf(io);
  return `${[
    ...stage("event", [shorten(eventLine(view), room)]),
    ...stage("match", matchLines(view, paintFor(io), room)),
  ].join("\n")}\n`;
}

export function eventLine({
  event,
  payload,
}: {
  readonly event: EventName;
  readonly payload: Readonly<Record<string, unknown>>;
}): string {
  const row = eventRow(event);
  const matched = row.matcher === undefined ? undefined : payload[row.matcher];
  const about = payload.tool_input ?? payload.prompt ?? payload.message ?? payload.last_assistant_message;
  const parts = [matched, about].filter((part) => part !== undefined);
  const text = parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" ");
  return `${event}  ${oneLine(text)}`;
}

function matchLines(view: EventView, paint: Paint, room: number): string[] {
  const { event, matches, problems, next } = view;
  if (matches.length === 0) return noHookLines(view, room).map(paint.yellow);
  const ours = matches.filter(({ because }) => because !== "other-event");
  const firing = ours.filter(({ fires }) => fires).length;
  const untrusted = ours.filter(({ because }) => because === "untrusted");
  const counts = `${firing} of ${plural(ours.length, "hook")} for ${event} fire${firing === 1 ? "s" : ""}`;
  if (next === undefined) return [shorten(counts, room)];
  const off = errorsIn(problems, event);
  return [
    shorten(counts, room),
    ...(off.length > 0 ? hint(`${disabledEntries(off)}; next:`, next.check, room).map(paint.yellow) : []),
    ...(untrusted.length > 0 ? hint(`${doubted(untrusted)}; next:`, next.trust, room).map(paint.yellow) : []),
    ...(ours.length > firing ? hint("this says more:", next.why, room).map(paint.dim) : []),
  ];
}

function doubted(untrusted: readonly ExplainedMatch[]): string {
  const count = untrusted.length;
  const edited = untrusted.filter(({ wasTrusted }) => wasTrusted).length;
  const since = edited > 0 ? ` (${edited} edited since you trusted ${edited === 1 ? "it" : "them"})` : "";
  return `${count} ${count === 1 ? "matches but is" : "match but are"} not trusted${since}`;
}

function noHookLines({ problems, next, noHooks = "" }: EventView, room: number): string[] {
  const off = errorsIn(problems);
  return off.length > 0 && next !== undefined
    ? hint(`${disabledEntries(off, "all hooks")}; next:`, next.check, room)
    : hang("", `no hooks are configured; ${oneLine(noHooks)}`, room);
}

/** A command to copy: beside its words, or below them where it would have to be broken. */
function hint(words: string, command: string, room: number): string[] {
  const line = `${words} ${command}`;
  return width(line) <= room ? [line] : [...hang("", words, room), ...commandLines(command, room)];
}

export interface OutcomeView {
  readonly outcome: Outcome;
  readonly journalFolder: string | undefined;
  readonly verbose?: boolean;
}

/** What became of a fired event: lines for each stage from `run` on, then what the user and the agent see. */
export function renderOutcome(view: OutcomeView, io: Io): string {
  const paint = paintFor(io);
  const { stage, room, columns, isNarrow } = stagesOf(io);
  const { outcome } = view;
  return `${[
    ...stage("run", runLines(view, isNarrow, room, paint)),
    ...stage("decide", decisionLines(outcome, room, paint)),
    "",
    ...renderSides(outcome, columns, paint),
    ...diagnosticLines(outcome.diagnostics, columns, paint, saidAbove(outcome)),
    ...(view.journalFolder ? ["", ...stage("record", hang("", paint.dim(view.journalFolder), room))] : []),
  ].join("\n")}\n`;
}

export function runLines(
  { outcome, verbose = false }: OutcomeView,
  isNarrow: boolean,
  room: number,
  paint: Paint,
) {
  const { runs } = outcome;
  if (runs.length === 0) return [paint.dim(shorten("nothing to run", room))];
  const lines = isNarrow ? runTexts(outcome, room, paint) : runBars(outcome, room, paint);
  return runs.flatMap((run, index) => [
    ...(lines[index] ?? []),
    ...printedLines(run, outcome, verbose, room, paint),
  ]);
}

const TIME = 8;
const LEAST_BAR = 4;
const LEAST_NAME = 12;

function runBars(outcome: Outcome, room: number, paint: Paint): string[][] {
  const { runs, event } = outcome;
  const read = widest(runs.map(howRead));
  const facts = 2 + TIME + VERDICT + 2 + read;
  // Where room is short, the place in a made-up name goes first, then the end of the name, then the bar.
  const whole = runs.map(({ hook }) => oneLine(hook));
  const forNames = Math.max(LEAST_NAME, room - facts - LEAST_BAR - 2);
  const isTight = widest(whole) > forNames;
  const names = isTight ? whole.map(withoutPlace) : whole;
  const name = Math.min(widest(names), Math.floor(room * 0.4), forNames);
  const left = room - (name + facts);
  if (left < LEAST_BAR + 2) return runTexts(outcome, room, paint);
  const draw = barsOf(outcome, Math.min(24, left - 2), paint);
  return runs.map((run, index) => {
    const facts = `${fit(milliseconds(run.executionTime), TIME)}${verdictOf(run, event, paint, VERDICT)}`;
    const start = `${fit(names[index] ?? "", name)}  ${draw(run)}  ${facts}`;
    return [`${start}  ${paint.dim(howRead(run))}`];
  });
}

const NARROW_BAR = 8;

function runTexts(outcome: Outcome, room: number, paint: Paint): string[][] {
  const draw = barsOf(outcome, NARROW_BAR, paint);
  return outcome.runs.map((run) => {
    const verdict = verdictOf(run, outcome.event, paint, 0);
    const facts = [draw(run), milliseconds(run.executionTime), verdict, paint.dim(howRead(run))];
    return [...hang("", oneLine(run.hook), room), ...hang("", facts.join("  "), room)];
  });
}

function barsOf({ runs }: Outcome, columns: number, paint: Paint): (run: RunReport) => string {
  const slowest = runs.reduce((most, { executionTime }) => Math.max(most, executionTime), 1);
  return ({ executionTime }) => {
    const filled = Math.max(1, Math.round((executionTime / slowest) * columns));
    return paint.blue("▇".repeat(filled)) + paint.dim("·".repeat(columns - filled));
  };
}

const VERDICT = 9;

function verdictOf(run: RunReport, event: EventName, paint: Paint, columns: number): string {
  const { verdict, adds } = run;
  const said = saidBy(run, event);
  if (run.observed) return paint.dim(`(${said})`.padEnd(columns));
  const word = said.padEnd(columns);
  if (whyNoAnswer(run, event) !== undefined) return paint.red(word);
  const quiet = adds ? paint.cyan : paint.dim;
  return ({ allow: paint.green, abstain: quiet, ask: paint.yellow }[verdict as "allow"] ?? paint.red)(word);
}

/** How a run's process ended; "" if it had none. */
export function endOf({ timedOut, signal, exitCode }: RunReport): string {
  if (timedOut) return "timed out";
  return signal ?? (exitCode === undefined ? "" : `exit ${exitCode}`);
}

function howRead(run: RunReport): string {
  const read = run.read === "exit-code" ? "" : run.read;
  return [run.observed ? "observed" : "", run.background ? "in the background" : "", endOf(run), read]
    .filter((part) => part !== "")
    .join(", ");
}

export function decisionLines(
  { decision, action, updatedInput, updatedPrompt, updatedToolOutput }: Outcome,
  room: number,
  paint: Paint,
): string[] {
  const color =
    decision.kind === "allow" || decision.kind === "none"
      ? paint.green
      : decision.kind === "ask"
        ? paint.yellow
        : paint.red;
  const kind = wordFor(decision.kind);
  const by = decision.hook === undefined ? "" : ` by ${clean(decision.hook)}`;
  const why = decision.reason === undefined ? "" : `: ${outputLine(decision.reason)}`;
  const lines = hang("", `${color(paint.bold(kind))}${by}${why} ${paint.dim(`(${action})`)}`, room);
  const rewrite = updatedInput === undefined ? updatedPrompt : JSON.stringify(updatedInput);
  if (rewrite !== undefined) lines.push(...hang("rewritten to ", oneLine(rewrite), room));
  if (updatedToolOutput !== undefined)
    lines.push(...hang("the agent reads ", oneLine(resultText(updatedToolOutput)), room));
  return lines;
}

/** Diagnostics that the user column holds word for word: below it, their code is enough. */
function saidAbove({ diagnostics, messages }: Outcome): Diagnostic[] {
  const said = messages.filter(({ to }) => to === "user").map(({ block }) => block.content);
  return diagnostics.filter(({ message, fix }) =>
    said.some((text) => text.includes(message.replace(/\.$/, "")) && text.endsWith(fix)),
  );
}

export function diagnosticLines(
  diagnostics: readonly Diagnostic[],
  columns: number,
  paint: Paint,
  said: readonly Diagnostic[] = [],
): string[] {
  if (diagnostics.length === 0) return [];
  const color = { error: paint.red, warning: paint.yellow, info: paint.blue };
  const lines = diagnostics.flatMap((diagnostic) => {
    const { severity, code, hook, path, message, fix } = diagnostic;
    const isSaid = said.includes(diagnostic);
    const where = [oneLine(hook ?? path ?? ""), isSaid ? "told above" : ""].filter((text) => text !== "");
    const head = hang("", [color[severity](severity), code, ...where.map(paint.dim)].join("  "), columns);
    if (isSaid) return head;
    return [
      ...head,
      ...hang("  ", clean(message), columns),
      ...hang("  fix: ", clean(asTyped(fix)), columns),
    ];
  });
  return ["", paint.bold(shorten("diagnostics", columns)), ...lines];
}

const SIDE_BY_SIDE = 76;

function renderSides(outcome: Outcome, columns: number, paint: Paint): string[] {
  const sides = [
    { title: "the user sees", lines: sideOf(outcome, "user") },
    { title: "the agent sees", lines: sideOf(outcome, "agent") },
  ] as const;
  if (columns < SIDE_BY_SIDE) {
    return sides.flatMap(({ title, lines }) => [
      ...wrap(paint.bold(title), columns),
      ...lines(columns, paint),
    ]);
  }
  const left = Math.floor((columns - 3) / 2);
  const right = columns - 3 - left;
  const [user, agent] = sides;
  const userLines = user.lines(left, paint);
  const agentLines = agent.lines(right, paint);
  const rows = Math.max(userLines.length, agentLines.length);
  const bar = paint.dim("│");
  const body = Array.from({ length: rows }, (_, row) =>
    `${pad(userLines[row] ?? "", left)} ${bar} ${agentLines[row] ?? ""}`.trimEnd(),
  );
  const head = `${pad(paint.bold(user.title), left)} ${bar} ${paint.bold(agent.title)}`;
  const rule = paint.dim(`${"─".repeat(left + 1)}┼${"─".repeat(right + 1)}`);
  return [head, rule, ...body];
}

function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

function sideOf(outcome: Outcome, to: Message["to"]): (columns: number, paint: Paint) => string[] {
  const messages = outcome.messages.filter((message) => message.to === to);
  return (columns, paint) =>
    messages.length === 0
      ? wrap(paint.dim("nothing"), columns)
      : messages.flatMap((message) => messageLines(message, columns, paint));
}

const LOOK: Record<Message["block"]["type"], { sign: string; color: "yellow" | "red" | "cyan" | "green" }> = {
  warn: { sign: "!", color: "yellow" },
  error: { sign: "✗", color: "red" },
  tool: { sign: "✗", color: "red" },
  hook: { sign: "›", color: "cyan" },
  text: { sign: "›", color: "green" },
};

function messageLines({ block, hook }: Message, columns: number, paint: Paint): string[] {
  const { sign, color } = LOOK[block.type];
  const head = hang(`${paint[color](sign)} `, paint.dim(`${block.type} · ${clean(hook)}`), columns);
  return [...head, ...hang("  ", cleanOutput(block.content), columns)];
}

const LABEL = 8;
const MAX_COLUMNS = 120;
/** Narrower than this, a stage's name stands above its lines, and a hook's name above its bar. */
const NARROW = 60;

export function stagesOf(io: Io) {
  const columns = Math.min(io.columns, MAX_COLUMNS);
  const paint = paintFor(io);
  const isNarrow = columns < NARROW;
  const stage = (name: string, lines: readonly string[]) =>
    isNarrow
      ? [paint.cyan(shorten(name, columns)), ...lines]
      : lines.map((line, index) => paint.cyan(fit(index === 0 ? name : "", LABEL)) + line);
  return { stage, columns, isNarrow, room: isNarrow ? columns : columns - LABEL };
}

const MAX_LINES = 20;
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
  if (ruleFor(event, run.dialect, run.simulated).refusal === undefined)
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

function startOf(text: string): string {
  const all = text.trim();
  const line = outputLine(shorten(summaryLine(all), MAX_SHOWN));
  return line === outputLine(all) ? line : `${line}; -v shows all of it`;
}
