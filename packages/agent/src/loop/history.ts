import { randomUUID } from "node:crypto";
import type { HookExecutionRecord, Outcome, RunReport } from "@belay/core";
import { whyNoAnswer } from "@belay/core/compare";

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
    decision: didWhat(run, event),
    timestamp,
  }));
}

/** A hook that decides nothing may still have added something, or have failed. */
function didWhat(run: RunReport, event: Outcome["event"]): string {
  const { verdict, fault, adds = [] } = run;
  if (fault !== undefined) return `fault: ${fault}`;
  if (verdict !== "abstain") return verdict;
  const failure = whyNoAnswer(run, event);
  if (failure !== undefined) return `failed: ${failure}`;
  return adds.length > 0 ? adds.join(", ") : verdict;
}
