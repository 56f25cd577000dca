import { type Diagnostic, EVENT_NAMES, type EventName } from "@belay/core";
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

/** The events of hooks that are configured, for all that a project's folder sees; and those of guards. */
export interface Configured {
  readonly events: readonly EventName[];
  readonly guarded: readonly EventName[];
  /** Of the settings files: one that cannot be read may hold any hook. */
  readonly problems: readonly Diagnostic[];
}

export async function configuredEvents({ project, home }: Omit<Base, "scope">): Promise<Configured> {
  const { hooks, fresh } = await configLoader().load(
    configPlaces({ cwd: project, project, home, sessionId: "" }),
  );
  const enabled = hooks.filter((hook) => hook.enabled);
  const eventsOf = (some: typeof hooks) =>
    EVENT_NAMES.filter((name) => some.some(({ event }) => event === name));
  return {
    events: eventsOf(enabled),
    guarded: eventsOf(enabled.filter(({ onFailure }) => onFailure === "block")),
    problems: fresh,
  };
}

/** Without flags the events that hooks are for, and always the one at which a guard stands that is written later. */
export function chosenEvents(
  values: { readonly events?: string; readonly all?: boolean },
  harness: Harness,
  used: readonly EventName[],
): Chosen {
  if (values.all) return { events: installable(harness), why: `every event that ${harness.title} has` };
  if (values.events !== undefined) {
    const names = values.events.split(",").map((name) => oneOf(name.trim(), EVENT_NAMES, "event"));
    return { events: EVENT_NAMES.filter((event) => names.includes(event)), why: "as --events says" };
  }
  return {
    events: EVENT_NAMES.filter((event) => event === EXAMPLE_EVENT || used.includes(event)),
    why: used.length === 0 ? "no hook is configured yet" : "your hooks' events",
  };
}
