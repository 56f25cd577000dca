import { availableParallelism } from "node:os";
import { UsageError } from "@belay/engine";

const MOST = 1024;

/** How many of something are under way at once; as many as there are cores if nothing is given. */
export function parallelOf(given: string | undefined, what: "cases" | "events"): number {
  if (given === undefined) return availableParallelism();
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= 1 && number <= MOST) return number;
  throw new UsageError(
    `--parallel ${JSON.stringify(given)} is no number of ${what}`,
    "for example: --parallel 4",
  );
}
