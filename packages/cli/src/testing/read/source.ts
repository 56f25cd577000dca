import { isDeepStrictEqual } from "node:util";
import { isObject, parseJsonc } from "@belay/core/internal";
import { parseYaml } from "./yaml.ts";

/** A path inside a file: keys and indices, from the outside in. */
export type Path = readonly (string | number)[];

/** One place of a case file, and what is to stand there. */
export interface Edit {
  readonly path: Path;
  readonly value: unknown;
}

/** The text of a case file, read, with the place of everything in it. */
export interface Source {
  readonly text: string;
  readonly value: unknown;
  readonly errors: readonly { readonly line: number; readonly detail: string }[];
  /** The line of a path, or of the closest place above it that exists. */
  lineAt(path: Path): number;
}

export async function parseSource(file: string, text: string): Promise<Source> {
  return { text, ...(file.endsWith(".json") ? parseJson(text) : await parseYaml(text)) };
}

function parseJson(text: string): Omit<Source, "text"> {
  const { value, error, repeated, lineAt } = parseJsonc(text);
  const twice = repeated.map(({ path, lines: [first, line] }) => ({
    line,
    detail: `${String(path.at(-1))} stands twice, first in line ${first}`,
  }));
  return { value, errors: error ? [error] : twice, lineAt: (path) => lineAt([...path]) };
}

/** True if the text after an edit has these changes and no other. */
export function saysThat(after: Source, before: Source, edits: readonly Edit[]): boolean {
  // By JSON, so that values which share an anchor are separate objects.
  const inJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
  const wanted = inJson(before.value);
  for (const { path, value } of edits) {
    const parent = path.slice(0, -1).reduce<unknown>((at, step) => Object(at)[step], wanted);
    if (!isObject(parent)) return false;
    parent[String(path.at(-1))] = value;
  }
  return after.errors.length === 0 && isDeepStrictEqual(inJson(after.value), wanted);
}

/** A value on one line, as JSON with spaces; `scalar` says how words and numbers are written. */
export function flow(value: unknown, scalar: (value: unknown) => string): string {
  if (Array.isArray(value)) return `[${value.map((item) => flow(item, scalar)).join(", ")}]`;
  if (value === null || typeof value !== "object") return scalar(value);
  const entries = Object.entries(value).map(([key, item]) => `${scalar(key)}: ${flow(item, scalar)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Only the text of the values is replaced; a new field stands behind the last one of its object. */
export async function editJson(text: string, edits: readonly Edit[]): Promise<string> {
  const { findNodeAtLocation, parseTree } = await import("jsonc-parser");
  return edits.reduce((edited, { path, value }) => {
    const root = parseTree(edited.replace(/^\uFEFF/, " "));
    const written = flow(value, (scalar) => JSON.stringify(scalar));
    const there = root && findNodeAtLocation(root, [...path]);
    if (there) return edited.slice(0, there.offset) + written + edited.slice(there.offset + there.length);
    const last = root && findNodeAtLocation(root, path.slice(0, -1))?.children?.at(-1);
    if (!last) return edited;
    // A field on a line of its own is followed by one on a line of its own.
    const gap = /\r?\n[\t ]*$/.exec(edited.slice(0, last.offset))?.[0] ?? " ";
    const end = last.offset + last.length;
    return `${edited.slice(0, end)},${gap}${JSON.stringify(path.at(-1))}: ${written}${edited.slice(end)}`;
  }, text);
}
