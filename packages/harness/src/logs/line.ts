import { isObject } from "@belay/core/internal";
import type { Entries, LogEntry, Said } from "./log.ts";

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

/**
 * Who says a line, in the logs of Claude Code and of Qwen Code. Asked of every line: no spread, which takes several times as
 * long as setting fields.
 */
export function saidIn({ sessionId, timestamp, cwd, uuid, agentId, isSidechain }: Fields): Said | undefined {
  if (typeof sessionId !== "string" || typeof timestamp !== "string") return undefined;
  const said: Mutable<Said> = { session: sessionId, time: timestamp };
  if (typeof cwd === "string") said.cwd = cwd;
  if (typeof uuid === "string") said.line = uuid;
  if (typeof agentId === "string") said.subagent = agentId;
  else if (isSidechain === true) said.subagent = "subagent";
  return said;
}

export type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** The line's format is not known. */
export const FOREIGN: Entries = [{ kind: "flaw", why: "foreign" }];

export function promptOf(said: Said, text: string): LogEntry[] {
  return text === "" ? [] : [{ ...said, kind: "prompt", text }];
}

/** None for a call without an id or a name. */
export function callOf(said: Said, id: unknown, tool: unknown, input: unknown): LogEntry[] {
  if (typeof id !== "string" || typeof tool !== "string") return [];
  return [{ ...said, kind: "call", id, tool, input: objectOf(input) }];
}

/** Puts the start of a session before its first entries. A subagent starts none. */
export function sessionStarter() {
  let hasBegun = false;
  return (said: Said, entries: readonly LogEntry[], version?: unknown): readonly LogEntry[] => {
    if (hasBegun || said.subagent !== undefined) return entries;
    hasBegun = true;
    return [{ ...said, kind: "start", ...given({ version: textOf(version) }) }, ...entries];
  };
}
