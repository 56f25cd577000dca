import { closest, distance } from "fastest-levenshtein";
import { isObject } from "./json.ts";

/* How messages put things. */

/** A text of at most `max` characters; one that is cut ends in "…", and never in half a character. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

export function quote(text: string): string {
  return JSON.stringify(text);
}

/** One spelling for names that some file systems take for the same. */
export function alike(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** A value for a message: short, and without the inside of an object or array, which may be deep. */
export function brief(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return quote(shorten(value, 60));
  if (Array.isArray(value)) return "an array";
  return isObject(value) ? "an object" : String(value);
}

/** The message of what was thrown, which may be no Error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** "a, b or c" */
export function oneOf(words: readonly string[]): string {
  return words.join(", ").replace(/, ([^,]+)$/, " or $1");
}

/** `"a" | "b"` */
export function alternatives(words: readonly string[]): string {
  return words.map(quote).join(" | ");
}

/** "1 hook", "2 hooks". */
export function plural(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** The time on the reader's clock, with the day if it is not today, and the year if it is another one. */
export function whenOf(time: Date, now: Date): string {
  if (Number.isNaN(time.getTime())) return "?";
  const two = (number: number) => String(number).padStart(2, "0");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  if (time.toDateString() === now.toDateString()) return clock;
  const day = `${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const year = time.getFullYear();
  return year === now.getFullYear() ? `${day} ${clock}` : `${year}-${day} ${clock}`;
}

/** The place that the name of a hook without a name begins with: `PreToolUse[0.1] lint.sh`. */
const PLACE = /\b\w+\[\d+\.\d+\] /g;

/** A hook by its name, or by its command, not by where it is configured. */
export function withoutPlace(hook: string): string {
  return hook.replaceAll(PLACE, "");
}

/** A word for a shell, quoted if it must be. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The known name that was probably meant, or undefined if none is near. Case and separators do not count. */
export function nearest<Known extends string>(name: string, known: readonly Known[]): Known | undefined {
  if (known.length === 0 || name.length > 100) return undefined;
  const plain = new Map(known.map((candidate) => [simplify(candidate), candidate]));
  const guess = closest(simplify(name), [...plain.keys()]);
  const allowed = Math.max(1, Math.floor(Math.max(name.length, guess.length) / 3));
  const steps = distance(simplify(name), guess);
  return steps <= allowed || (steps === 2 && isSwap(simplify(name), guess)) ? plain.get(guess) : undefined;
}

/** True if letters changed places: the commonest slip, and two steps by the distance. */
function isSwap(a: string, b: string): boolean {
  return [...a].sort().join("") === [...b].sort().join("");
}

/** " (did you mean X?)", or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  return asGuess(nearest(name, known));
}

/** The same for a name that was found already. */
export function asGuess(meant: string | undefined): string {
  return meant === undefined ? "" : ` (did you mean ${meant}?)`;
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, "");
}
