import type { Io } from "../io.ts";
import { fit, paintFor, widest } from "./text.ts";

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
}

const GAP = "  ";
const LEAST_NAME = 16;

/** A table with names on the left. Where there is no room, columns go in the order of `dropped`, and names are cut. */
export function tableLines<Row>(
  rows: readonly Row[],
  { title: head, text: nameOf }: Column<Row>,
  columns: readonly Column<Row>[],
  dropped: readonly string[],
  io: Io,
): string[] {
  const names = rows.map(nameOf);
  const longest = widest([head, ...names]);
  const sized = columns.map(({ title, text }) => {
    const cells = rows.map(text);
    return { title, cells, size: widest([title, ...cells]) };
  });
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
  return [paintFor(io).dim(line(head, titles)), ...names.map((text, index) => line(text, cellsOf(index)))];
}
