import { randomUUID } from "node:crypto";
import type { HookExecutionRecord, Outcome } from "@belay/core";

/** What each hook of an event did, as records of seed 000 §7. */
export function recordsOf({ event, runs }: Outcome): HookExecutionRecord[] {
  const timestamp = Date.now();
  return runs.map(({ hook, exitCode, executionTime, verdict, fault }) => ({
    id: randomUUID(),
    hookEvent: event,
    hook,
    ...(exitCode !== undefined && { exitCode }),
    executionTime,
    decision: fault === undefined ? verdict : `fault: ${fault}`,
    timestamp,
  }));
}
