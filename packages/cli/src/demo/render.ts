import type { Io } from "../io.ts";
import { BELAY } from "../next-command.ts";
import { hang, paintFor, width, wrap } from "../render/text.ts";
import type { Script, Step } from "./script.ts";

const MAX_COLUMNS = 100;

export function renderOpening({ steps, hooks }: Script, io: Io): string {
  const text = `A coding session in ${steps.length} steps: a real agent, ${hooks.length} real hooks, and a model that follows simple sentences without a network. It all happens in a scratch folder. File edits are accepted; commands are asked about.`;
  return `${[...wrap(paintFor(io).bold("belay demo"), room(io)), ...wrap(text, room(io))].join("\n")}\n`;
}

/** "4/9  blocked stop" */
export function titleOf({ shows }: Step, index: number, total: number): string {
  return `${index + 1}/${total}  ${shows.join(", ")}`;
}

/** The head of a step, printed before anything happens in it: number, kinds, story. */
export function renderStep(step: Step, index: number, total: number, io: Io): string {
  const paint = paintFor(io);
  const columns = room(io);
  const title = titleOf(step, index, total);
  const left = columns - width(title) - 1;
  const rule = left > 0 ? ` ${paint.dim("━".repeat(left))}` : "";
  const head = wrap(paint.bold(title), columns);
  return `\n${[head.join("\n") + rule, ...wrap(step.story, columns)].join("\n")}\n\n`;
}

export function renderClosing({ hooks }: Script, io: Io): string {
  const text = `The ${hooks.length} hooks are a few lines long each: read them under examples/. The scratch folder is gone again.`;
  const next = [
    `${BELAY} init          a first hook of your own, in a minute`,
    `${BELAY} chat          this agent, with your hooks, in your folder`,
    `${BELAY} run --help    fire any event at your hooks`,
  ];
  const paint = paintFor(io);
  return `\n${[...wrap(text, room(io)), "", paint.bold("Next"), ...next.flatMap((line) => hang("  ", line, room(io)))].join("\n")}\n`;
}

/** Long lines are hard to read, however wide the terminal is. */
export function room(io: Io): number {
  return Math.min(io.columns, MAX_COLUMNS);
}
