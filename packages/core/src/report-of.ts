import { isDialectName } from "./dialects.ts";
import { type EventName, isEventName } from "./events.ts";
import { FAILURE_KINDS } from "./kinds.ts";
import { parse } from "./parse.ts";
import type { RecordedHook } from "./record.ts";
import { report } from "./route.ts";
import { ruleFor } from "./rules.ts";
import type { RunReport } from "./types.ts";

/** A later version knows more events, dialects and kinds of failure than this one: such a run cannot be read here. */
export function isKnownRun(event: string, { dialect, run }: RecordedHook): boolean {
  const isKnownFailure = run.failure === undefined || FAILURE_KINDS.includes(run.failure.kind);
  return isEventName(event) && isDialectName(dialect) && isKnownFailure;
}

/** What one hook of a record did, read anew: for who needs no outcome. */
export function reportOf(event: EventName, hook: RecordedHook): RunReport {
  const { source, run } = hook;
  return report({ source, run, verdict: parse(hook, run, ruleFor(event, hook.dialect)) });
}
