const two = (number: number) => String(number).padStart(2, "0");

/** The time on the reader's clock: with the day if it is not today, the day alone if it is another year. */
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

/** A hook's name in little room; for a made-up name, what the hook runs. */
export function briefName(hook: string): string {
  const [, what] = MADE_UP.exec(hook) ?? [];
  return what === undefined ? hook : what.replaceAll(FOLDERS, "");
}

/** Brief names of several hooks; names that would read the same stay whole. */
export function briefNames(hooks: readonly string[]): string[] {
  const brief = hooks.map(briefName);
  const counts = new Map<string, number>();
  for (const name of brief) counts.set(name, (counts.get(name) ?? 0) + 1);
  return brief.map((name, number) => (counts.get(name) === 1 ? name : (hooks[number] ?? name)));
}

/** A made-up name: where the hook is configured, and what it runs. */
const MADE_UP = /^\w+\[\d+\.\d+\] (.*)$/s;

/** The folders before the last slash of a word; an address stays whole. */
const FOLDERS = /(?<!\S)(?!\S*:\/\/)\S*\//g;

/** Items with their numbers as keys, for lists whose items may be equal and whose order never changes. */
export function numbered<T>(items: readonly T[]): { readonly number: number; readonly item: T }[] {
  return items.map((item, number) => ({ number, item }));
}
