import type { EventName, HookInput, HookJsonOutput } from "@belay/core";

/** A function that answers an event: an object is its output, nothing is silence, a throw is a fault. */
export type ModuleHook<E extends EventName = EventName> = (
  input: HookInput<E>,
) => HookJsonOutput<E> | undefined | Promise<HookJsonOutput<E> | undefined>;

/** Gives a module hook the types of its event: an answer the event cannot give does not compile. */
export function defineHook<E extends EventName>(
  event: E,
  hook: ModuleHook<NoInfer<E>>,
): ModuleHook<E> & { event: E } {
  return Object.assign(hook, { event });
}
