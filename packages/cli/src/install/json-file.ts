import { isObject, parseJsonc } from "@belay/core/internal";
import type { JsonShape } from "@belay/harness";
import { findNodeAtLocation, getNodeValue, type JSONPath, type Node, parseTree } from "jsonc-parser";
import type { Edited, Entry, Found, Piece, Unfit } from "./format.ts";

/*
 * Entries in a JSON file with comments. The text is changed at the places that are meant and nowhere else: every other byte
 * stays.
 */

const HOOKS = "hooks";

/** Why entries cannot stand in a text, or be found in it. */
export function unfitJson(text: string, isPlain: boolean): Unfit | undefined {
  if (isBlank(text)) return undefined;
  const read = parseJsonc(text);
  if (read.error) return { detail: `it is no JSON: ${read.error.detail}`, line: read.error.line };
  const { value, lineAt, repeated } = read;
  if (!isObject(value)) return { detail: "it is no JSON object", line: 1 };
  const extended = isPlain ? read.extendedAt() : undefined;
  if (extended !== undefined)
    return {
      detail: "the agent reads no comment and no comma too many, and skips the whole file",
      line: extended,
    };
  const twice = repeated.find(({ path }) => path[0] === HOOKS && path.length <= 2);
  if (twice) return { detail: `${JSON.stringify(twice.path.at(-1))} stands twice`, line: twice.lines[1] };
  const hooks = value[HOOKS];
  if (hooks === undefined) return undefined;
  if (!isObject(hooks)) return { detail: '"hooks" is no object', line: lineAt([HOOKS]) };
  const wrong = Object.keys(hooks).find((event) => !Array.isArray(hooks[event]));
  if (wrong === undefined) return undefined;
  return { detail: `"hooks".${JSON.stringify(wrong)} is no list`, line: lineAt([HOOKS, wrong]) };
}

function isBlank(text: string): boolean {
  return text.replace(/^\uFEFF/, "").trim() === "";
}

/** Adds entries behind those that are there. */
export function addToJson(text: string, shape: JsonShape, entries: readonly Entry[]): Edited {
  const values = entries.map(({ native, fields }): [string, unknown] => [
    native,
    shape.grouped ? { hooks: [fields] } : fields,
  ]);
  return addItems(text, shape.version ? { version: shape.version } : {}, values);
}

/** Adds items behind those of their events, and the settings `head` where they are not there. */
export function addItems(
  text: string,
  head: Readonly<Record<string, unknown>>,
  items: readonly (readonly [native: string, item: unknown])[],
): Edited {
  if (isBlank(text)) {
    const natives = [...new Set(items.map(([native]) => native))];
    const hooks = Object.fromEntries(
      natives.map((native) => [native, items.flatMap(([event, item]) => (event === native ? [item] : []))]),
    );
    const whole = { ...head, [HOOKS]: hooks };
    const added = `${JSON.stringify(whole, null, 2)}\n`.replaceAll("\n", eolOf(text));
    const own = [[HOOKS], ...natives.map((native) => [HOOKS, native])];
    return { text: text + added, pieces: [{ at: text.length, length: added.length }], made: own };
  }
  let edited: Edited = { text, pieces: [], made: [] };
  const isThere = (path: JSONPath) => nodeAt(edited.text, path) !== undefined;
  for (const [name, value] of Object.entries(head))
    if (!isThere([name])) edited = put(edited, [], name, value);
  for (const [native, value] of items) {
    if (!isThere([HOOKS])) edited = made(put(edited, [], HOOKS, { [native]: [value] }), [HOOKS], native);
    else if (!isThere([HOOKS, native])) edited = made(put(edited, [HOOKS], native, [value]), [], native);
    else edited = put(edited, [HOOKS, native], undefined, value);
  }
  return edited;
}

function made(edited: Edited, path: readonly string[], native: string): Edited {
  const own = [...(path.length > 0 ? [path] : []), [HOOKS, native]];
  return { ...edited, made: [...edited.made, ...own] };
}

function treeOf(text: string): Node | undefined {
  return parseTree(text.replace(/^\uFEFF/, " "), [], { allowTrailingComma: true });
}

function nodeAt(text: string, path: JSONPath): Node | undefined {
  const root = treeOf(text);
  return root && findNodeAtLocation(root, path);
}

/** Adds a member to the object at a path, or without a key an element to the list there. */
function put(edited: Edited, path: JSONPath, key: string | undefined, value: unknown): Edited {
  const { text } = edited;
  const node = nodeAt(text, path);
  if (node === undefined) throw new Error(`nothing stands at ${path.join(".")}`);
  const eol = eolOf(text);
  const close = node.offset + node.length - 1;
  const last = node.children?.at(-1);
  const from = last ? last.offset + last.length : node.offset + 1;
  const { comma, spoken } = behind(text.slice(from, close));
  const isWide = text.slice(node.offset, close).includes("\n");
  const isFlat = !text.trim().includes("\n") || (last !== undefined && !isWide);
  const outer = indentAt(text, node.offset);
  const inner = last && isWide ? indentAt(text, last.offset) : outer + unitOf(text);
  const json = isFlat
    ? JSON.stringify(value)
    : JSON.stringify(value, null, unitOf(text)).replaceAll("\n", eol + inner);
  const between = isFlat && !/":\s/.test(text) ? "" : " ";
  const member = key === undefined ? json : `${JSON.stringify(key)}:${between}${json}`;
  const lead = isFlat ? (last ? between : "") : eol + inner;
  // An empty object on one line becomes several.
  const tail = isFlat || text.slice(from + spoken, close).includes("\n") ? "" : eol + outer;
  const needsComma = last !== undefined && !comma;
  if (spoken === 0) return insert(edited, from, (needsComma ? "," : "") + lead + member + tail);
  const withMember = insert(edited, from + spoken, lead + member + tail);
  return needsComma ? insert(withMember, from, ",") : withMember;
}

/** What can stand between two members of an object besides white space. */
const BETWEEN = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,/g;

/** What stands behind the last member of an object: whether a comma does, and where the last comma or comment ends. */
function behind(tail: string): { comma: boolean; spoken: number } {
  const tokens = [...tail.matchAll(BETWEEN)];
  const last = tokens.at(-1);
  return { comma: tokens.some(([token]) => token === ","), spoken: last ? last.index + last[0].length : 0 };
}

/** What is put into a piece is part of it. */
function insert({ text, pieces, made }: Edited, at: number, added: string): Edited {
  const { length } = added;
  const isInside = (piece: Piece) => piece.at < at && at < piece.at + piece.length;
  const moved = pieces.map((piece): Piece => {
    if (isInside(piece)) return { ...piece, length: piece.length + length };
    return at <= piece.at ? { ...piece, at: piece.at + length } : piece;
  });
  const own = pieces.some(isInside) ? [] : [{ at, length }];
  return { text: text.slice(0, at) + added + text.slice(at), pieces: [...moved, ...own], made };
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The indent of the first line that has one. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^\uFEFF?([ \t]*)/.exec(line)?.[1] ?? "";
}

/** Every entry of a file: ours and others'. None of a file that cannot be read. */
export function foundInJson(text: string, shape: JsonShape): Found[] {
  const root = treeOf(text);
  return (root ? entriesOf(root, shape) : []).map(({ native, node }) => {
    const fields = getNodeValue(node) as unknown;
    const group = shape.grouped && node.parent?.parent?.parent;
    const matcher = group && findNodeAtLocation(group, ["matcher"]);
    return {
      native,
      command: commandOf(fields),
      line: text.slice(0, node.offset).split("\n").length,
      fields: isObject(fields) ? fields : {},
      ...(matcher && { matcher: String(matcher.value) }),
    };
  });
}

interface Placed {
  readonly native: string;
  readonly node: Node;
}

function entriesOf(root: Node, { grouped }: Pick<JsonShape, "grouped">): Placed[] {
  return (findNodeAtLocation(root, [HOOKS])?.children ?? []).flatMap(({ children = [] }) => {
    const [name, list] = children;
    const native = String(name?.value);
    const items = list?.type === "array" ? (list.children ?? []) : [];
    const nodes = grouped ? items.flatMap((group) => inGroup(group)) : items;
    return nodes.map((node) => ({ native, node }));
  });
}

function inGroup(group: Node): readonly Node[] {
  const list = findNodeAtLocation(group, [HOOKS]);
  return list?.type === "array" ? (list.children ?? []) : [];
}

function commandOf(fields: unknown): string {
  if (!isObject(fields)) return "";
  const said = [fields.command, fields.bash, fields.powershell].find(
    (command) => typeof command === "string",
  );
  return typeof said === "string" ? said : "";
}

/**
 * Takes entries out of a text that others have edited. What becomes empty goes with them if it is in `made`: what install
 * has made.
 */
export function takeFromJson(
  text: string,
  shape: JsonShape,
  isMeant: (command: string, fields: unknown) => boolean,
  made: Edited["made"] | undefined,
): string {
  const isMade = (path: readonly string[]) => !made || made.some((one) => String(one) === String(path));
  let left = text;
  for (;;) {
    const root = treeOf(left);
    const found =
      root &&
      entriesOf(root, shape).find(({ node }) => {
        const fields = getNodeValue(node) as unknown;
        return isMeant(commandOf(fields), fields);
      });
    if (!found) return left;
    left = cut(left, largest(found, shape, isMade));
  }
}

/** The entry, or what would be empty without it: its group, the list of its event, all hooks. */
function largest(
  { node, native }: Placed,
  shape: JsonShape,
  isMade: (path: readonly string[]) => boolean,
): Node {
  const alone = ({ parent }: Node) => parent?.children?.length === 1;
  let whole = node;
  if (shape.grouped) {
    const group = node.parent?.parent?.parent;
    if (!alone(node) || !group) return whole;
    whole = group;
  }
  const ofEvent = whole.parent?.parent;
  if (!alone(whole) || !ofEvent || !isMade([HOOKS, native])) return whole;
  const ofHooks = ofEvent.parent?.parent;
  if (!alone(ofEvent) || !ofHooks || !isMade([HOOKS])) return ofEvent;
  return ofHooks;
}

/** Cuts a member or an element with one comma and the white space before it. Comments stay. */
function cut(text: string, node: Node): string {
  const end = node.offset + node.length;
  const siblings = node.parent?.children ?? [];
  const before = siblings[siblings.indexOf(node) - 1];
  const close = (node.parent?.offset ?? 0) + (node.parent?.length ?? 0) - 1;
  const after = siblings[siblings.indexOf(node) + 1]?.offset ?? close;
  const commaIn = (from: number, to: number) => {
    const found = [...text.slice(from, to).matchAll(BETWEEN)].find(([token]) => token === ",");
    return found && from + found.index;
  };
  const comma = commaIn(end, after) ?? (before && commaIn(before.offset + before.length, node.offset));
  const blank = /\r?\n?[ \t]*$/.exec(text.slice(0, node.offset))?.index ?? node.offset;
  const cuts: [number, number][] = [[blank, end]];
  if (comma !== undefined) cuts.push([comma, comma + 1]);
  return cuts
    .sort(([first], [second]) => second - first)
    .reduce((left, [from, to]) => left.slice(0, from) + left.slice(to), text);
}
