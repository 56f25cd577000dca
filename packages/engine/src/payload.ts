import { resolve } from "node:path";
import { type Diagnostic, diagnose, EVENT_NAMES, type EventName, type Hook, isEventName } from "@belay/core";
import { didYouMean, eventRow, isObject, messageOf, plural } from "@belay/core/internal";
import { UsageError } from "./options.ts";

/** What hooks read of one event, complete. */
export type Payload = Readonly<Record<string, unknown>> & {
  readonly session_id: string;
  readonly cwd: string;
};

/** The caller's fields over the common ones; what makes no sense is refused before anything runs. */
export function completePayload(
  common: { readonly sessionId: string; readonly cwd: string },
  event: EventName,
  input: Record<string, unknown>,
): Payload {
  if (!isEventName(event)) {
    const name = String(event);
    throw new UsageError(`there is no event ${name}${didYouMean(name, EVENT_NAMES)}`);
  }
  if (!isObject(input)) {
    throw new UsageError(`the payload of ${event} must be an object`);
  }
  const text = (value: unknown, fallback: string) =>
    typeof value === "string" && value !== "" ? value : fallback;
  const payload = {
    transcript_path: "",
    permission_mode: "default",
    ...input,
    session_id: text(input.session_id, common.sessionId),
    cwd: input.cwd === undefined ? common.cwd : resolve(common.cwd, text(input.cwd, "")),
    hook_event_name: event,
  };
  const problem = payload.cwd.includes("\0") ? "has a cwd with a NUL in it" : whyNoJson(payload);
  if (problem !== undefined) throw new UsageError(`the payload of ${event} ${problem}`);
  return payload;
}

function whyNoJson(payload: Payload): string | undefined {
  const tooDeep = `is nested more than ${MAX_LEVELS} levels deep; give what is so deep as a string`;
  try {
    return isDeeper(textOf(payload), MAX_LEVELS) ? tooDeep : undefined;
  } catch (error) {
    const detail = messageOf(error);
    const isStack = error instanceof RangeError && detail.includes("call stack");
    return isStack ? tooDeep : `cannot be put into JSON: ${detail}`;
  }
}

/** A caller that misspells what matchers test would run no guard and never know. */
export function untestedMatchers(hooks: readonly Hook[], event: EventName, payload: Payload): Diagnostic[] {
  const field = eventRow(event).matcher;
  if (field === undefined || typeof payload[field] === "string") return [];
  const { length } = hooks.filter(
    (hook) => hook.event === event && hook.enabled && hook.matcher.kind !== "all",
  );
  if (length === 0) return [];
  return [diagnose("matcher-untested", { event, field, count: plural(length, "hook") })];
}

const texts = new WeakMap<object, string>();

/** A payload as hooks read it. What several hooks are given is put into JSON once. */
export function textOf(payload: Readonly<Record<string, unknown>>): string {
  const known = texts.get(payload);
  if (known !== undefined) return known;
  const text = JSON.stringify(payload);
  texts.set(payload, text);
  return text;
}

/** No real payload is nested so deep. Beyond some thousands neither we nor hooks could read it, and no guard be asked. */
export const MAX_LEVELS = 1000;

/** Whether a JSON text is nested deeper than this. Counted in the text: it is what hooks have to read. */
export function isDeeper(json: string, levels: number): boolean {
  if (json.length <= 2 * levels) return false;
  let open = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char === '"') at = endOfString(json, at) - 1;
    else if (char === "{" || char === "[") open += 1;
    else if (char === "}" || char === "]") open -= 1;
    if (open > levels) return true;
  }
  return false;
}

/** Behind the quote that ends the string which begins at `start`, or the end of the text where it was cut. */
export function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json[before] === "\\") before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return json.length;
}

/** What a JSON text says; undefined for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
