import type { Io } from "../io.ts";
import { BELAY } from "../next.ts";
import { hang, paintFor, shorten, width, wrap } from "../render/text.ts";
import type { Step } from "./session.ts";

const MAX_COLUMNS = 120;

export function renderOpening(steps: number, io: Io): string {
  const paint = paintFor(io);
  const text = `A coding session in ${steps} steps, played through real hooks in a scratch folder. Each step shows which hooks ran, what they decided, and what the user and the agent see of it.`;
  return `${[...wrap(paint.bold("belay demo"), room(io)), ...wrap(text, room(io))].join("\n")}\n`;
}

/** The head of a step, printed before its hooks run: number, kind, story. */
export function renderStep(step: Step, index: number, total: number, io: Io): string {
  const paint = paintFor(io);
  const columns = room(io);
  const title = `${index + 1}/${total}  ${step.shows}`;
  const left = columns - width(title) - 1;
  const rule = left > 0 ? ` ${paint.dim("━".repeat(left))}` : "";
  const head = wrap(paint.bold(title), columns);
  return `\n${[head.join("\n") + rule, ...wrap(step.story, columns)].join("\n")}\n\n`;
}

/** The line that waits for a key; it is wiped when one comes. */
export function renderPrompt(isLast: boolean, io: Io): string {
  const text = isLast ? "Enter: end" : "Enter: next step   q: quit   (--fast plays it all)";
  return `\n${paintFor(io).dim(shorten(text, room(io)))}`;
}

/** Back over the prompt and its empty line. */
export const WIPE_PROMPT = "\r\u001b[2K\u001b[1A";

export function renderClosing(hooks: number, io: Io): string {
  const text = `${hooks} hooks took part, each a few lines long: read them under examples/. The scratch folder is gone again.`;
  const next = [
    `${BELAY} init          a first hook of your own, in a minute`,
    `${BELAY} run --help    fire any event at your hooks`,
  ];
  const paint = paintFor(io);
  return `\n${[...wrap(text, room(io)), "", paint.bold("Next"), ...next.flatMap((line) => hang("  ", line, room(io)))].join("\n")}\n`;
}

function room(io: Io): number {
  return Math.min(io.columns, MAX_COLUMNS);
}
