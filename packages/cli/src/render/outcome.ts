import type { Match, Outcome } from "@belay/engine";
import type { Io } from "../io.ts";
export function renderOutcome(
  outcome: Outcome,
  _matches: readonly Match[],
  _payload: unknown,
  _io: Io,
): string {
  return JSON.stringify(outcome);
}
