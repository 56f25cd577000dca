import { isAbsolute, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Words that a name may follow; `export … from` is among them. */
const KEYWORD = /\b(?:from|import|require)\b/g;

const BY_PLACE = /^(?:\.{1,2}(?:[/\\]|$)|\/|\s*file:)/i;

/**
 * Files that a JavaScript text imports by their place, as paths from a folder; one by one, for a text may name very many. One
 * that is written in several ways comes as often, and what names nothing new as undefined: whoever looks for them counts.
 */
export function* importedPaths(text: string, folder: string): Generator<string | undefined> {
  const known = new Set<string>();
  const skip = gapsOf(text);
  for (const { index, 0: keyword } of text.matchAll(KEYWORD)) {
    const name = stringAt(text, skip(index + keyword.length));
    const isNew = name !== undefined && !known.has(name);
    if (isNew) known.add(name);
    if (isNew && BY_PLACE.test(name)) yield* new Set(placesOf(name, folder));
    else yield undefined;
  }
}

/** An import is a URL, what require() is given is a path: read as both. */
function placesOf(name: string, folder: string): string[] {
  const asPath = /^\s*file:/i.test(name) ? [] : [isAbsolute(name) ? name : resolve(folder, name)];
  try {
    return [...asPath, fileURLToPath(new URL(name, pathToFileURL(folder + sep)))];
  } catch {
    return asPath;
  }
}

/**
 * Where the next thing stands behind blanks, comments and an opening bracket. However many there are: a bound would leave
 * an import out. What was passed once is not passed again, for a keyword in a comment leads to the same place.
 */
function gapsOf(text: string): (from: number) => number {
  const ends = { "*/": nextOf(text, "*/"), "\n": nextOf(text, "\n") };
  const known = new Map<number, number>();
  const BLANK = /[\s(]*/y;
  const step = (from: number) => {
    BLANK.lastIndex = from;
    BLANK.test(text);
    const at = BLANK.lastIndex;
    if (text.startsWith("/*", at)) return Math.min(text.length, ends["*/"](at + 2) + 2);
    return text.startsWith("//", at) ? Math.min(text.length, ends["\n"](at + 2) + 1) : at;
  };
  return (from) => {
    const passed: number[] = [];
    let at = from;
    while (!known.has(at)) {
      passed.push(at);
      const next = step(at);
      if (next === at) known.set(at, at);
      at = next;
    }
    const end = known.get(at) ?? at;
    for (const place of passed) known.set(place, end);
    return end;
  };
}

/** Finds the next `end`. What was found last is kept: a text of comments that never end is not searched for each. */
function nextOf(text: string, end: string): (from: number) => number {
  let since = 0;
  let found = -1;
  return (from) => {
    if (from < since || from > found) {
      const at = text.indexOf(end, from);
      since = from;
      found = at === -1 ? text.length : at;
    }
    return found;
  };
}

/** The text of the string that begins here, if one does. Only a template goes on behind the end of a line. */
function stringAt(text: string, from: number): string | undefined {
  const quote = text[from];
  if (quote !== '"' && quote !== "'" && quote !== "`") return undefined;
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === quote) return unescaped(text.slice(from + 1, at));
    if (text[at] === "\n" && quote !== "`") return undefined;
    if (text[at] === "\\") at += 1;
  }
  return undefined;
}

/** Those that a name could be hidden with: a URL is read without them. */
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

const ESCAPE = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|([0-7]{1,3})|(\r\n|[\s\S]))/gi;

function unescaped(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(ESCAPE, (_, point?: string, unit?: string, byte?: string, octal?: string, char = "") => {
    if (point !== undefined)
      return Number.parseInt(point, 16) > 0x10ffff ? "" : String.fromCodePoint(Number.parseInt(point, 16));
    const hex = unit ?? byte;
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return /\s/.test(char) ? "" : (CONTROLS[char] ?? char);
  });
}
