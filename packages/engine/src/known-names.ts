import { didYouMean } from "@belay/core";
import { UsageError } from "./errors.ts";

/** A misspelt name would be as if nothing had been given: `confgFiles` reads other files than its caller thinks. */
export function refuseUnknown(given: object, known: Readonly<Record<string, unknown>>, what: string): void {
  const names = Object.keys(known);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    const guess = didYouMean(name, names) || `; there are ${names.join(", ")}`;
    throw new UsageError(`there is no ${what} ${name}${guess}`);
  }
}
