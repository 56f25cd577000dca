import type { Io } from "../io.ts";
import { fit, paintFor, shorten } from "./text.ts";

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
