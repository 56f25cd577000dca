import { plural } from "@belay/core/internal";
import type { Io } from "../io.ts";
import type { HookStats, Stats } from "../records/stats.ts";
import { withoutPlace } from "./hook-name.ts";
import { fit, milliseconds, oneLine, paintFor, widest, width, wrap } from "./text.ts";

interface Column {
  readonly title: string;
  text(hook: HookStats): string;
}

const some = (count: number) => (count === 0 ? "–" : String(count));

const COLUMNS: readonly Column[] = [
  { title: "runs", text: ({ runs }) => String(runs) },
  { title: "faults", text: ({ faults }) => some(faults) },
  { title: "failed", text: ({ failed }) => some(failed) },
  { title: "denies", text: ({ denies }) => some(denies) },
  { title: "p50", text: ({ p50 }) => milliseconds(p50) },
  { title: "p95", text: ({ p95 }) => milliseconds(p95) },
  { title: "p99", text: ({ p99 }) => milliseconds(p99) },
  { title: "waited", text: ({ share }) => `${Math.round(share * 100)} %` },
];
/** What goes first where there is no room; last what says that a hook is dead, which else looks sound. */
const DROPPED = ["p99", "p50", "p95", "denies", "failed", "waited", "faults", "runs"];

const GAP = "  ";
const LEAST_NAME = 16;

export function renderStats({ events, waited, hooks, warmFirst }: Stats, io: Io): string {
  const names = namesOf(hooks);
  const lines = [
    ...table(hooks, names, io),
    "",
    ...wrap(`${plural(events, "event")}, which waited ${milliseconds(waited)} for hooks`, io.columns),
    ...(warmFirst ? wrap(advice(warmFirst, names[hooks.indexOf(warmFirst)]), io.columns) : []),
  ];
  return `${lines.join("\n")}\n`;
}

function advice({ hook, runs, faults, failed, starting = 0 }: HookStats, name = oneLine(hook)): string {
  return `make warm first: ${name}; it answered ${plural(runs - faults - failed, "time")}, and starting its process took up to ${milliseconds(starting)} ("warm": true in its entry, and a script that answers line by line)`;
}

function table(hooks: readonly HookStats[], names: readonly string[], io: Io): string[] {
  const paint = paintFor(io);
  const longest = Math.max(widest(names), width("hook"));
  const sized = COLUMNS.map(({ title, text }) => {
    const cells = hooks.map(text);
    return { title, cells, size: Math.max(width(title), widest(cells)) };
  });
  const roomFor = (shown: typeof sized) =>
    io.room - shown.reduce((sum, { size }) => sum + GAP.length + size, 0);
  let shown = sized;
  for (const title of DROPPED)
    if (roomFor(shown) < Math.min(longest, LEAST_NAME))
      shown = shown.filter((column) => column.title !== title);
  const name = Math.max(1, Math.min(longest, roomFor(shown)));
  const line = (first: string, cells: readonly string[]) =>
    [fit(first, name), ...cells.map((cell, index) => cell.padStart(shown[index]?.size ?? 0))]
      .join(GAP)
      .trimEnd();
  return [
    paint.dim(
      line(
        "hook",
        shown.map(({ title }) => title),
      ),
    ),
    ...names.map((text, index) =>
      line(
        text,
        shown.map(({ cells }) => cells[index] ?? ""),
      ),
    ),
  ];
}

/**
 * A hook without a name goes by what it runs; where another does too, its place follows. Two hooks of one name are told apart
 * by their files.
 */
function namesOf(hooks: readonly HookStats[]): string[] {
  const whole = counter(hooks.map(({ hook }) => hook));
  const brief = counter(hooks.map(({ hook }) => withoutPlace(hook)));
  return hooks.map(({ hook, file }) => {
    const name = withoutPlace(hook);
    if (whole(hook) > 1) return oneLine(`${hook} (${file})`);
    if (brief(name) === 1 || name === hook) return oneLine(name);
    return oneLine(hook.endsWith(name) ? `${name} (${hook.slice(0, -name.length).trim()})` : hook);
  });
}

function counter(names: readonly string[]): (name: string) => number {
  const count = new Map<string, number>();
  for (const name of names) count.set(name, (count.get(name) ?? 0) + 1);
  return (name) => count.get(name) ?? 0;
}
