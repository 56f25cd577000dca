import { flow } from "./flow.ts";
import type { Edit } from "./source.ts";

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
