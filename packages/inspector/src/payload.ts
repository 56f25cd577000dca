import { COMMON_INPUT, type EventName, type EventRecord, type Fields, REDACTED } from "@belay/core";
import { eventRow, expectedBy, misfit, nearest } from "@belay/core/internal";

/** True if a secret was replaced in a payload, or in its JSON: the event it came from was recorded before. */
export function lacksSecrets(payload: unknown): boolean {
  return JSON.stringify(payload).includes(REDACTED);
}

/** The payload of a recorded event, to be fired here. One of another agent's session log happens in this project instead of there. */
export function payloadToFire({ agent, payload }: EventRecord): EventRecord["payload"] {
  if (agent === undefined) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !Object.hasOwn(COMMON_INPUT, name)));
}

/** What in a payload does not fit its event, a sentence each. Fields that no event has are no problem. */
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

/** `unknown`: the names in the payload that are no field. One of them may be misspelt. */
function missing(name: string, unknown: readonly string[]): string {
  const slip = nearest(name, unknown);
  return `${name} is missing${slip === undefined ? "" : ` (did you mean it by ${slip}?)`}`;
}
