import type { Diagnostic, EventName, Message, Outcome, RunReport } from "@belay/core";
import { saidBy, whyNoAnswer, wordFor } from "@belay/core/compare";
import type { Io } from "../io.ts";
import { asTyped } from "../next-command.ts";
import { withoutPlace } from "./hook-name.ts";
import { printedLines } from "./hook-output.ts";
import {
  clean,
  cleanOutput,
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

export interface OutcomeView {
  readonly outcome: Outcome;
  readonly journalFolder: string | undefined;
  /** Show what every hook printed. */
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

/** Each hook's line, and what is to be said of its output. */
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
/** A bar shorter than this shows nothing. */
const LEAST_BAR = 4;
const LEAST_NAME = 12;

/** One line per hook: name, a bar on a common time axis, time, verdict, how it was read. */
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

/** The same below the name. */
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
  return [run.observed ? "observed" : "", endOf(run), read].filter((part) => part !== "").join(", ");
}

export function decisionLines(
  { decision, action, updatedInput, updatedPrompt }: Outcome,
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
  const rewrite = updatedInput !== undefined ? JSON.stringify(updatedInput) : updatedPrompt;
  return rewrite === undefined ? lines : [...lines, ...hang("rewritten to ", oneLine(rewrite), room)];
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

/** Narrower than this, the two sides stand one below the other. */
const SIDE_BY_SIDE = 76;

/** What the user sees and what the agent sees, side by side or one below the other. */
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

/** How the stages of an event stand on this terminal. */
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
