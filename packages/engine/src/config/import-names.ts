import { isAbsolute, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Words that a name may follow; `export … from` is among them. */
const KEYWORD = /\b(?:from|import|require)\b/g;

/** Files that a JavaScript text imports by their place, as paths from a folder. */
export function importedPaths(text: string, folder: string): Set<string> {
  const paths = new Set<string>();
  const skip = gapsOf(text);
  for (const { index, 0: keyword } of text.matchAll(KEYWORD)) {
    const name = stringAt(text, skip(index + keyword.length));
    if (name === undefined || !/^(?:\.{1,2}(?:[/\\]|$)|\/|file:)/.test(name)) continue;
    for (const path of placesOf(name, folder)) paths.add(path);
  }
  return paths;
}

/** An import is a URL, what require() is given is a path: read as both. */
function placesOf(name: string, folder: string): string[] {
  const asPath = name.startsWith("file:") ? [] : [isAbsolute(name) ? name : resolve(folder, name)];
  try {
    return [...asPath, fileURLToPath(new URL(name, pathToFileURL(folder + sep)))];
  } catch {
    return asPath;
  }
}

/** So many blanks and comments between a keyword and its name are passed over. */
const MAX_STEPS = 100;

/** Where the next thing stands behind blanks, comments and an opening bracket. */
function gapsOf(text: string): (from: number) => number {
  const ends = { "*/": nextOf(text, "*/"), "\n": nextOf(text, "\n") };
  const BLANK = /[\s(]*/y;
  return (from) => {
    let at = from;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      BLANK.lastIndex = at;
      BLANK.test(text);
      at = BLANK.lastIndex;
      if (text.startsWith("/*", at)) at = ends["*/"](at + 2) + 2;
      else if (text.startsWith("//", at)) at = ends["\n"](at + 2) + 1;
      else return at;
    }
    return at;
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

const STRING = /(["'`])((?:\\[\s\S]|(?!\1)[^\\\n]){1,4096})\1/y;

/** The text of the string that begins here, if one does. */
function stringAt(text: string, at: number): string | undefined {
  STRING.lastIndex = at;
  const raw = STRING.exec(text)?.[2];
  return raw?.includes("\\") ? unescaped(raw) : raw;
}

const ESCAPE = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|([0-7]{1,3})|(\r\n|[\s\S]))/gi;

function unescaped(raw: string): string {
  return raw.replace(ESCAPE, (_, point?: string, unit?: string, byte?: string, octal?: string, char = "") => {
    if (point !== undefined)
      return Number.parseInt(point, 16) > 0x10ffff ? "" : String.fromCodePoint(Number.parseInt(point, 16));
    const hex = unit ?? byte;
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return /\s/.test(char) ? "" : char;
  });
}
