import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { type EventRecord, isObject } from "@belay/core";
import { journalFiles } from "./journal-files.ts";
import { NO_WAIT } from "./read-text.ts";

/*
 * The reading half of the journal. Files are read in blocks, from either end: what is held is one block and the line that
 * is being put together, whatever the length of the journal.
 */

/** A line of the journal: a record, or why it is none. */
export type JournalLine = { readonly file: string; readonly at: number } & (
  | { readonly record: EventRecord }
  | { readonly flaw: JournalFlaw }
);

/** torn: it was not written to its end. foreign: it is no record. long: it is longer than any record, and was not read. */
export type JournalFlaw = "torn" | "foreign" | "long";

const BLOCK = 64 * 1024;
/** Bytes; the caps of the engine keep every record far below. */
const MAX_LINE = 64 * 1024 * 1024;
const LINE_END = 10;

/**
 * The lines of a journal, the newest first; none when there is no such folder. Whoever has enough stops asking, and goes on
 * before the last one that was given.
 */
export function* linesFromEnd(
  folder: string,
  before?: Pick<JournalLine, "file" | "at">,
): Generator<JournalLine> {
  for (const name of namesIn(folder).reverse()) {
    const file = join(folder, name);
    if (before && file > before.file) continue;
    const descriptor = openPlain(file);
    if (descriptor === undefined) continue;
    try {
      yield* backwards(file, descriptor, file === before?.file ? before.at : undefined);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** The lines of a journal, the oldest first. The event loop goes on between the blocks. */
export async function* linesFromStart(folder: string): AsyncGenerator<JournalLine> {
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    const descriptor = openPlain(file);
    if (descriptor === undefined) continue;
    try {
      yield* forwards(file, descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}

export function namesIn(folder: string): string[] {
  try {
    return journalFiles(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    throw error;
  }
}

/** Undefined for what is no plain file, and for one that was removed meanwhile: the oldest goes when a new one begins. */
export function openPlain(file: string): number | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | NO_WAIT);
    if (fstatSync(descriptor).isFile()) return descriptor;
    closeSync(descriptor);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw error;
  }
}

function* backwards(file: string, descriptor: number, until?: number): Generator<JournalLine> {
  const block = Buffer.allocUnsafe(BLOCK);
  const line = lineOf(file);
  let isLast = true;
  const { size } = fstatSync(descriptor);
  let position = Math.min(until ?? size, size);
  while (position > 0) {
    const start = Math.max(0, position - BLOCK);
    let end = readSync(descriptor, block, 0, position - start, start);
    for (let found = lastLineEnd(block, end); found >= 0; found = lastLineEnd(block, end)) {
      yield* line.begin(block.subarray(found + 1, end), start + found + 1, isLast);
      isLast = false;
      end = found;
    }
    line.before(block.subarray(0, end));
    position = start;
  }
  yield* line.end(NOTHING, 0, isLast);
}

function lastLineEnd(block: Buffer, end: number): number {
  return end === 0 ? -1 : block.lastIndexOf(LINE_END, end - 1);
}

async function* forwards(file: string, descriptor: number): AsyncGenerator<JournalLine> {
  const block = Buffer.allocUnsafe(BLOCK);
  const line = lineOf(file);
  let position = 0;
  let begun = 0;
  for (;;) {
    const length = readSync(descriptor, block, 0, BLOCK, position);
    if (length === 0) break;
    let from = 0;
    for (;;) {
      const found = block.subarray(0, length).indexOf(LINE_END, from);
      if (found < 0) break;
      yield* line.end(block.subarray(from, found), begun, false);
      from = found + 1;
      begun = position + from;
    }
    line.after(block.subarray(from, length));
    position += length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  yield* line.end(NOTHING, begun, true);
}

const NOTHING = Buffer.alloc(0);

/** One line, put together from pieces at either end. The piece that completes it is not kept, and mostly it is all of it. */
function lineOf(file: string) {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const keep = (piece: Buffer, put: (copy: Buffer) => void) => {
    bytes += piece.length;
    // The block they stand in is read into again.
    if (bytes <= MAX_LINE) put(Buffer.from(piece));
    else pieces = [];
  };
  /** What it has become; nothing for an empty line. The next one begins. */
  function* complete(whole: readonly Buffer[], length: number, at: number, isLast: boolean) {
    pieces = [];
    bytes = 0;
    const line: Pick<JournalLine, "file" | "at"> = { file, at };
    if (length > MAX_LINE) yield { ...line, flaw: "long" } as const;
    else if (length > 0) yield { ...line, ...recordIn(asText(whole), isLast) };
  }
  return {
    before: (piece: Buffer) => keep(piece, (copy) => pieces.unshift(copy)),
    after: (piece: Buffer) => keep(piece, (copy) => pieces.push(copy)),
    begin: (piece: Buffer, at: number, isLast: boolean): Generator<JournalLine> =>
      complete([piece, ...pieces], bytes + piece.length, at, isLast),
    end: (piece: Buffer, at: number, isLast: boolean): Generator<JournalLine> =>
      complete([...pieces, piece], bytes + piece.length, at, isLast),
  };
}

function asText(pieces: readonly Buffer[]): string {
  const [only] = pieces;
  return (pieces.length === 1 && only ? only : Buffer.concat(pieces)).toString();
}

/** A writer that was killed leaves a line without its end; the next writer ends it before its own. */
export function recordIn(text: string, isLast: boolean): { record: EventRecord } | { flaw: JournalFlaw } {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { record: value } : { flaw: "foreign" };
  } catch {
    return { flaw: isLast || text.startsWith('{"version":1,') ? "torn" : "foreign" };
  }
}

/** As far as readers rely on it; what is in the journal was written by us, or by someone who may do all we may. */
function isRecord(value: unknown): value is EventRecord {
  if (!isObject(value) || value.version !== 1) return false;
  const { id, time, event, hooks, payload, outcome } = value;
  const areTexts = [id, time, event].every((text) => typeof text === "string");
  return (
    areTexts && Array.isArray(hooks) && isObject(payload) && isObject(outcome) && isObject(outcome.decision)
  );
}
