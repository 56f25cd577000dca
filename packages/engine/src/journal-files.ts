import { readdirSync } from "node:fs";

/** A day's first file, and those that follow when it is full; their names sort by age. */
export const JOURNAL_FILE = /^(\d{4}-\d\d-\d\d)(?:\.part-(\d{4}))?\.jsonl$/;

/** The names of a journal's files, the oldest first. */
export function journalFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => JOURNAL_FILE.test(name))
    .sort();
}

/** No file grows much beyond this, however long the journal may be. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** The oldest file is removed as a whole: of a journal that is full, this share goes at a time. */
const LEAST_FILES = 8;

/** How many files make up a journal of so many bytes, and where each of them ends. */
export function filesWithin(bytes: number): { readonly files: number; readonly fileBytes: number } {
  const fileBytes = Math.min(MAX_FILE_BYTES, bytes / LEAST_FILES);
  return { files: Math.floor(bytes / fileBytes), fileBytes };
}
