import type { Diagnostic, EventName, Outcome, RunReport } from "@belay/core";
import { saidBy, whyNoAnswer, wordFor } from "@belay/core/compare";
import { withoutPlace } from "../chat/speaker.ts";
import type { Io } from "../io.ts";
import { asTyped } from "../next.ts";
import { renderSides } from "./columns.ts";
import { printedLines } from "./printed.ts";
import { stagesOf } from "./stages.ts";
import {
  clean,
  fit,
  hang,
  milliseconds,
  oneLine,
  outputLine,
  type Paint,
  paintFor,
  shorten,
  widest,
} from "./text.ts";

export interface OutcomeView {
  readonly outcome: Outcome;
  readonly journalFolder: string | undefined;
  /** Show what every hook printed. */
  readonly verbose?: boolean;
}

/** What became of a fired event, for people: a line per stage from `run` on, then both columns. */
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
  // What a made-up name says of the event stands above; it gives way, then the name's end, then the bar.
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

/** How its process ended; "" for what is no process. */
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

/** Diagnostics that stand word for word in the user column: their code is enough below it. */
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
