import { randomUUID } from "node:crypto";
import type { HookExecutionRecord, Outcome, RunReport } from "@belay/core";

/** What each hook of an event did, as records of seed 000 §7. */
export function recordsOf({ event, runs }: Outcome): HookExecutionRecord[] {
  const timestamp = Date.now();
  return runs.map((run) => ({
    id: randomUUID(),
    hookEvent: event,
    hook: run.hook,
    source: run.source,
    ...(run.exitCode !== undefined && { exitCode: run.exitCode }),
    executionTime: run.executionTime,
    decision: didWhat(run),
    timestamp,
  }));
}

/** A hook that decides nothing may still have added something. */
function didWhat({ verdict, fault, adds = [] }: RunReport): string {
  if (fault !== undefined) return `fault: ${fault}`;
  return verdict === "abstain" && adds.length > 0 ? adds.join(", ") : verdict;
}
