import type { EventRecord } from "@belay/core";

/**
 * How many hooks had a fault: a runner's fact, or an error in what was printed. The record has both, and nothing has to be
 * read again; a line that someone else wrote may lack diagnostics, or hold what is none.
 */
export function faultsOf({ hooks, outcome }: EventRecord): number {
  const { diagnostics } = outcome;
  const errors = Array.isArray(diagnostics) ? diagnostics.filter((one) => one?.severity === "error") : [];
  const wrong = new Set(errors.map(({ hook }) => hook));
  return hooks.filter(({ name, run }) => run.failure !== undefined || wrong.has(name)).length;
}
