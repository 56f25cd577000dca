import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import type { EventRecord } from "@belay/core";
import { isObject, messageOf, shellWord } from "@belay/core/internal";
import { NO_WAIT } from "../files/read.ts";
import { shortHash } from "../ids.ts";
import { UsageError } from "../options.ts";
import { isDeeper, MAX_LEVELS, parsed } from "../payload.ts";
import { byAge, journalFiles } from "./files.ts";

/*
 * The reading half of the journal. Files are read in blocks, from either end: what is held is one block and the line that
 * is being put together, whatever the length of the journal.
 */

/** Where a line stands: it begins at one byte of its file, and the next line at another. */
interface LinePlace {
  readonly file: string;
  /** Tells the file from another that had its name: whoever empties a journal removes its files, and writers begin them again. */
  readonly mark: string;
  readonly at: number;
  readonly next: number;
}

/** A line of the journal: a record, or why it is none. */
export type JournalLine = LinePlace & ({ readonly record: EventRecord } | { readonly flaw: JournalFlaw });

/** torn: it was not written to its end. foreign: it is no record. long: it is longer than any record, and was not read. */
export type JournalFlaw = "torn" | "foreign" | "long";

const BLOCK = 64 * 1024;
/** Bytes; the caps of the engine keep every record far below. */
const MAX_LINE = 64 * 1024 * 1024;
const LINE_END = 10;

/**
 * The lines of a journal, the newest first: of a folder, or of one file of it. None when there is no such place. Whoever has
 * enough stops asking, and goes on before the last one that was given.
 */
export function* linesFromEnd(
  place: string,
  before?: Pick<JournalLine, "file" | "at">,
): Generator<JournalLine> {
  for (const file of filesIn(place).reverse()) {
    if (before && byAge(basename(file), basename(before.file)) > 0) continue;
    yield* backwards(file, file === before?.file ? before.at : undefined);
  }
}

/** The lines of a journal, the oldest first, from one of them on. The event loop goes on between the blocks. */
export async function* linesFromStart(
  place: string,
  from?: Pick<JournalLine, "file" | "at">,
): AsyncGenerator<JournalLine> {
  for (const file of filesIn(place)) {
    if (from && byAge(basename(file), basename(from.file)) < 0) continue;
    for (const line of forwards(file, from?.file === file ? from.at : 0, true)) {
      if (line === END_OF_BLOCK) await new Promise((resolve) => setImmediate(resolve));
      else yield line;
    }
  }
}

/** The files of a journal, the oldest first; a place that is a file is all of it. */
function filesIn(place: string): string[] {
  try {
    return namesIn(place).map((name) => join(place, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") return [place];
    throw error;
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
function openPlain(file: string): number | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | NO_WAIT);
    if (fstatSync(descriptor).isFile()) return descriptor;
    closeSync(descriptor);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new UsageError(`the journal cannot be read: ${messageOf(error)}`, `next: ls -l ${shellWord(file)}`);
  }
}

/** The lines of one file before a byte, or all of them; the last one first. */
function* backwards(file: string, until = Number.POSITIVE_INFINITY): Generator<JournalLine> {
  const descriptor = openPlain(file);
  if (descriptor === undefined) return;
  try {
    const block = Buffer.allocUnsafe(BLOCK);
    const line = lineOf(file, descriptor);
    let isLast = true;
    let position = Math.min(until, fstatSync(descriptor).size);
    while (position > 0) {
      const start = Math.max(0, position - BLOCK);
      let end = readSync(descriptor, block, 0, position - start, start);
      for (let found = lastLineEnd(block, end); found >= 0; found = lastLineEnd(block, end)) {
        yield* line.begin(block.subarray(found + 1, end), start + found + 1, isLast).reverse();
        isLast = false;
        end = found;
      }
      line.before(block.subarray(0, end));
      position = start;
    }
    yield* line.begin(NOTHING, 0, isLast).reverse();
  } finally {
    closeSync(descriptor);
  }
}

/** The byte behind the last whole line of a file. Size and bytes are read through one descriptor: a writer may append meanwhile. */
export function endOfLines(file: string): number {
  return lookInto(file, 0, (descriptor) => {
    const block = Buffer.allocUnsafe(BLOCK);
    let end = fstatSync(descriptor).size;
    while (end > 0) {
      const start = Math.max(0, end - BLOCK);
      const found = lastLineEnd(block, readSync(descriptor, block, 0, end - start, start));
      if (found >= 0) return start + found + 1;
      end = start;
    }
    return 0;
  });
}

/** The mark of a file: the same as long as its first line is. */
export function markOf(file: string): string {
  return lookInto(file, "", markIn);
}

/** Bytes of the first line; a record begins with its id. */
const MARKED = 256;

function markIn(descriptor: number): string {
  const bytes = Buffer.alloc(MARKED);
  const [first = ""] = bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, MARKED, 0)).split("\n");
  return shortHash(first);
}

function lookInto<T>(file: string, otherwise: T, look: (descriptor: number) => T): T {
  const descriptor = openPlain(file);
  if (descriptor === undefined) return otherwise;
  try {
    return look(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function lastLineEnd(block: Buffer, end: number): number {
  return end === 0 ? -1 : block.lastIndexOf(LINE_END, end - 1);
}

const END_OF_BLOCK = "end of block";

/**
 * The lines of one file from a byte on. A last line without its end is being written, or its writer died: it is left out,
 * unless it is wanted, or longer than any record.
 */
export function* forwards(
  file: string,
  from: number,
  takesUnfinished: boolean,
): Generator<JournalLine | typeof END_OF_BLOCK> {
  const descriptor = openPlain(file);
  if (descriptor === undefined) return;
  try {
    const block = Buffer.allocUnsafe(BLOCK);
    const line = lineOf(file, descriptor);
    let begun = from;
    for (let position = from; ; yield END_OF_BLOCK) {
      const length = readSync(descriptor, block, 0, BLOCK, position);
      if (length === 0) break;
      let start = 0;
      for (;;) {
        const found = block.subarray(0, length).indexOf(LINE_END, start);
        if (found < 0) break;
        yield* line.end(block.subarray(start, found), begun, false);
        start = found + 1;
        begun = position + start;
      }
      line.after(block.subarray(start, length));
      position += length;
      if (position - begun > MAX_LINE) takesUnfinished = true;
    }
    if (takesUnfinished) yield* line.end(NOTHING, begun, true);
  } finally {
    closeSync(descriptor);
  }
}

const NOTHING = Buffer.alloc(0);

/** One line, put together from pieces at either end. The piece that completes it is not kept, and mostly it is all of it. */
function lineOf(file: string, descriptor: number) {
  const mark = markIn(descriptor);
  let pieces: Buffer[] = [];
  let bytes = 0;
  const keep = (piece: Buffer, put: (copy: Buffer) => void) => {
    bytes += piece.length;
    // The block they stand in is read into again.
    if (bytes <= MAX_LINE) put(Buffer.from(piece));
    else pieces = [];
  };
  /** What it has become; nothing for an empty line. The next one begins. */
  const complete = (whole: readonly Buffer[], length: number, at: number, isLast: boolean): JournalLine[] => {
    pieces = [];
    bytes = 0;
    const next = at + length + (isLast ? 0 : 1);
    if (length > MAX_LINE) return [{ file, mark, at, next, flaw: "long" }];
    return length > 0 ? readLine(Buffer.concat(whole).toString(), { file, mark, at, next }, isLast) : [];
  };
  return {
    before: (piece: Buffer) => keep(piece, (copy) => pieces.unshift(copy)),
    after: (piece: Buffer) => keep(piece, (copy) => pieces.push(copy)),
    begin: (piece: Buffer, at: number, isLast: boolean) =>
      complete([piece, ...pieces], bytes + piece.length, at, isLast),
    end: (piece: Buffer, at: number, isLast: boolean) =>
      complete([...pieces, piece], bytes + piece.length, at, isLast),
  };
}

/** How every record begins. In a string of one the quotes would be escaped. */
const BEGINNING = '{"version":1,"id":"';
/** Beginnings that are tried in a line that is broken: what a payload holds may look like one. */
const MAX_TRIES = 16;

/**
 * What a line holds: one record, or a flaw. A writer that was killed leaves a line without its end, and another that has the
 * file open writes on behind it: then it is both.
 */
function readLine(text: string, place: LinePlace, isLast: boolean): JournalLine[] {
  const value = parsed(text);
  if (isRecord(value, text)) return [{ ...place, record: value }];
  if (value !== undefined) return [{ ...place, flaw: "foreign" }];
  let begins = text.indexOf(BEGINNING, 1);
  for (let tries = 0; begins > 0 && tries < MAX_TRIES; tries += 1) {
    const rest = text.slice(begins);
    const record = parsed(rest);
    if (isRecord(record, rest)) {
      // Counted from behind: what was torn may end within a character.
      const middle = place.next - (isLast ? 0 : 1) - Buffer.byteLength(rest);
      return [
        { ...place, next: middle, flaw: "torn" },
        { ...place, at: middle, record },
      ];
    }
    begins = text.indexOf(BEGINNING, begins + 1);
  }
  return [{ ...place, flaw: isLast || text.startsWith('{"version":1,') ? "torn" : "foreign" }];
}

/** As far as readers rely on it; what is in the journal was written by us, or by someone who may do all we may. */
function isRecord(value: unknown, text: string): value is EventRecord {
  if (!isObject(value) || value.version !== 1) return false;
  const { id, time, session, cwd, event, dialect = "", hooks, context, payload, outcome } = value;
  return (
    areTexts(id, time, session, cwd, event, dialect) &&
    Array.isArray(hooks) &&
    hooks.every(isRecordedHook) &&
    isObject(payload) &&
    isObject(outcome) &&
    isOutcome(outcome) &&
    (!isObject(context) || areStops(context.stops)) &&
    !isDeeper(text, MAX_RECORD_LEVELS)
  );
}

/** A payload has its own bound, and stands within a record; whoever walks one that is deeper runs out of stack. */
const MAX_RECORD_LEVELS = MAX_LEVELS + 100;

function isOutcome({
  decision,
  action = "",
  updatedInput = {},
  updatedPrompt = "",
}: Record<string, unknown>) {
  return isDecision(decision) && areTexts(action, updatedPrompt) && isObject(updatedInput);
}

function areStops(value: unknown): boolean {
  return value === undefined || (isObject(value) && areNumbers(value.soFar, value.cap));
}

function isDecision(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { kind, reason = "", hook = "" } = value;
  return areTexts(kind, reason, hook);
}

function isRecordedHook(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.run)) return false;
  const { name, source, dialect = "", type = "", after = 0, saw = 0 } = value;
  return areTexts(name, source, dialect, type) && areNumbers(after, saw) && isRun(value.run);
}

function isRun({ stdout, stderr, executionTime, ...run }: Record<string, unknown>): boolean {
  const { exitCode = 0, cap = 0, signal = "", cut = [], notUtf8 = [], unset = [] } = run;
  const { failure = { kind: "", detail: "" } } = run;
  return (
    areTexts(stdout, stderr, signal) &&
    areNumbers(executionTime, exitCode, cap) &&
    [cut, notUtf8, unset].every((list) => Array.isArray(list) && list.every((one) => areTexts(one))) &&
    isObject(failure) &&
    areTexts(failure.kind, failure.detail)
  );
}

function areNumbers(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "number");
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}
