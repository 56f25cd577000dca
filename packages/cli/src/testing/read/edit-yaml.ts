import type { Edit } from "./source.ts";
import { flow } from "./source.ts";

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
