import type { EventRecord } from "@belay/core";

/**
 * Whether hooks of this event did not run because they are not trusted. Older records know only whether the user was told, at
 * the first event of a session; a line that someone else wrote may lack that too, or hold what is none.
 */
export function hasUntrusted({ untrusted, outcome }: EventRecord): boolean {
  if (untrusted !== undefined) return untrusted > 0;
  const { diagnostics } = outcome;
  return Array.isArray(diagnostics) && diagnostics.some((one) => one?.code === "hook-untrusted");
}
