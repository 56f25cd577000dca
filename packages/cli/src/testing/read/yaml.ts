import type { EVENT_ID, Event, ScalarEvent } from "js-yaml";
import type { Path, Source } from "./source.ts";

type Read = Omit<Source, "text">;

export async function parseYaml(text: string): Promise<Read> {
  const source = await parseStrictly(text);
  if (source.errors.length === 0) return source;
  const mended = await endsIndented(text);
  return mended === text ? source : parseStrictly(mended);
}

/** Further in than the keys that people write. */
const FAR = " ".repeat(200);

/**
 * The same with every bracket that ends something and begins a line moved to the right. By the standard it must stand further
 * in than its key, and those who are used to JSON end it below; other readers take that, editors among them.
 */
async function endsIndented(text: string): Promise<string> {
  const { CST, Lexer } = await import("yaml");
  const marks: readonly string[] = [CST.DOCUMENT, CST.FLOW_END, CST.SCALAR];
  let result = "";
  let before = "";
  let isFirst = true;
  for (const lexeme of new Lexer().lex(text)) {
    const isEnd = before !== CST.SCALAR && (lexeme === "]" || lexeme === "}");
    before = lexeme;
    if (marks.includes(lexeme)) continue;
    result += isFirst && isEnd ? FAR + lexeme : lexeme;
    isFirst = lexeme.endsWith("\n") || (isFirst && lexeme.trim() === "");
  }
  return result;
}

/** The package is large, and only those who write YAML wait for it. */
async function parseStrictly(text: string): Promise<Read> {
  const {
    CORE_SCHEMA,
    constructFromEvents,
    EVENT_ID: ids,
    getScalarValue,
    mergeTag,
    parseEvents,
    YAMLException,
  } = await import("js-yaml");
  try {
    const events = parseEvents(text, {});
    const flaw = aliasFlaw(text, events, ids);
    if (flaw) return failed(lineOf(text, flaw.offset), flaw.detail);
    const schema = CORE_SCHEMA.withTags(mergeTag);
    const [value = null, ...more] = constructFromEvents(events, { source: text, schema });
    if (more.length > 0) return failed(1, "there is more than one document in it");
    let root: Place | undefined;
    return {
      value: asTree(value),
      errors: [],
      lineAt: (path) => {
        root ??= placesIn(events, (scalar) => getScalarValue(text, scalar), ids);
        return lineOf(text, offsetAt(root, path));
      },
    };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return failed((error.mark?.line ?? 0) + 1, error.reason);
  }
}

function failed(line: number, detail: string): Read {
  return { value: undefined, errors: [{ line, detail }], lineAt: () => line };
}

/** Throws for what has no end: an alias may stand inside its own anchor. */
function asTree(value: unknown): unknown {
  try {
    JSON.stringify(value);
    return value;
  } catch (error) {
    throw error instanceof TypeError ? new Error("an alias stands inside its own anchor") : error;
  }
}

/** Where something stands, and what stands in it, by key or by number. */
interface Place {
  readonly offset: number;
  readonly inside: ReadonlyMap<string, Place>;
}

const NOTHING: Place["inside"] = new Map();

type EventIds = typeof EVENT_ID;

/** Of a member it is the place of its key, rather than of its value: that is where an editor should go. */
function placesIn(events: readonly Event[], textOf: (scalar: ScalarEvent) => string, ids: EventIds): Place {
  let next = 0;
  const isOver = () => (events[next]?.type ?? ids.POP) === ids.POP;
  const read = (): Place => {
    const event = events[next];
    next += 1;
    const offset = offsetOf(event);
    if (event?.type !== ids.SEQUENCE && event?.type !== ids.MAPPING) return { offset, inside: NOTHING };
    const inside = new Map<string, Place>();
    while (!isOver()) {
      const first = events[next];
      const place = read();
      if (event.type === ids.SEQUENCE) inside.set(String(inside.size), place);
      else inside.set(first?.type === ids.SCALAR ? textOf(first) : "", { ...place, inside: read().inside });
    }
    next += 1;
    return { offset, inside };
  };
  next += 1; // the document itself
  return isOver() ? { offset: 0, inside: NOTHING } : read();
}

function offsetOf(event: Event | undefined): number {
  if (event === undefined) return 0;
  if ("valueStart" in event) return event.valueStart;
  if ("start" in event) return event.start;
  return "anchorStart" in event ? event.anchorStart : 0;
}

function offsetAt(root: Place, path: Path): number {
  let place = root;
  for (const step of path) {
    const found = place.inside.get(String(step));
    if (found === undefined) break;
    place = found;
  }
  return place.offset;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, Math.max(0, offset)).split("\n").length;
}

/** Characters that all aliases of a file may stand for. */
const MAX_REPEATED = 16 * 1024 * 1024;
const TOO_MUCH = `what its aliases stand for adds up to more than ${MAX_REPEATED} characters; repeat less of it`;

interface Flaw {
  readonly offset: number;
  readonly detail: string;
}

interface Open {
  readonly anchor: string;
  size: number;
}

/**
 * What aliases repeat, where it is too much: ten short lines of aliases of aliases stand for more values than anybody can
 * walk. Found without walking them: an anchor is weighed once, in the order of the text.
 */
function aliasFlaw(text: string, events: readonly Event[], ids: typeof EVENT_ID): Flaw | undefined {
  const sizes = new Map<string, number>();
  const open: Open[] = [];
  let repeated = 0;
  const add = (anchor: string, size: number) => {
    if (anchor !== "") sizes.set(anchor, size);
    const around = open.at(-1);
    if (around) around.size += size;
  };
  for (const event of events) {
    const anchor = "anchorStart" in event ? text.slice(event.anchorStart, event.anchorEnd) : "";
    if (event.type === ids.POP) {
      const closed = open.pop();
      if (closed) add(closed.anchor, closed.size);
    } else if (event.type === ids.SCALAR) add(anchor, event.valueEnd - event.valueStart + 1);
    else if (event.type !== ids.ALIAS) open.push({ anchor, size: 1 });
    else {
      const size = sizes.get(anchor) ?? 0;
      add("", size);
      repeated += size;
      if (repeated > MAX_REPEATED) return { offset: event.anchorStart, detail: TOO_MUCH };
    }
  }
  return undefined;
}
