import { readdirSync } from "node:fs";

/** A day's first file, and those that follow when it is full. */
export const JOURNAL_FILE = /^(\d{4}-\d\d-\d\d)(?:\.part-(\d{4,}))?\.jsonl$/;

/** The names of a journal's files, the oldest first. */
export function journalFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => JOURNAL_FILE.test(name))
    .sort(byAge);
}

/** Negative when `a` was begun before `b`. Numbers of parts have four digits until they need more. */
export function byAge(a: string, b: string): number {
  if (dayOf(a) !== dayOf(b)) return dayOf(a) < dayOf(b) ? -1 : 1;
  return partOf(a) - partOf(b);
}

export function dayOf(name: string): string {
  return name.slice(0, "YYYY-MM-DD".length);
}

/** 0 for a day's first file. */
export function partOf(name: string): number {
  return Number(JOURNAL_FILE.exec(name)?.[2] ?? 0);
}

/** No file grows much beyond this, however long the journal may be. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** The oldest file is removed as a whole: of a journal that is full, this share goes at a time. */
const LEAST_FILES = 8;

/** What a journal is kept within: so many bytes, in files of about so many each, none older than so many days. */
export interface JournalBound {
  readonly bytes: number;
  readonly fileBytes: number;
  readonly days: number;
}

export function journalBound(bytes: number, days: number): JournalBound {
  return { bytes, fileBytes: Math.min(MAX_FILE_BYTES, bytes / LEAST_FILES), days };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Of a journal's files, the oldest first: those that go when another is begun on this day, which gets its room. */
export function outlived(
  names: readonly string[],
  day: string,
  { bytes, fileBytes, days }: JournalBound,
  sizeOf: (name: string) => number,
): string[] {
  let room = bytes - fileBytes;
  const last = names.findLastIndex((name) => {
    room -= sizeOf(name);
    return room < 0 || (Date.parse(day) - Date.parse(dayOf(name))) / DAY_MS > days;
  });
  return names.slice(0, last + 1);
}
