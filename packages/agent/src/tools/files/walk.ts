import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { loadPatternEngine } from "@belay/core";
import picomatch from "picomatch";

/** Folders that are never looked into, unless the walk begins below one. */
const SKIPPED = new Set([".git", "node_modules"]);

/** One folder of a walk. */
interface Folder {
  /** Full paths, by name. */
  readonly files: readonly string[];
  /** Links to whatever it may be; those to folders are not followed. */
  readonly links: readonly string[];
  readonly isReadable: boolean;
}

/** Every folder from the root downwards, by name, `levels` of them below each other. Rejects when the signal aborts. */
export async function* walk(root: string, signal: AbortSignal, levels = Infinity): AsyncGenerator<Folder> {
  const pauseIfDue = pauseNowAndThen(signal);
  const waiting = [{ folder: root, level: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder, level } = next;
    signal.throwIfAborted();
    await pauseIfDue();
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

const TURN_MS = 15;

/** During long work, lets the event loop turn: a promise to wait for when it is time. Rejects if the signal has aborted. */
export function pauseNowAndThen(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  const pause = async () => {
    await setImmediate();
    signal.throwIfAborted();
    since = performance.now();
  };
  return () => (performance.now() - since > TURN_MS ? pause() : undefined);
}

/** The last task for each file that has one. */
const last = new Map<string, Promise<unknown>>();

/** Tasks on one file run one after another: of two edits called at once, none reads what the other is about to replace. */
export async function oneAtATime<T>(file: string, task: () => Promise<T>): Promise<T> {
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
