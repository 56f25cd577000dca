import { type EventName, eventRow } from "@belay/core";
import { payloadFor } from "../payload-args.ts";
import { toolsIn } from "./guess-events.ts";

/** Five tools are enough to see what a script does. */
const MAX_TOOLS = 5;

export interface Attempt {
  readonly event: EventName;
  readonly payload: Record<string, unknown>;
}

/** What a script is tried on: a sample per event, and at an event with a tool one per tool that the script names. */
export function attemptsFor(
  events: readonly EventName[],
  text: string,
  given: Readonly<Record<string, unknown>>,
  flags: { readonly cwd?: string; readonly session: string },
): Attempt[] {
  const tools = given.tool_name === undefined && given.tool_input === undefined ? toolsIn(text) : [];
  return events.flatMap((event) => {
    const takesTool = "tool_name" in eventRow(event).input;
    const variants = takesTool && tools.length > 0 ? tools.slice(0, MAX_TOOLS) : [undefined];
    return variants.map((tool) => {
      const said = { ...given, ...(tool !== undefined && { tool_name: tool }) };
      return { event, payload: payloadFor(event, flags, said, flags.session) };
    });
  });
}
