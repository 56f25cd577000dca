import type { Document, LineCounter, Node } from "yaml";
import { type Edit, flow, type Source } from "./source.ts";

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

/** Words that need no quotes have none. */
function inYaml(value: unknown): string {
  const isPlain =
    typeof value === "string" &&
    /^[A-Za-z][\w-]*$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}
