import { closest, distance } from "fastest-levenshtein";

/** The known name that was probably meant, or undefined when nothing is near. Case and separators do not count. */
export function nearest<Known extends string>(name: string, known: readonly Known[]): Known | undefined {
  if (known.length === 0 || name.length > 100) return undefined;
  const plain = new Map(known.map((candidate) => [simplify(candidate), candidate]));
  const guess = closest(simplify(name), [...plain.keys()]);
  const allowed = Math.max(1, Math.floor(Math.max(name.length, guess.length) / 3));
  const steps = distance(simplify(name), guess);
  return steps <= allowed || (steps === 2 && isSwap(simplify(name), guess)) ? plain.get(guess) : undefined;
}

/** Two letters changed places: the commonest slip, and two steps for the distance. */
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
