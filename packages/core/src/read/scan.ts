/** A JSON object found in a text. */
export interface Found {
  /** JSON text of the object; for a cut object, repaired up to its last whole member. */
  readonly json: string;
  readonly start: number;
  readonly end: number;
  /** "inside": whole, but inside of an object that is broken or cut. */
  readonly kind: "whole" | "inside" | "cut";
  readonly depth: number;
  /** The key of a cut object whose value was cut off. */
  readonly pendingKey?: string;
  /** A watched key that one of the three outer levels has twice: a parser keeps the last, whoever wrote it. */
  readonly repeated?: string | undefined;
}

/** One open container while scanning. */
interface Frame {
  readonly isObject: boolean;
  readonly start: number;
  /** How many objects had been found when it was opened. */
  readonly mark: number;
  expect: "key-or-end" | "key" | "colon" | "value" | "value-or-end" | "comma-or-end";
  /** End of the last whole member (or of the opening bracket). */
  wholeEnd: number;
  /** The last key, as JSON. */
  key: string | undefined;
  /** The first key and the watched ones so far, once there are two. */
  watched: string[] | undefined;
  repeated: string | undefined;
  depth: number;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Finds the outermost JSON objects of a text in one pass. Text that breaks the grammar of JSON ends an object; the whole
 * objects inside of it count instead, and the search goes on behind it: what a hook printed before its answer must not
 * swallow the answer. With `cutAtEnd`, an object that is open at the end of the text counts up to its last whole member.
 * `watched` are the keys that an object must not have twice.
 */
export function findObjects(text: string, cutAtEnd: boolean, watched: ReadonlySet<string> = NONE): Found[] {
  const found: Found[] = [];
  let at = text.indexOf("{");
  while (at !== -1) {
    const before = found.length;
    const result = scanObject(text, at, found, watched);
    if (result.kind === "open" && cutAtEnd) found.splice(before, 0, repair(text, result.stack));
    at = result.kind === "open" ? -1 : text.indexOf("{", result.next);
  }
  return found;
}

/** Where a text that begins with `{` stops being one JSON object; undefined when it only ends too early. */
export function whereBroken(text: string): number | undefined {
  const result = scanObject(text, 0, [], NONE);
  if (result.kind === "open") return undefined;
  return result.kind === "broken" ? result.at : skipSpace(text, result.next);
}

type ScanResult =
  | { readonly kind: "whole"; readonly next: number }
  /** `at` is the place to name; the search goes on at `next`. */
  | { readonly kind: "broken"; readonly at: number; readonly next: number }
  /** The text ended; what was open then. */
  | { readonly kind: "open"; readonly stack: readonly Frame[] };

/** Reads one object that starts at `start`, and adds whole objects to `found`. */
function scanObject(text: string, start: number, found: Found[], watched: ReadonlySet<string>): ScanResult {
  const stack: Frame[] = [openFrame(true, start, found.length)];
  let at = start + 1;
  for (;;) {
    at = skipSpace(text, at);
    const frame = stack[stack.length - 1] as Frame;
    if (at >= text.length) return { kind: "open", stack };
    const char = text[at] as string;

    if (char === (frame.isObject ? "}" : "]") && frame.expect.endsWith("end")) {
      stack.pop();
      at += 1;
      const parent = stack[stack.length - 1];
      if (frame.isObject) keep(text, frame, at, parent ? "inside" : "whole", found);
      if (!parent) return { kind: "whole", next: at };
      parent.depth = Math.max(parent.depth, frame.depth + 1);
      closeValue(parent, at);
      continue;
    }
    if (char === "," && frame.expect === "comma-or-end") {
      frame.expect = frame.isObject ? "key" : "value";
      at += 1;
      continue;
    }
    if (char === ":" && frame.expect === "colon") {
      frame.expect = "value";
      at += 1;
      continue;
    }
    const wantsKey = frame.expect === "key" || frame.expect === "key-or-end";
    const wantsValue = frame.expect === "value" || frame.expect === "value-or-end";
    if (char === '"' && (wantsKey || wantsValue)) {
      const end = stringEnd(text, at);
      if (end === "open") return { kind: "open", stack };
      // A stray brace and quote in prose can swallow the beginning of a real object: look on inside the string.
      if (end === "broken") return { kind: "broken", at, next: at + 1 };
      const behind = skipSpace(text, end);
      const goesOn = behind === text.length || (wantsKey ? ":" : ",}]").includes(text[behind] as string);
      if (!goesOn) return { kind: "broken", at: behind, next: at + 1 };
      if (wantsKey) {
        frame.expect = "colon";
        noteKey(stack, text.slice(at, end), watched);
      } else closeValue(frame, end);
      at = end;
      continue;
    }
    if (wantsValue && (char === "{" || char === "[")) {
      stack.push(openFrame(char === "{", at, found.length));
      at += 1;
      continue;
    }
    if (!wantsValue) return { kind: "broken", at, next: at };
    const end = scalarEnd(text, at);
    if (end === "open") return { kind: "open", stack };
    if (end === "broken") return { kind: "broken", at, next: at };
    closeValue(frame, end);
    at = end;
  }
}

/** Levels on which a repeated key could turn an answer around: the object, what is specific to the event, its decision. */
const ANSWER_LEVELS = 3;

function noteKey(stack: readonly Frame[], key: string, watched: ReadonlySet<string>): void {
  const frame = stack[stack.length - 1] as Frame;
  const { key: before } = frame;
  frame.key = key;
  if (before === undefined) return; // most objects of an output of thousands have one key, which repeats nothing
  frame.watched ??= [decoded(before)];
  const name = decoded(key);
  if (!watched.has(name)) return;
  if (!frame.watched.includes(name)) frame.watched.push(name);
  // Each of the objects around it may turn out to be the answer.
  else for (const outer of stack.slice(-ANSWER_LEVELS)) outer.repeated ??= name;
}

function decoded(key: string): string {
  return key.includes("\\") ? (JSON.parse(key) as string) : key.slice(1, -1);
}

function openFrame(isObject: boolean, start: number, mark: number): Frame {
  const expect = isObject ? "key-or-end" : "value-or-end";
  // Every field is named: a field that is added later would change the shape of thousands of objects.
  return {
    isObject,
    start,
    mark,
    expect,
    wholeEnd: start + 1,
    key: undefined,
    watched: undefined,
    repeated: undefined,
    depth: 1,
  };
}

/** A whole object stands for everything inside it. */
function keep(
  text: string,
  { start, mark, depth, repeated }: Frame,
  end: number,
  kind: Found["kind"],
  found: Found[],
): void {
  found.length = mark;
  found.push({ json: text.slice(start, end), start, end, kind, depth, repeated });
}

function closeValue(frame: Frame, end: number): void {
  frame.expect = "comma-or-end";
  frame.wholeEnd = end;
}

/** Text up to the innermost last whole member, closed again. */
function repair(text: string, stack: readonly Frame[]): Found {
  const outermost = stack[0] as Frame;
  const innermost = stack[stack.length - 1] as Frame;
  const { start, key, expect, repeated } = outermost;
  const closers = stack.map((frame) => (frame.isObject ? "}" : "]")).reverse();
  const depth = stack.reduce((most, frame, index) => Math.max(most, index + frame.depth), 0);
  const isPending = stack.length === 1 && (expect === "colon" || expect === "value");
  return {
    json: text.slice(start, innermost.wholeEnd) + closers.join(""),
    start,
    end: text.length,
    kind: "cut",
    depth,
    repeated,
    ...(isPending && key !== undefined && { pendingKey: JSON.parse(key) as string }),
  };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) break;
    at += 1;
  }
  return at;
}

/** Index behind the closing quote. */
function stringEnd(text: string, start: number): number | "open" | "broken" {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) return at + 1;
    if (code < 32) return "broken";
    if (code !== 92) continue;
    const escaped = text[at + 1];
    if (escaped === undefined) return "open";
    if (escaped === "u") {
      const hex = text.slice(at + 2, at + 6);
      if (!/^[0-9a-fA-F]*$/.test(hex)) return "broken";
      if (hex.length < 4) return "open";
      at += 5;
    } else if ('"\\/bfnrt'.includes(escaped)) {
      at += 1;
    } else {
      return "broken";
    }
  }
  return "open";
}

const WORDS = ["true", "false", "null"];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NUMBER_GOES_ON = /^(?:-|\.|[eE][+-]?)$/;

/** Index behind a number or literal. A number at the end of the text is "open": it may go on. */
function scalarEnd(text: string, start: number): number | "open" | "broken" {
  const word = WORDS.find((candidate) => candidate[0] === text[start]);
  if (word !== undefined) {
    if (text.startsWith(word, start)) return start + word.length;
    return text.length - start < word.length && word.startsWith(text.slice(start)) ? "open" : "broken";
  }
  NUMBER.lastIndex = start;
  const end = NUMBER.test(text) ? NUMBER.lastIndex : start;
  const touchesEnd = end === text.length || NUMBER_GOES_ON.test(text.slice(end, end + 3));
  if (touchesEnd) return "open";
  return end > start ? end : "broken";
}
