import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { UsageError } from "./errors.ts";
import { byAge, JOURNAL_FILE, journalFiles } from "./journal-files.ts";
import { type JournalLine, linesFromEnd, linesOf } from "./journal-read.ts";

/*
 * A journal as it grows. Nobody tells a reader: other processes append to the newest file, begin another, remove the oldest,
 * and one that was slow still writes to the file before. So the folder is looked at again and again, and of the last
 * files it is known how far each was read.
 */

/** How far a journal was read: a text to hand back later, to this process or another. Empty: nothing was read. */
export type JournalPosition = string;

export interface FollowOptions {
  /** Where to go on; from the first line if absent. */
  readonly from?: JournalPosition;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Milliseconds between two looks at the folder. */
  readonly everyMs?: number;
}

/** A line, and the position behind it. */
export type FollowedLine = JournalLine & { readonly position: JournalPosition };

const EVERY_MS = 100;
/** Files that may still be written to. An event belongs to the day on which it fired, even if its hooks took until the next. */
const OPEN_FILES = 4;

/** Where a journal ends now: behind its last line that has an end. */
export function journalEnd(folder: string): JournalPosition {
  const names = namesIn(folder).slice(-OPEN_FILES);
  return written(new Map(names.map((name) => [name, lastLineEnd(join(folder, name))])));
}

/** The lines of a journal before a position, the newest first. */
export function linesBefore(folder: string, position: JournalPosition): Generator<JournalLine> {
  const offsets = readPosition(position);
  return linesFromEnd(
    folder,
    (file) => offsets.get(basename(file)) ?? (isNew(basename(file), offsets) ? 0 : undefined),
  );
}

/**
 * Every line behind a position, then every one that is added, each once; of one file they come in its order. A line
 * without its end is waited for while it may still get one. Ends with the signal only.
 */
export async function* followJournal(
  folder: string,
  { from = "", signal, everyMs = EVERY_MS }: FollowOptions = {},
): AsyncGenerator<FollowedLine> {
  const offsets = readPosition(from);
  /** The size of a file when it was looked at last. */
  const sizes = new Map<string, number>();
  const isOver = () => signal?.aborted ?? false;
  while (!isOver()) {
    const names = namesIn(folder).filter((name) => offsets.has(name) || isNew(name, offsets));
    for (const [index, name] of names.entries()) {
      const file = join(folder, name);
      const size = sizeOf(file);
      const known = offsets.get(name) ?? 0;
      // Someone took the file away, and another has begun in its place.
      const offset = size < known ? 0 : known;
      const isSettled = index < names.length - 1 && sizes.get(name) === size;
      sizes.set(name, size);
      offsets.set(name, offset);
      if (size === offset) continue;
      for await (const line of linesOf(file, offset, isSettled ? "read" : "wait")) {
        offsets.set(name, line.next);
        yield { ...line, position: written(offsets) };
        if (isOver()) return;
      }
    }
    forget(offsets, sizes);
    await pause(everyMs, signal);
  }
}

/** Begun after the files that are known. */
function isNew(name: string, offsets: ReadonlyMap<string, number>): boolean {
  const [oldest] = [...offsets.keys()].sort(byAge);
  return oldest === undefined || (!offsets.has(name) && byAge(name, oldest) > 0);
}

/** Of more than the last files it need not be known how far they were read: they are done. */
function forget(...maps: Map<string, number>[]): void {
  for (const map of maps)
    for (const name of [...map.keys()].sort(byAge).slice(0, -OPEN_FILES)) map.delete(name);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener("abort", finish);
    if (signal?.aborted) finish();
  });
}

/** As it is read again: name:offset, name:offset … */
function written(offsets: ReadonlyMap<string, number>): JournalPosition {
  const last = [...offsets.keys()].sort(byAge).slice(-OPEN_FILES);
  return last.map((name) => `${name}:${offsets.get(name)}`).join(",");
}

/** A position may come from anywhere, as from a page that reconnects. */
function readPosition(position: JournalPosition): Map<string, number> {
  if (position === "") return new Map();
  const entries = position.split(",").map((entry): [string, number] => {
    const [name = "", offset = ""] = entry.split(":");
    if (!JOURNAL_FILE.test(name) || !/^\d{1,15}$/.test(offset))
      throw new UsageError(`${JSON.stringify(position)} is no position in a journal`);
    return [name, Number(offset)];
  });
  return new Map(entries.slice(-OPEN_FILES));
}

function namesIn(folder: string): string[] {
  try {
    return journalFiles(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function sizeOf(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.size : 0;
}

/** Bytes up to the end of the last line that has one. */
function lastLineEnd(file: string): number {
  const block = Buffer.allocUnsafe(64 * 1024);
  let end = sizeOf(file);
  if (end === 0) return 0;
  const descriptor = openSync(file, "r");
  try {
    while (end > 0) {
      const start = Math.max(0, end - block.length);
      const length = readSync(descriptor, block, 0, end - start, start);
      const found = block.subarray(0, length).lastIndexOf(10);
      if (found >= 0) return start + found + 1;
      end = start;
    }
    return 0;
  } finally {
    closeSync(descriptor);
  }
}
