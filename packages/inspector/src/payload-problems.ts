import { COMMON_INPUT, type EventName, eventRow, expectedBy, type Fields, misfit } from "@belay/core";

/** What of a payload does not fit its event, in a sentence each. Fields that no event has are handed on as they are. */
export function payloadProblems(event: EventName, payload: Readonly<Record<string, unknown>>): string[] {
  const { hook_event_name: named } = payload;
  const fields: Fields = { ...COMMON_INPUT, ...eventRow(event).input };
  const misfits = Object.entries(fields).flatMap(([name, field]) => {
    // The engine fills these in where they are missing.
    if (payload[name] === undefined && name in COMMON_INPUT) return [];
    const wrong = misfit(field, payload[name]);
    return wrong ? [`${name} must be ${expectedBy(wrong)}`] : [];
  });
  const isOther = typeof named === "string" && named !== event;
  return isOther ? [...misfits, `hook_event_name says ${named}, and the event is ${event}`] : misfits;
}
