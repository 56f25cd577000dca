import type { EventName } from "@belay/core";
import { isObject } from "@belay/core/internal";
import type { Harness } from "./harness.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A payload under our names. What the agent calls it otherwise stands under `native`. */
export interface Decoded {
  readonly event: EventName;
  readonly payload: Fields & { readonly native: Fields };
}

/**
 * Reads what a harness sent to a hook. `named` is its name of the event, for payloads that do not say it. Returns why it
 * cannot be read, if it cannot.
 */
export function decode(
  harness: Harness,
  sent: Fields,
  named?: string,
): Decoded | { readonly problem: string } {
  const { payload: names = {}, tools, events, title, unfold } = harness;
  const flat = { ...sent, ...unfold?.(sent) };
  const payload: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(flat))
    if (names[name] === undefined || flat[names[name]] === undefined) payload[names[name] ?? name] = value;
  const native = named ?? payload.hook_event_name;
  const row = typeof native === "string" && Object.hasOwn(events, native) ? events[native] : undefined;
  if (row === undefined)
    return {
      problem:
        native === undefined
          ? `the payload does not say which event of ${title} it is`
          : `${title} has no event ${JSON.stringify(native)} that is known here`,
    };
  const tool = typeof payload.tool_name === "string" ? payload.tool_name : undefined;
  const input = asObject(payload.tool_input);
  const ours = tool !== undefined && Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  return {
    event: row.event,
    payload: {
      ...payload,
      hook_event_name: row.event,
      ...(ours && { tool_name: ours.name }),
      ...(input && { tool_input: renamed(input, ours?.input) }),
      native: { agent: harness.name, event: native, ...(ours && { tool_name: tool, tool_input: input }) },
    },
  };
}

/** An input with other names of its fields. */
export function renamed(
  input: Fields,
  names: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([field, value]) => [names[field] ?? field, value]));
}

/** Some agents send a tool's input as JSON in a string. */
function asObject(value: unknown): Fields | undefined {
  if (isObject(value)) return value;
  if (typeof value !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
