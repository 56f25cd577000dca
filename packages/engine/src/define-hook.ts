import type { EventName, HookInput, HookJsonOutput } from "@belay/core";

/** A function that answers an event: an object is its output, nothing is silence, a throw is a fault. */
export type ModuleHook<E extends EventName = EventName> = (
  input: HookInput<E>,
) => HookJsonOutput<E> | undefined | Promise<HookJsonOutput<E> | undefined>;

type Keys<T> = T extends object ? keyof T : never;
type Field<T, Name> = T extends object ? (Name extends keyof T ? T[Name] : never) : never;
/** What was given, with `never` for each field that is not known: the compiler itself lets a callback's result have more. */
type OnlyKnown<Given, Known> = Given extends object
  ? { [Name in keyof Given]: Name extends Keys<Known> ? OnlyKnown<Given[Name], Field<Known, Name>> : never }
  : Given;

type Answer<E extends EventName> = HookJsonOutput<E> | undefined;
type Sound<Given, E extends EventName> = OnlyKnown<Given, HookJsonOutput<E>> & Answer<E>;
/** Nothing more is asked of silence, or of a result that has the event's own type. */
type Check<Given, E extends EventName> = [Given] extends [Promise<void>]
  ? unknown
  : [Answer<E>] extends [Awaited<Given>]
    ? unknown
    : (input: never) => Sound<Awaited<Given>, E> | Promise<Sound<Awaited<Given>, E>>;

/** Gives a module hook the types of its event: an answer the event cannot give, or a misspelt one, does not compile. */
export function defineHook<
  E extends EventName,
  Given extends Answer<NoInfer<E>> | Promise<Answer<NoInfer<E>>> | Promise<void>,
>(
  event: E,
  hook: ((input: HookInput<NoInfer<E>>) => Given | undefined) & Check<Given, NoInfer<E>>,
): ModuleHook<E> & { event: E } {
  return Object.assign(hook as ModuleHook<E>, { event });
}
