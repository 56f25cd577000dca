import {
  COMMON_INPUT,
  type EventName,
  eventRow,
  expectedBy,
  type Fields,
  misfit,
  nearest,
} from "@belay/core";

/** What of a payload does not fit its event, in a sentence each. Fields that no event has are handed on as they are. */
export function payloadProblems(event: EventName, payload: Readonly<Record<string, unknown>>): string[] {
  const { hook_event_name: named } = payload;
  const fields: Fields = { ...COMMON_INPUT, ...eventRow(event).input };
  const unknown = Object.keys(payload).filter((name) => !(name in fields));
  const misfits = Object.entries(fields).flatMap(([name, field]) => {
    // The engine fills these in where they are missing.
    if (payload[name] === undefined && name in COMMON_INPUT) return [];
    const wrong = misfit(field, payload[name]);
    if (!wrong) return [];
    return [name in payload ? `${name} must be ${expectedBy(wrong)}` : missing(name, unknown)];
  });
  const isOther = typeof named === "string" && named !== event;
  return isOther ? [...misfits, `hook_event_name says ${named}, and the event is ${event}`] : misfits;
}

/** `unknown`: names that stand there and are no field's, of which one may be a slip. */
function missing(name: string, unknown: readonly string[]): string {
  const slip = nearest(name, unknown);
  return `${name} is missing${slip === undefined ? "" : ` (did you mean it by ${slip}?)`}`;
}
