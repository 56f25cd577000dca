import { withoutPlace } from "@belay/core/internal";

const DAYS = "Sun Mon Tue Wed Thu Fri Sat".split(" ");
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** The day on the reader's calendar, with its year if that is another one: "Wed 18 November". */
export function dayOf(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "?";
  const year = time.getFullYear() === new Date().getFullYear() ? "" : ` ${time.getFullYear()}`;
  return `${DAYS[time.getDay()]} ${time.getDate()} ${MONTHS[time.getMonth()]}${year}`;
}

/** The time on the reader's clock: "09:05:59". */
export function clockOf(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "?";
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

/** The time, with its day if that is not today. */
export function when(iso: string): string {
  const day = dayOf(iso);
  return day === dayOf(new Date().toISOString()) || day === "?" ? clockOf(iso) : `${day} ${clockOf(iso)}`;
}

export function took(ms: number): string {
  if (ms < FINEST_MS) return `< ${FINEST_MS} ms`;
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return Math.round(ms) < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** How long something took that people wait for: "48 s", "3 min 5 s", "2 h 10 min". */
export function lasted(from: string, to: string): string {
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  if (!(seconds > 0)) return "";
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** What `took` tells apart. */
const FINEST_MS = 0.01;

/** Three to five round numbers of ms from 0 on; the last is not below `longest`. For the axis of a chart. */
export function ticksTo(longest: number): number[] {
  const most = Math.max(longest, 4 * FINEST_MS);
  const unit = 10 ** Math.floor(Math.log10(most / 4));
  const step = [unit, 2 * unit, 5 * unit].find((one) => most / one <= 4) ?? 10 * unit;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, number) => number * step);
}

/** The names of hooks without their places; names that would read the same stay whole. */
export function briefNames(hooks: readonly string[]): string[] {
  const brief = hooks.map(withoutPlace);
  const counts = new Map<string, number>();
  for (const name of brief) counts.set(name, (counts.get(name) ?? 0) + 1);
  return brief.map((name, number) => (counts.get(name) === 1 ? name : (hooks[number] ?? name)));
}

/** Items with their numbers as keys, for lists whose items may be equal and whose order never changes. */
export function numbered<T>(items: readonly T[]): { readonly number: number; readonly item: T }[] {
  return items.map((item, number) => ({ number, item }));
}

export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
