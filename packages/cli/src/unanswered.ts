import type { Diagnostic, EventRecord, RecordedHook } from "@belay/core";
import { isKnownRun, reportOf, whyNoAnswer } from "@belay/core/compare";
import { objectsIn } from "./sound-outcome.ts";

export interface Unanswered {
  readonly hook: string;
  readonly why: string;
}

/**
 * The hooks of a record that gave no answer. What ended with 0 and was told of no error is not read again: a search goes
 * through very many.
 */
export function unanswered({ event, hooks, outcome }: EventRecord): Unanswered[] {
  const told = toldErrors(outcome);
  return hooks.flatMap((hook) => {
    const { name, run } = hook;
    const known = run.failure?.detail ?? told.get(name);
    if (known === undefined && (run.exitCode ?? 0) === 0) return [];
    const why = whyOf(event, hook) ?? known;
    return why === undefined ? [] : [{ hook: name, why }];
  });
}

function whyOf(event: EventRecord["event"], hook: RecordedHook): string | undefined {
  return isKnownRun(event, hook) ? whyNoAnswer(reportOf(event, hook), event) : undefined;
}

/** A line that someone else wrote may lack them, or hold what is none. */
function toldErrors({ diagnostics }: EventRecord["outcome"]): Map<string | undefined, string> {
  const errors = objectsIn<Diagnostic>(diagnostics).filter(({ severity }) => severity === "error");
  return new Map(errors.map(({ hook, message = "" }) => [hook, message]));
}
