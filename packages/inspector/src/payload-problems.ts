import { COMMON_INPUT, type EventName, type Fields } from "@belay/core";
import { eventRow, expectedBy, misfit, nearest } from "@belay/core/internal";

/** What of a payload does not fit its event, in a sentence each. Fields that no event has are handed on as they are. */
export function payloadProblems(event: EventName, payload: Readonly<Record<string, unknown>>): string[] {
  const { hook_event_name: named } = payload;
  const fields: Fields = { ...COMMON_INPUT, ...eventRow(event).input };
  const unknown = Object.keys(payload).filter((name) => !(name in fields));
  const misfits = Object.entries(fields).flatMap(([name, field]) => {
    // The engine fills in what every event has.
    if (!(name in payload)) return name in COMMON_INPUT || field.isOptional ? [] : [missing(name, unknown)];
    const wrong = misfit(field, payload[name]);
    return wrong ? [`${name} must be ${expectedBy(wrong)}`] : [];
  });
  const isOther = typeof named === "string" && named !== event;
  return isOther ? [...misfits, `hook_event_name says ${named}, and the event is ${event}`] : misfits;
}

/** `unknown`: names that stand there and are no field's, of which one may be a slip. */
function missing(name: string, unknown: readonly string[]): string {
  const slip = nearest(name, unknown);
  return `${name} is missing${slip === undefined ? "" : ` (did you mean it by ${slip}?)`}`;
}
