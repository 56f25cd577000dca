import { DECISION_KINDS, type DecisionKind, nearest } from "@belay/core";
import { wordFor } from "@belay/core/compare";
import { UsageError } from "@belay/engine";

/** No decision, but asked for where one is: whatever was decided, a hook had a fault. */
export const FAULT = "fault";

const WORDS = [...DECISION_KINDS.map(wordFor), FAULT];

/** Each as it is typed: what is shown, quoted where it is two words. */
export const DECISION_WORDS: readonly string[] = WORDS.map(typed);

/** The decision that is meant by what is shown, or by its name in JSON. */
export function decisionMeant(given: string): DecisionKind | typeof FAULT {
  if (given === FAULT) return FAULT;
  const kind = DECISION_KINDS.find((one) => given === wordFor(one) || given === one);
  if (kind) return kind;
  const guess = nearest(given, WORDS);
  throw new UsageError(
    `there is no decision ${JSON.stringify(given)}`,
    guess === undefined ? `one of: ${DECISION_WORDS.join(", ")}` : `did you mean ${typed(guess)}?`,
  );
}

function typed(word: string): string {
  return word.includes(" ") ? JSON.stringify(word) : word;
}
