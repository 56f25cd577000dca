import { closest, distance } from "fastest-levenshtein";

/** The known name that was probably meant, or undefined when nothing is near. Case and separators do not count. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || name.length > 100) return undefined;
  const plain = new Map(known.map((candidate) => [simplify(candidate), candidate]));
  const guess = closest(simplify(name), [...plain.keys()]);
  const allowed = Math.max(1, Math.floor(Math.max(name.length, guess.length) / 3));
  return distance(simplify(name), guess) <= allowed ? plain.get(guess) : undefined;
}

/** " (did you mean X?)", or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const guess = nearest(name, known);
  return guess === undefined ? "" : ` (did you mean ${guess}?)`;
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, "");
}
