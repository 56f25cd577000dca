import { isObject } from "./json-object.ts";

/* How messages put things. */

/** A text of at most `max` characters; one that is cut ends in "…", and never in half a character. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

export function quote(text: string): string {
  return JSON.stringify(text);
}

/** A value in a message: short, and never the inside of an object or array, which has no end to its depth. */
export function brief(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return quote(shorten(value, 60));
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : String(value);
}

/** What was thrown, in words: not everything that is thrown is an Error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** "a, b or c" */
export function oneOf(words: readonly string[]): string {
  return words.join(", ").replace(/, ([^,]+)$/, " or $1");
}

/** "1 hook", "2 hooks". */
export function plural(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** A word as a shell takes it back: quoted only where it must be. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
