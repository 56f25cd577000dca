import {
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { shorten } from "../text.ts";

export type { JSONPath };

/** A JSON text with comments and trailing commas, and where everything in it stands. */
export interface Jsonc {
  readonly value: unknown;
  /** The first syntax error: the text as a whole does not count. */
  readonly error?: {
    readonly detail: string;
    readonly line: number;
    /** From 1 on. */
    readonly column: number;
    /** What stands there, short, as it is written: whoever shows it cleans it. Empty on an empty line. */
    readonly near: string;
  };
  /** The first line that plain JSON does not allow: a comment, a comma too many. Reads it once more. */
  extendedAt(): number | undefined;
  /** Keys that stand twice in one object: a parser keeps the last, and what came first is lost without a word. */
  readonly repeated: readonly { readonly path: JSONPath; readonly lines: readonly [number, number] }[];
  /** The line of a path, or of the closest place above it that exists. */
  lineAt(path: JSONPath): number;
}

export function parseJsonc(text: string): Jsonc {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  const starts = lineStarts(text);
  const [first] = errors;
  const error = first && { detail: describe(first), ...spot(text, starts, first.offset) };
  return {
    value: root && getNodeValue(root),
    ...(error && { error }),
    extendedAt: () => {
      const extensions: ParseError[] = [];
      parseTree(text.replace(/^\uFEFF/, " "), extensions, { disallowComments: true });
      return extensions[0] && lineOf(starts, extensions[0].offset);
    },
    repeated: root ? repeatedKeys(root, [], (offset) => lineOf(starts, offset)) : [],
    lineAt: (path) => lineOf(starts, nearestNode(root, path)?.offset ?? 0),
  };
}

function repeatedKeys(
  node: Node,
  path: JSONPath,
  line: (offset: number) => number,
): Jsonc["repeated"][number][] {
  const seen = new Map<string, number>();
  return (node.children ?? []).flatMap((child, index) => {
    if (node.type !== "object") return repeatedKeys(child, [...path, index], line);
    const [name, value] = child.children ?? [];
    const key = String(name?.value);
    const first = seen.get(key);
    seen.set(key, first ?? child.offset);
    const below = value ? repeatedKeys(value, [...path, key], line) : [];
    return first === undefined
      ? below
      : [{ path: [...path, key], lines: [line(first), line(child.offset)] }, ...below];
  });
}

function nearestNode(root: Node | undefined, path: JSONPath): Node | undefined {
  for (let length = path.length; root && length >= 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node) return node;
  }
  return undefined;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** So much of a line is shown before and behind the place that is meant. */
const BEFORE = 30;
const SHOWN = 60;

function spot(text: string, starts: readonly number[], offset: number) {
  const line = lineOf(starts, offset);
  const start = starts[line - 1] as number;
  const from = Math.max(start, offset - BEFORE);
  return { line, column: offset - start + 1, near: shorten(text.slice(from, starts[line]).trim(), SHOWN) };
}

/** "CommaExpected" → "comma expected" */
function describe(error: ParseError): string {
  return printParseErrorCode(error.error)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}

/** hooks.PreToolUse[0].hooks[1].timeout */
export function showPath(path: JSONPath): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join("");
}
