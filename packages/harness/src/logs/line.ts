import { isObject } from "@belay/core/internal";
import type { LogFlaw } from "./log.ts";

/* What readers do with a line: take what has the expected type, and nothing else. */

export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};

/** The object that a line is, or undefined. */
export function parsedLine(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function objectOf(value: unknown): Fields {
  return isObject(value) ? value : NONE;
}

export function objectsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** What a table has under a word of a log; nothing for words such as `constructor`, which every object knows. */
export function rowOf<T>(table: Readonly<Record<string, T>>, word: unknown): T | undefined {
  return typeof word === "string" && Object.hasOwn(table, word) ? table[word] : undefined;
}

/** The text of a message: a string, or blocks of which some have one. */
export function wordsOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .flatMap(({ text }) => textOf(text) ?? [])
    .join("\n");
}

/** The session that a log is named after, for one that has lost the line that says it. */
export function sessionIn(path: string): string {
  const ids = path.match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g);
  return ids?.at(-1) ?? (path.split(/[\\/]/).at(-1) as string);
}

/** Fields without those that are undefined. */
export function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

export const TORN: readonly LogFlaw[] = [{ kind: "flaw", why: "torn" }];
export const FOREIGN: readonly LogFlaw[] = [{ kind: "flaw", why: "foreign" }];
