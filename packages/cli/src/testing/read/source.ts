import { isDeepStrictEqual } from "node:util";
import { isObject, parseJsonc } from "@belay/core/internal";
import type { Document, LineCounter, Node } from "yaml";

export type Path = readonly (string | number)[];

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

type Read = Omit<Source, "text">;

/** How often an anchor may be repeated, aliases of aliases multiplied: ten short lines can stand for a billion values. */
const MAX_REPEATED = 100_000;

export async function parseYaml(text: string): Promise<Read> {
  // The package is large, and only those who write YAML wait for it.
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
  // A warning is about a tag that nobody knows here.
  const flaws = [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    line: lines.linePos(pos[0]).line,
    detail: code === "MULTIPLE_DOCS" ? "there is more than one document in it" : message,
  }));
  if (flaws.length > 0) return { value: undefined, errors: flaws, lineAt: () => 1 };
  const lineAt = await lineFinder(document.contents, lines);
  try {
    return { value: readValue(document), errors: [], lineAt };
  } catch (error) {
    return { value: undefined, errors: [{ line: 1, detail: (error as Error).message }], lineAt };
  }
}

/** Throws for aliases that repeat too much, stand inside their own anchor, or have none. */
function readValue(document: Document.Parsed): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_REPEATED });
    JSON.stringify(value);
    return value;
  } catch (error) {
    if (error instanceof TypeError) throw new Error("an alias stands inside its own anchor");
    const isTooMuch = error instanceof ReferenceError && error.message.startsWith("Excessive alias count");
    throw isTooMuch ? new Error("its aliases stand for too many values; repeat less of it") : error;
  }
}

/** Finds the line of a path. The line of a member is that of its key: an editor should go there. */
async function lineFinder(root: Node | null, lines: LineCounter): Promise<Read["lineAt"]> {
  const { isMap, isNode, isScalar, isSeq } = await import("yaml");
  return (path) => {
    let node: unknown = root;
    let at = root?.range?.[0] ?? 0;
    for (const step of path) {
      const pair = isMap(node)
        ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
        : undefined;
      const item = isSeq(node) ? node.items[Number(step)] : undefined;
      const place = pair?.key ?? item;
      if (!isNode(place)) break;
      at = place.range?.[0] ?? at;
      node = pair ? pair.value : item;
    }
    return lines.linePos(at).line;
  };
}

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Only the text of the values is replaced, by JSON, which is YAML as well: all around them stays as it was written. */
export async function editYaml(text: string, edits: readonly Edit[]): Promise<string> {
  const { isMap, isNode, isSeq, parseDocument } = await import("yaml");
  const document = parseDocument(text);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";

  const columnOf = (at: number) => at - (text.lastIndexOf("\n", at - 1) + 1);

  function spliceOf({ path, value }: Edit): Splice[] {
    const written = flow(value, inYaml);
    const node = document.getIn(path, true);
    const parent = document.getIn(path.slice(0, -1), true);
    if (isNode(node) && node.range) {
      const [start, to] = node.range;
      // A list may stand at the column of its key, and nothing else may.
      const isBelow =
        isSeq(node) && isMap(parent) && parent.range && columnOf(start) === columnOf(parent.range[0]);
      const from = isBelow ? text.slice(0, start).trimEnd().length : start;
      const gap = text[from - 1] === ":" ? " " : ""; // A key alone says null.
      return [{ from, to: from + text.slice(from, to).trimEnd().length, insert: gap + written }];
    }
    if (!isMap(parent) || !parent.range) return [];
    const entry = `${String(path.at(-1))}: ${written}`;
    if (parent.flow) {
      const last = parent.items.at(-1);
      const end = [last?.value, last?.key].find((one) => isNode(one) && one.range);
      const at = isNode(end) ? end.range?.[1] : undefined;
      return at === undefined ? [] : [{ from: at, to: at, insert: `, ${entry}` }];
    }
    const [from, to] = parent.range;
    const end = from + text.slice(from, to).trimEnd().length;
    return [{ from: end, to: end, insert: `${lineEnd}${" ".repeat(columnOf(from))}${entry}` }];
  }

  return edits
    .flatMap(spliceOf)
    .reverse()
    .sort((a, b) => b.from - a.from)
    .reduce((edited, { from, to, insert }) => edited.slice(0, from) + insert + edited.slice(to), text);
}

function inYaml(value: unknown): string {
  const isPlain =
    typeof value === "string" &&
    /^[A-Za-z][\w-]*$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}
