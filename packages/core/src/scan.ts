/** An outermost JSON object found in a text. */
export interface Found {
  /** JSON text of the object; for a cut object, repaired up to its last whole member. */
  readonly json: string;
  readonly start: number;
  readonly end: number;
  readonly cut: boolean;
  readonly depth: number;
}

/** One open container while scanning. */
interface Frame {
  readonly isObject: boolean;
  /** What may come next, by the grammar. */
  expect: "key-or-end" | "key" | "colon" | "value" | "value-or-end" | "comma-or-end";
  /** End of the last whole member (or of the opening bracket). */
  wholeEnd: number;
}

/**
 * Finds the outermost JSON objects of a text in one pass. Strict JSON only; text that breaks the grammar ends the
 * candidate and the search goes on behind it. With `cutAtEnd`, an object still open at the end of the text counts up to
 * its last whole member.
 */
export function findObjects(text: string, cutAtEnd: boolean): Found[] {
  const found: Found[] = [];
  let at = text.indexOf("{");
  while (at !== -1) {
    const result = scanObject(text, at);
    if (result.kind === "whole") {
      found.push({
        json: text.slice(at, result.end),
        start: at,
        end: result.end,
        cut: false,
        depth: result.depth,
      });
    } else if (result.kind === "open" && cutAtEnd) {
      found.push({ json: result.repaired, start: at, end: text.length, cut: true, depth: result.depth });
    }
    at = result.kind === "open" ? -1 : text.indexOf("{", result.next);
  }
  return found;
}

type ScanResult =
  | { kind: "whole"; end: number; next: number; depth: number }
  | { kind: "broken"; next: number }
  | { kind: "open"; repaired: string; depth: number };

/** Reads one object that starts at `start`. A broken one says where to look on. */
function scanObject(text: string, start: number): ScanResult {
  const stack: Frame[] = [{ isObject: true, expect: "key-or-end", wholeEnd: start + 1 }];
  let depth = 1;
  let at = start + 1;
  for (;;) {
    at = skipSpace(text, at);
    const frame = stack[stack.length - 1] as Frame;
    if (at >= text.length) return { kind: "open", repaired: repair(text, start, stack), depth };
    const char = text[at] as string;

    if (char === (frame.isObject ? "}" : "]") && frame.expect.endsWith("end")) {
      stack.pop();
      at += 1;
      const parent = stack[stack.length - 1];
      if (!parent) return { kind: "whole", end: at, next: at, depth };
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
      if (end === "open") return { kind: "open", repaired: repair(text, start, stack), depth };
      // A stray brace and quote in prose can swallow the beginning of a real object: look on inside the string.
      if (typeof end !== "number") return { kind: "broken", next: at + 1 };
      if (wantsKey && text[skipSpace(text, end)] !== ":" && skipSpace(text, end) < text.length)
        return { kind: "broken", next: at + 1 };
      if (wantsKey) frame.expect = "colon";
      else if (!followsValue(text, end)) return { kind: "broken", next: at + 1 };
      else closeValue(frame, end);
      at = end;
      continue;
    }
    if (wantsValue && (char === "{" || char === "[")) {
      stack.push({
        isObject: char === "{",
        expect: char === "{" ? "key-or-end" : "value-or-end",
        wholeEnd: at + 1,
      });
      depth = Math.max(depth, stack.length);
      at += 1;
      continue;
    }
    if (wantsValue) {
      const end = scalarEnd(text, at);
      if (end === "open") return { kind: "open", repaired: repair(text, start, stack), depth };
      if (end === "broken") return { kind: "broken", next: at };
      closeValue(frame, end);
      at = end;
      continue;
    }
    return { kind: "broken", next: at };
  }
}

function closeValue(frame: Frame, end: number): void {
  frame.expect = "comma-or-end";
  frame.wholeEnd = end;
}

/** Text up to the innermost last whole member, closed again. */
function repair(text: string, start: number, stack: readonly Frame[]): string {
  const innermost = stack[stack.length - 1] as Frame;
  const closers = stack.map((frame) => (frame.isObject ? "}" : "]")).reverse();
  return text.slice(start, innermost.wholeEnd) + closers.join("");
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

/** Whether what comes behind a string value can come there: a comma, a closing bracket, or the end of the text. */
function followsValue(text: string, end: number): boolean {
  const next = text[skipSpace(text, end)];
  return next === undefined || next === "," || next === "}" || next === "]";
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

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const SCALAR_BEGINNING = /^-?[\d.eE+-]*$|^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

/** Index behind a number or literal; one that touches the end of the text may be longer, so it is not whole. */
function scalarEnd(text: string, start: number): number | "open" | "broken" {
  SCALAR.lastIndex = start;
  const match = SCALAR.exec(text);
  const end = match ? SCALAR.lastIndex : start;
  if (match && end < text.length) return end;
  const isWord = match !== null && /^[a-z]/.test(match[0]);
  if (isWord) return end;
  return SCALAR_BEGINNING.test(text.slice(start, start + 400)) && text.length - start <= 400
    ? "open"
    : "broken";
}
