import type { EventName, RunReport } from "@belay/core";
import { whyNoAnswer } from "@belay/core/compare";

/** What a hook said, in a word; one that decided nothing shows that it failed, or what it added instead. */
export function saidBy(run: RunReport, event: EventName): string {
  const { verdict, adds } = run;
  if (verdict !== "abstain") return verdict;
  if (run.fault !== undefined) return "fault";
  return whyNoAnswer(run, event) === undefined ? (adds?.[0] ?? verdict) : "failed";
}

/** How its process ended; "" for what is no process. */
export function endOf({ timedOut, signal, exitCode }: RunReport): string {
  if (timedOut) return "timed out";
  return signal ?? (exitCode === undefined ? "" : `exit ${exitCode}`);
}
