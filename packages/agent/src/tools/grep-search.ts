import { basename, relative, sep } from "node:path";
import { cutAt, eachLine } from "./files/lines.ts";
import { shown } from "./files/place.ts";
import { walk } from "./files/walk.ts";

export type Mode = "content" | "files_with_matches" | "count";

export interface Search {
  readonly root: string;
  /** The root is one file, not a folder of them. */
  readonly isFile: boolean;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly matches: (line: string) => boolean;
  /** Given the path from the root, with `/` between its parts. */
  readonly isWanted: (path: string) => boolean;
  readonly mode: Mode;
  readonly hasNumbers: boolean;
  readonly limit: number;
  readonly limitMs: number;
}

export interface Found {
  /** What is shown: a line of a file, a file, or a file with its count. */
  readonly entries: readonly string[];
  readonly files: number;
  /** There are more than are shown. */
  readonly isCut: boolean;
  /** The time was up before everything was seen. */
  readonly isLate: boolean;
  /** Lines that were too long to be searched to their end. */
  readonly longLines: number;
  readonly unreadable: number;
}

/** Of each line: so that one line of a hundred megabytes neither fills memory nor keeps the loop. */
export const LINE_CHARACTERS = 20_000;
/** Of a line that is shown. */
const SHOWN_CHARACTERS = 500;
/** Of all that is shown. */
const CHARACTERS = 30_000;

export async function search(options: Search): Promise<Found> {
  const deadline = performance.now() + options.limitMs;
  const isLate = () => performance.now() > deadline;
  const entries: string[] = [];
  let [characters, files, isCut, longLines, unreadable] = [0, 0, false, 0, 0];
  /** False when it does not fit any more. */
  const add = (entry: string): boolean => {
    isCut = entries.length >= options.limit || characters + entry.length > CHARACTERS;
    if (isCut) return false;
    entries.push(entry);
    characters += entry.length + 1;
    return true;
  };
  for await (const file of filesOf(options, () => (unreadable += 1))) {
    const result = await searchFile(file, options, add, isLate);
    if (result === undefined) unreadable += 1;
    else {
      files += result.matching > 0 ? 1 : 0;
      longLines += result.longLines;
    }
    if (isCut || isLate()) break;
  }
  return { entries, files, isCut, isLate: isLate(), longLines, unreadable };
}

async function* filesOf(
  { root, isFile, isWanted, signal }: Search,
  onUnreadable: () => void,
): AsyncGenerator<string> {
  if (isFile) {
    if (isWanted(basename(root))) yield root;
    return;
  }
  for await (const { files, isReadable } of walk(root, signal)) {
    if (!isReadable) onUnreadable();
    for (const file of files) if (isWanted(relative(root, file).split(sep).join("/"))) yield file;
  }
}

/** Undefined for a file that cannot be read. */
async function searchFile(
  file: string,
  { mode, matches, hasNumbers, cwd, signal }: Search,
  add: (entry: string) => boolean,
  isLate: () => boolean,
): Promise<{ readonly matching: number; readonly longLines: number } | undefined> {
  const name = shown(file, cwd);
  let [number, matching, longLines] = [0, 0, 0];
  try {
    await eachLine(file, { signal, keep: LINE_CHARACTERS }, (line, isCut) => {
      number += 1;
      longLines += isCut ? 1 : 0;
      if (!matches(line)) return !isLate();
      matching += 1;
      if (mode === "count") return !isLate();
      if (mode === "files_with_matches") return false;
      return add(`${name}:${hasNumbers ? `${number}:` : ""}${part(line, matches)}`);
    });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
  if (mode === "files_with_matches" && matching > 0) add(name);
  if (mode === "count" && matching > 0) add(`${name}:${matching}`);
  return { matching, longLines };
}

/** The part of a long line in which the match is. */
function part(line: string, matches: (line: string) => boolean): string {
  if (line.length <= SHOWN_CHARACTERS) return line;
  for (let from = 0; from < line.length; from += SHOWN_CHARACTERS / 2) {
    const piece = line.slice(from, from + SHOWN_CHARACTERS);
    if (matches(piece)) return `${from > 0 ? "…" : ""}${piece}…`;
  }
  return `${cutAt(line, SHOWN_CHARACTERS)}…`;
}
