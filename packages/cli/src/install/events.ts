import { EVENT_NAMES, type EventName } from "@belay/core";
import { configLoader, configPlaces } from "@belay/engine/internal";
import { type Harness, installable } from "@belay/harness";
import { oneOf } from "../args/args.ts";
import { EXAMPLE_EVENT } from "../hooks/first-hook.ts";
import type { Base } from "./place.ts";

/** Which events are installed, and why these. */
export interface Chosen {
  readonly events: readonly EventName[];
  readonly why: string;
}

/** The events of hooks that are configured, for all that a project's folder sees. */
export async function configuredEvents({ project, home }: Omit<Base, "scope">): Promise<EventName[]> {
  const { hooks } = await configLoader().load(configPlaces({ cwd: project, project, home, sessionId: "" }));
  const used = new Set(hooks.filter(({ enabled }) => enabled).map(({ event }) => event));
  return EVENT_NAMES.filter((event) => used.has(event));
}

/** Without flags the events that hooks are for, and always the one at which a guard stands that is written later. */
export async function chosenEvents(
  values: { readonly events?: string; readonly all?: boolean },
  harness: Harness,
  base: Base,
): Promise<Chosen> {
  if (values.all) return { events: installable(harness), why: `every event that ${harness.title} has` };
  if (values.events !== undefined) {
    const names = values.events.split(",").map((name) => oneOf(name.trim(), EVENT_NAMES, "event"));
    return { events: EVENT_NAMES.filter((event) => names.includes(event)), why: "as --events says" };
  }
  const used = await configuredEvents(base);
  return {
    events: EVENT_NAMES.filter((event) => event === EXAMPLE_EVENT || used.includes(event)),
    why: used.length === 0 ? "no hook is configured yet" : "your hooks' events",
  };
}
