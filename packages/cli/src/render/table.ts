import type { Io } from "../io.ts";
import { fit, paintFor, widest, width } from "./text.ts";

export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
}

const GAP = "  ";
const LEAST_NAME = 16;

/** A table with names on the left. Where there is no room, columns go in the order of `dropped`, and names are cut. */
export function tableLines(
  names: Column,
  columns: readonly Column[],
  dropped: readonly string[],
  io: Io,
): string[] {
  const longest = Math.max(widest(names.cells), width(names.title));
  const sized = columns.map(({ title, cells }) => ({
    title,
    cells,
    size: Math.max(width(title), widest(cells)),
  }));
  const roomFor = (shown: typeof sized) =>
    io.room - shown.reduce((sum, { size }) => sum + GAP.length + size, 0);
  let shown = sized;
  for (const title of dropped)
    if (roomFor(shown) < Math.min(longest, LEAST_NAME))
      shown = shown.filter((column) => column.title !== title);
  const name = Math.max(1, Math.min(longest, roomFor(shown)));
  const line = (first: string, cells: readonly string[]) =>
    [fit(first, name), ...cells.map((cell, index) => cell.padStart(shown[index]?.size ?? 0))]
      .join(GAP)
      .trimEnd();
  const titles = shown.map(({ title }) => title);
  const cellsOf = (row: number) => shown.map(({ cells }) => cells[row] ?? "");
  return [
    paintFor(io).dim(line(names.title, titles)),
    ...names.cells.map((text, index) => line(text, cellsOf(index))),
  ];
}
