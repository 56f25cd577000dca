import type { EventName } from "./events.ts";
import { parse } from "./parse.ts";
import type { RecordedHook } from "./record.ts";
import { report } from "./route.ts";
import { ruleFor } from "./rules.ts";
import type { RunReport } from "./types.ts";

/** What one hook of a record did, read anew: for who needs no outcome. */
export function reportOf(event: EventName, hook: RecordedHook): RunReport {
  const { source, run } = hook;
  return report({ source, run, verdict: parse(hook, run, ruleFor(event, hook.dialect)) });
}
