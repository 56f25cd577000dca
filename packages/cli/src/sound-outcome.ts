import { type Diagnostic, type EventRecord, isObject, type Message, type Outcome } from "@belay/core";

type Recorded = EventRecord["outcome"];

/** A recorded outcome without what cannot be shown: a line that someone else wrote must not take the whole page with it. */
export function soundOutcome(outcome: Recorded): Recorded {
  return { ...outcome, messages: messagesOf(outcome), diagnostics: diagnosticsOf(outcome) };
}

/** Journals of other versions may hold what is no message here. One that names no hook is nobody's. */
export function messagesOf({ messages }: Recorded): Outcome["messages"] {
  return objectsIn<Message>(messages).flatMap(({ hook, ...message }) => {
    const { block } = message;
    const isSound = isObject(block) && [block.type, block.content].every(isText);
    return isSound ? [{ ...message, hook: isText(hook) ? hook : "" } as Message] : [];
  });
}

function diagnosticsOf({ diagnostics }: Recorded): Outcome["diagnostics"] {
  return objectsIn<Diagnostic>(diagnostics).filter(({ code, severity, message, fix }) =>
    [code, severity, message, fix].every(isText),
  ) as Diagnostic[];
}

/** What is in a list, if it is one. */
export function objectsIn<T>(list: unknown): Partial<T>[] {
  return Array.isArray(list) ? (list.filter(isObject) as Partial<T>[]) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
