import { redactText, secretValues } from "@belay/engine/internal";

/** The user's secrets, and what looks like one: what of a log is shown has none. */
export const SECRETS = { values: secretValues(process.env), patterns: [] };

/** A value without the secrets in its texts, by the names of its keys too. */
export function redacted<T>(value: T): T {
  return JSON.parse(redactText(JSON.stringify(value), SECRETS)) as T;
}
