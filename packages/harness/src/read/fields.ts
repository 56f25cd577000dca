import { isObject } from "@belay/core/internal";
import { at } from "./at.ts";
import type { Flaw } from "./reads.ts";

/** What a field must hold, if it is there; with "?" it may be null. */
export type FieldType = "string" | "boolean" | "object" | "string?" | "boolean?" | "object?";

/** The flaw of an answer in which a field, by its path, holds something else: it voids the whole answer. */
export function wrongField(
  types: Readonly<Record<string, FieldType>> = {},
  answer: Readonly<Record<string, unknown>>,
): Flaw | undefined {
  const wrong = Object.entries(types).find(([path, type]) => !holds(at(answer, path), type));
  if (wrong === undefined) return undefined;
  const [path, type] = wrong;
  const name = path.split(".").at(-1) ?? path;
  const value = JSON.stringify(at(answer, path)).slice(0, MAX_LENGTH);
  return {
    why: `${name}: ${value} voids the whole answer there`,
    fix: `leave ${name} out, or give it ${WORDS[type.replace("?", "")]}`,
  };
}

/** As much of a value as a message shows. */
const MAX_LENGTH = 40;

const WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  boolean: "true or false",
  object: "an object",
};

function holds(value: unknown, type: FieldType): boolean {
  if (value === undefined) return true;
  if (value === null) return type.endsWith("?");
  return type.startsWith("object") ? isObject(value) : type.startsWith(typeof value);
}
