import { plural } from "@belay/core/internal";
import { milliseconds } from "./text.ts";

/* Counts, times and days as people read them. */

export const count = (number: number) => number.toLocaleString("en");
export const many = (number: number, noun: string) => plural(number, noun).replace(/^\d+/, count(number));
/** In a table, where most cells are none. */
export const some = (number: number) => (number === 0 ? "–" : count(number));

/** A long time as people say it. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return milliseconds(ms);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${count(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** The days from one time to another. */
export function daysOf(first: string, last: string): string {
  const [from, to] = [first, last].map(dayOf);
  return from === to ? `${from}` : `${from} to ${to}`;
}

/** A day on the reader's calendar. */
function dayOf(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "?";
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
