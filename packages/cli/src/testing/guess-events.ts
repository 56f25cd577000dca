import { DEFAULT_DIALECT, EVENT_NAMES, type EventName, eventRow, ruleFor, toolNamed } from "@belay/core";

/** Answers that give away the events they belong to. */
const TELLTALE = ["permissionDecision", "updatedInput", "updatedPrompt", "additionalContext"] as const;

/**
 * The events that a script may be for, by its words: those it names; else those that take its answers and have the fields
 * it reads; and when it says nothing, every event at which a hook can refuse.
 */
export function guessEvents(text: string): readonly EventName[] {
  const has = (word: string) => new RegExp(`\\b${word}\\b`).test(text);
  const named = EVENT_NAMES.filter(has);
  if (named.length > 0) return named;
  const refusing = EVENT_NAMES.filter((event) => ruleFor(event, DEFAULT_DIALECT).refusal !== undefined);
  const answers = TELLTALE.filter(has);
  const taking = EVENT_NAMES.filter((event) =>
    answers.every((answer) => ruleFor(event, DEFAULT_DIALECT).answers.includes(answer)),
  );
  const reading = (answers.length > 0 ? taking : refusing).filter((event) =>
    ownFields.every((field) => !has(field) || field in eventRow(event).input),
  );
  return reading.length > 0 ? reading : refusing;
}

/** Fields of payloads that some events have and others have not, and that are no everyday words. */
const ownFields = [...new Set(EVENT_NAMES.flatMap((event) => Object.keys(eventRow(event).input)))].filter(
  (field) => field.includes("_"),
);

/** The tools that a script speaks of. */
export function toolsIn(text: string): string[] {
  const words = new Set(text.match(/\b[A-Z]\w+\b/g) ?? []);
  return [...words].filter((word) => toolNamed(word) !== undefined);
}
