const two = (number: number) => String(number).padStart(2, "0");

/** In the reader's own time; the day only where it is another, and alone where the year is. */
export function whenOf(iso: string, now: Date = new Date()): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "?";
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  if (time.toDateString() === now.toDateString()) return clock;
  const day = `${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return time.getFullYear() === now.getFullYear() ? `${day} ${clock}` : `${time.getFullYear()}-${day}`;
}

export function took(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return Math.round(ms) < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** A hook's name where its event stands beside it and there is little room: of one that was made up, what it runs. */
export function briefName(hook: string): string {
  const [, what] = MADE_UP.exec(hook) ?? [];
  return what === undefined ? hook : what.replaceAll(FOLDERS, "");
}

/** The names of hooks that stand among each other: those that would read the same stay whole. */
export function briefNames(hooks: readonly string[]): string[] {
  const brief = hooks.map(briefName);
  const counts = new Map<string, number>();
  for (const name of brief) counts.set(name, (counts.get(name) ?? 0) + 1);
  return brief.map((name, number) => (counts.get(name) === 1 ? name : (hooks[number] ?? name)));
}

/** Where the hook is configured, and what it runs. */
const MADE_UP = /^\w+\[\d+\.\d+\] (.*)$/s;

/** What a word has before its last slash; an address stays whole. */
const FOLDERS = /(?<!\S)(?!\S*:\/\/)\S*\//g;

/** Things that may be alike in everything, each with its number: their order never changes. */
export function numbered<T>(items: readonly T[]): { readonly number: number; readonly item: T }[] {
  return items.map((item, number) => ({ number, item }));
}
