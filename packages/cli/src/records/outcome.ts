import type { Diagnostic, EventRecord, Message, Outcome, RecordedHook } from "@belay/core";
import { isKnownRun, reportOf, whyNoAnswer } from "@belay/core/compare";
import { isObject } from "@belay/core/internal";

type Recorded = EventRecord["outcome"];

/** A recorded outcome without the parts that cannot be shown: a foreign line must not break the whole page. */
export function soundOutcome(outcome: Recorded): Recorded {
  return { ...outcome, messages: messagesOf(outcome), diagnostics: diagnosticsOf(outcome) };
}

/** The messages that can be shown. Journals of other versions may hold others. A message without a hook's name gets an empty one. */
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

function objectsIn<T>(list: unknown): Partial<T>[] {
  return Array.isArray(list) ? (list.filter(isObject) as Partial<T>[]) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

export interface Unanswered {
  readonly hook: string;
  readonly why: string;
}

/**
 * The hooks of a record that gave no answer. A run that ended with 0 and has no error is not parsed again: a search reads very
 * many records.
 */
export function unanswered({ event, hooks, outcome }: EventRecord): Unanswered[] {
  const told = toldErrors(outcome);
  return hooks.flatMap((hook) => {
    const { name, run } = hook;
    const known = run.failure?.detail ?? told.get(name);
    if (known === undefined && (run.exitCode ?? 0) === 0) return [];
    const why = whyOf(event, hook) ?? known;
    return why === undefined ? [] : [{ hook: name, why }];
  });
}

function whyOf(event: EventRecord["event"], hook: RecordedHook): string | undefined {
  return isKnownRun(event, hook) ? whyNoAnswer(reportOf(event, hook), event) : undefined;
}

/** The error of each hook. A foreign line may lack diagnostics, or hold something else in their place. */
function toldErrors({ diagnostics }: EventRecord["outcome"]): Map<string | undefined, string> {
  const errors = objectsIn<Diagnostic>(diagnostics).filter(({ severity }) => severity === "error");
  return new Map(errors.map(({ hook, message = "" }) => [hook, message]));
}

/**
 * True if hooks of this event did not run because they are not trusted. Older records know only whether the user was told, at
 * the first event of a session. A foreign line may lack that too.
 */
export function hasUntrusted({ untrusted, outcome }: EventRecord): boolean {
  if (untrusted !== undefined) return untrusted > 0;
  const { diagnostics } = outcome;
  return Array.isArray(diagnostics) && diagnostics.some((one) => one?.code === "hook-untrusted");
}
