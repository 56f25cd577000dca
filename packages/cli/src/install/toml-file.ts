import { isObject, messageOf } from "@belay/core/internal";
import { parse, TomlError } from "smol-toml";
import type { Edited, Entry, Found, Unfit } from "./format.ts";

/*
 * Entries in a TOML file: a block between two comments at its end. A table of an array can stand anywhere, so the rest of the
 * file stays as it is.
 */

const BEGIN = "# belay: begin. `belay uninstall` takes it out.";
const END = "# belay: end";

export function unfitToml(text: string): Unfit | undefined {
  try {
    const { hooks } = parse(text.replace(/^\uFEFF/, ""));
    if (hooks === undefined || isTables(text, hooks)) return undefined;
    return { detail: "`hooks` is no list of [[hooks]] tables", line: lineOf(text, /^\s*\[?\s*"?hooks\b/m) };
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1;
    return { detail: `it is no TOML: ${messageOf(error).split("\n")[0]}`, line };
  }
}

/** A list that is written as a value takes no further tables. */
function isTables(text: string, hooks: unknown): boolean {
  return Array.isArray(hooks) && !/^\s*(?:hooks|"hooks")\s*=/m.test(text);
}

function lineOf(text: string, pattern: RegExp): number {
  return text.slice(0, Math.max(0, text.search(pattern))).split("\n").length;
}

export function addToToml(text: string, entries: readonly Entry[]): Edited {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const tables = entries.map(({ native, fields }) => [
    "[[hooks]]",
    `event = ${JSON.stringify(native)}`,
    ...Object.entries(fields).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
  ]);
  const lead = text === "" || /\n$/.test(text) ? "" : eol;
  const added = `${lead}${[BEGIN, ...tables.flat(), END].join(eol)}${eol}`;
  return { text: text + added, pieces: [{ at: text.length, length: added.length }], made: [] };
}

/** Takes our block out of a text that others have edited. */
export function takeFromToml(text: string): string {
  const from = text.indexOf(BEGIN);
  const end = text.indexOf(END, from);
  if (from === -1 || end === -1) return text;
  return text.slice(0, from) + text.slice(end + END.length).replace(/^\r?\n/, "");
}

export function foundInToml(text: string): Found[] {
  if (unfitToml(text)) return [];
  const { hooks = [] } = parse(text.replace(/^\uFEFF/, ""));
  const starts = [...text.matchAll(/^\s*\[\[\s*"?hooks"?\s*\]\]/gm)].map(({ index }) => index);
  return (Array.isArray(hooks) ? (hooks as unknown[]) : [])
    .filter(isObject)
    .map(({ event, command, ...fields }, index) => ({
      native: String(event),
      command: typeof command === "string" ? command : "",
      line: text.slice(0, starts[index] ?? 0).split("\n").length,
      fields: { command, ...fields },
    }));
}
