import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { loadPatternEngine } from "@belay/core";
import picomatch from "picomatch";

/** Folders that are never looked into, unless the walk begins below one. */
const SKIPPED = new Set([".git", "node_modules"]);

/** One folder of a walk. */
export interface Folder {
  /** Full paths, by name. */
  readonly files: readonly string[];
  /** Links to whatever it may be; those to folders are not followed. */
  readonly links: readonly string[];
  readonly isReadable: boolean;
}

/** Every folder from the root downwards, by name, `levels` of them below each other. Rejects when the signal aborts. */
export async function* walk(root: string, signal: AbortSignal, levels = Infinity): AsyncGenerator<Folder> {
  const breathe = breather(signal);
  const waiting = [{ folder: root, level: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder, level } = next;
    signal.throwIfAborted();
    if (breathe.isDue()) await breathe();
    const entries = await entriesOf(folder);
    if (!entries) {
      yield { files: [], links: [], isReadable: false };
      continue;
    }
    const paths = (isWanted: (entry: Dirent) => boolean) =>
      entries.filter(isWanted).map(({ name }) => join(folder, name));
    yield {
      files: paths((entry) => entry.isFile()),
      links: paths((entry) => entry.isSymbolicLink()),
      isReadable: true,
    };
    if (level >= levels) continue;
    const below = paths((entry) => entry.isDirectory() && !SKIPPED.has(entry.name));
    waiting.push(...below.reverse().map((path) => ({ folder: path, level: level + 1 })));
  }
}

async function entriesOf(folder: string): Promise<Dirent[] | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return undefined;
  }
}

/** So many are held before the oldest are let go: memory stays flat in the largest tree. */
const HELD = 1000;

export interface Newest {
  readonly files: readonly string[];
  readonly total: number;
  readonly unreadable: number;
  /** The time was up before everything was seen. */
  readonly isLate: boolean;
}

export interface Bounds {
  /** Folders below each other that are looked into. */
  readonly levels: number;
  readonly signal: AbortSignal;
  readonly most: number;
  readonly limitMs: number;
}

/** The last changed of the files below a folder whose path from there matches. */
export async function findNewest(
  root: string,
  matches: (path: string) => boolean,
  { levels, signal, most, limitMs }: Bounds,
): Promise<Newest> {
  const deadline = performance.now() + limitMs;
  let newest: Timed[] = [];
  const cutBack = () => {
    newest = newest.sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).slice(0, most);
  };
  let [total, unreadable, isLate] = [0, 0, false];
  for await (const { files, links, isReadable } of walk(root, signal, levels)) {
    if (!isReadable) unreadable += 1;
    const wanted = [...files, ...links].filter((file) => matches(relative(root, file).split(sep).join("/")));
    const found = (await Promise.all(wanted.map(timed))).filter((file) => file !== undefined);
    total += found.length;
    newest = [...newest, ...found];
    if (newest.length > HELD) cutBack();
    isLate = performance.now() > deadline;
    if (isLate) break;
  }
  cutBack();
  return { files: newest.map(({ file }) => file), total, unreadable, isLate };
}

interface Timed {
  readonly file: string;
  readonly time: number;
}

/** A link counts by what it leads to; one to a folder, or to nothing, is no file. */
async function timed(file: string): Promise<Timed | undefined> {
  try {
    const stats = await stat(file);
    return stats.isFile() ? { file, time: stats.mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}

/** Extended globs and negation are left out: what they mean depends on who reads them. */
const OPTIONS = { dot: true, posix: true, noextglob: true, nonegate: true } as const;

/**
 * What picomatch writes to keep `.` and `..` out, and empty names. A walk meets neither, and an engine without
 * backtracking cannot read it.
 */
const LOOKAHEADS = ["(?!\\.{1,2}(?:\\/|$))", "(?!(?:^|\\/)\\.{1,2}(?:\\/|$))", "(?=.)"];

/** What picomatch makes of a pattern that it cannot read. */
const NEVER = "$^";

/**
 * A test for paths with `/` between their parts. The pattern is the model's and the names are anyone's: run by RegExp,
 * six stars on a name of 120 letters take a minute. Throws a SyntaxError for what is no pattern.
 */
export async function globTest(pattern: string): Promise<(path: string) => boolean> {
  const { source } = picomatch.makeRe(pattern, OPTIONS);
  if (source === NEVER) throw new SyntaxError("a bracket or brace is not closed");
  const linear = LOOKAHEADS.reduce((text, lookahead) => text.replaceAll(lookahead, ""), source);
  const engine = await loadPatternEngine();
  const tester = engine.linear(linear);
  return (path) => tester.test(path);
}

/** The folder in which every match is, and the pattern from there: `src/a/*.ts` is `*.ts` in `src/a`. */
export function splitGlob(pattern: string): { readonly folder: string; readonly rest: string } {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => /[\\*?[\]{}()]/.test(part));
  const fixed = first < 0 ? parts.length - 1 : Math.min(first, parts.length - 1);
  const folder = parts.slice(0, fixed).join("/");
  return {
    folder: folder === "" && pattern.startsWith("/") ? "/" : folder,
    rest: parts.slice(fixed).join("/"),
  };
}

/** How deep a match can be: without `**` no deeper than the pattern, so that `/*.conf` does not walk a whole disk. */
export function levelsOf(pattern: string): number {
  return pattern.includes("**") ? Infinity : pattern.split("/").length;
}

const TURN_MS = 15;

/** Lets the event loop turn during long work, and rejects if the signal has aborted by then. */
export interface Breather {
  (): Promise<void>;
  /** Whether the loop has been kept long enough. */
  isDue(): boolean;
}

export function breather(signal: AbortSignal): Breather {
  let since = performance.now();
  const breathe = async () => {
    await setImmediate();
    signal.throwIfAborted();
    since = performance.now();
  };
  return Object.assign(breathe, { isDue: () => performance.now() - since > TURN_MS });
}

/** The last task for each file that has one. */
const last = new Map<string, Promise<unknown>>();

/** Tasks on one file run one after another: of two edits called at once, none reads what the other is about to replace. */
export async function inTurn<T>(file: string, task: () => Promise<T>): Promise<T> {
  const before = last.get(file) ?? Promise.resolve();
  const mine = before.then(task);
  const settled = mine.catch(() => {});
  last.set(file, settled);
  try {
    return await mine;
  } finally {
    if (last.get(file) === settled) last.delete(file);
  }
}
