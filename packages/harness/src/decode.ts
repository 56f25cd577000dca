import type { EventName } from "@belay/core";
import { isObject } from "@belay/core/internal";
import type { Harness } from "./harness.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What the agent itself calls an event and its tool. */
export interface Native {
  readonly agent: string;
  readonly event: string;
  /** Present where we have another name for the tool. */
  readonly tool_name?: string;
  readonly tool_input?: Fields | undefined;
}

/** A payload under our names. What the agent calls it otherwise stands under `native`. */
export interface Decoded {
  readonly event: EventName;
  readonly payload: Fields & { readonly native: Native };
}

/** Why a payload cannot be read, and the agent's name of the event if the payload has one. */
export interface Undecoded {
  readonly problem: string;
  readonly event: string | undefined;
}

/** Reads what a harness sent to a hook. `named` is its name of the event, for payloads that do not say it. */
export function decode(harness: Harness, sent: Fields, named?: string): Decoded | Undecoded {
  const { payload: names = {}, tools, events, title, unfold } = harness;
  const flat = { ...sent, ...unfold?.(sent) };
  const payload: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(flat))
    if (names[name] === undefined || flat[names[name]] === undefined) payload[names[name] ?? name] = value;
  const native = named ?? payload.hook_event_name;
  if (typeof native !== "string")
    return { event: undefined, problem: `the payload does not say which event of ${title} it is` };
  const row = Object.hasOwn(events, native) ? events[native] : undefined;
  if (row === undefined)
    return { event: native, problem: `${title} has no event ${JSON.stringify(native)} that is known here` };
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
      native: {
        agent: harness.name,
        event: native,
        ...(ours && tool !== undefined && { tool_name: tool, tool_input: input }),
      },
    },
  };
}

/** The version of the agent, where it tells it: `claude-code_2-1-325_harness` holds one. */
export function versionOf(
  { versionIn = [] }: Harness,
  payload: Fields,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const told = versionIn.map(
    (name) => /\d+[.-]\d+(?:[.-][\dA-Za-z]+)*/.exec(String(env[name] ?? payload[name] ?? ""))?.[0],
  );
  return told
    .find((version) => version !== undefined)
    ?.slice(0, 40)
    .replaceAll("-", ".");
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
