import type { EventRow } from "../api.ts";
import { type Folds, type Heading, type Lines, linesOf, type Section, sectionReader } from "./sections.ts";
import { createStore, useStore } from "./store.ts";
import { type Timeline, timeline } from "./timeline.ts";

/** The list of the timeline as it was left, for when its view comes back. */
export interface ListState {
  /** Changes when the rows were read anew: the list begins at its top then. */
  readonly opened: number;
  readonly top: number;
  /** A row in view, and how far below the top it begins: it stays there when lines come or go above it. */
  readonly anchor?: { readonly key: string; readonly below: number } | undefined;
  readonly chosen: string;
  readonly folds: Folds;
}

export const list = createStore<ListState>({
  opened: 0,
  top: 0,
  chosen: "",
  folds: { chosen: new Set(), turns: false },
});

interface Drawn {
  readonly rows: Timeline["rows"];
  readonly folds: Folds;
  readonly sections: readonly Section[];
  readonly lines: Lines;
}

const sectionsOf = sectionReader();

/** The list and an event of it are drawn from the same lines, which are worked out once. */
let drawn: Drawn | undefined;

function linesNow(): Drawn {
  const [{ rows }, { folds }] = [timeline.get(), list.get()];
  if (drawn?.rows === rows && drawn.folds === folds) return drawn;
  const sections = drawn?.rows === rows ? drawn.sections : sectionsOf(rows);
  drawn = { rows, folds, sections, lines: linesOf(sections, folds) };
  return drawn;
}

export function useLines(): Drawn {
  useStore(timeline);
  useStore(list);
  return linesNow();
}

/** The event above (-1) or below (1) another one; undefined where there is none, or that one is not in sight. */
export function neighbour(key: string, step: 1 | -1): EventRow | undefined {
  const { lines } = linesNow();
  let at = lines.indexOf(key);
  if (at < 0) return undefined;
  do at += step;
  while (lines.at(at)?.heading);
  return lines.at(at)?.row;
}

export function toggle({ fold }: Heading): void {
  const { folds } = list.get();
  const chosen = new Set(folds.chosen);
  if (!chosen.delete(fold)) chosen.add(fold);
  list.set({ folds: { ...folds, chosen } });
}

/** Folds every turn, or none. */
export function toggleTurns(): void {
  list.set({ folds: { chosen: new Set(), turns: !list.get().folds.turns } });
}

/** The line that so many steps from one lead to: an event or a folded heading. -1 if there is none. */
export function stepped(lines: Lines, from: number, step: number): number {
  const to = Math.min(lines.length - 1, Math.max(0, from + step));
  const onward = step < 0 ? -1 : 1;
  const found = stopFrom(lines, to, onward);
  return found < 0 ? stopFrom(lines, to, -onward) : found;
}

function stopFrom(lines: Lines, from: number, onward: number): number {
  for (let at = from; ; at += onward) {
    const line = lines.at(at);
    if (!line) return -1;
    if (line.row || line.heading?.isFolded) return at;
  }
}
