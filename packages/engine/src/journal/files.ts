import {
  closeSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { readText } from "../files/read.ts";
import { DEFAULT_LIMITS } from "../options.ts";

/** A day's first file, and those that follow when it is full. */
const JOURNAL_FILE = /^(\d{4}-\d\d-\d\d)(?:\.part-(\d{4,}))?\.jsonl$/;

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
/** The oldest file is removed as a whole, so a full journal has at least so many files. */
const LEAST_FILES = 8;

/** The bound of a journal: bytes in all, bytes of one file, and days that a file is kept. */
export interface JournalBound {
  readonly bytes: number;
  readonly fileBytes: number;
  readonly days: number;
}

export function journalBound(bytes: number, days: number): JournalBound {
  return { bytes, fileBytes: Math.min(MAX_FILE_BYTES, bytes / LEAST_FILES), days };
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A clock that is wrong for some hours writes records of one day, or of two where midnight is among those hours. */
const DAYS_TO_BELIEVE = 3;

/** 0 for a file that was removed meanwhile. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** True if a file ends in the middle of a line: a disk was full, or a writer died. */
export function isTorn(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size === 0) return false;
  const descriptor = openSync(file, "r");
  try {
    const last = Buffer.alloc(1);
    readSync(descriptor, last, 0, 1, stat.size - 1);
    return last.toString() !== "\n";
  } finally {
    closeSync(descriptor);
  }
}

interface JournalFile {
  readonly name: string;
  readonly size: number;
}

/** The files of a journal, the oldest first. */
function filesIn(folder: string): JournalFile[] {
  return journalFiles(folder).flatMap((name) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return stat ? [{ name, size: stat.size }] : [];
  });
}

/**
 * Removes what is beyond the bound when a file is begun on this day, which gets its room. `beside`: the journals of other
 * projects, from which each file goes that is too old: nobody may ever begin another one there.
 *
 * Age is counted from the third newest day with records in any of these journals, so a clock that is ahead for some hours
 * makes no file older. A file of a day to come is no such record, and makes room first.
 */
export function removeOutlived(
  folder: string,
  today: string,
  { bytes, fileBytes, days }: JournalBound,
  beside: readonly string[],
): void {
  const own = filesIn(folder);
  const others = beside.map((other) => ({ other, files: orNothing(() => filesIn(other)) ?? [] }));
  const all = [...own, ...others.flatMap(({ files }) => files)].map(({ name }) => dayOf(name));
  const recorded = [...new Set([...all, today])].filter((day) => day <= today).sort();
  const present = recorded.at(-DAYS_TO_BELIEVE);
  const isToCome = ({ name }: JournalFile) => dayOf(name) > today;
  const oneAtATime = [...own.filter(isToCome), ...own.filter((file) => !isToCome(file))];
  let room = bytes - fileBytes;
  const last = oneAtATime.findLastIndex(({ size }) => {
    room -= size;
    return room < 0;
  });
  remove(folder, [...oneAtATime.slice(0, last + 1), ...own.filter(isOlder(days, present))]);
  for (const { other, files } of others) {
    const old = files.filter(isOlder(daysOf(other), present));
    orNothing(() => {
      remove(other, old);
      if (old.length === 0 || old.length < files.length) return;
      rmdirSync(other);
      rmSync(daysFile(other), { force: true });
    });
  }
}

/** Undefined where it throws: the journal may be another user's, or another process may begin a file in it just now. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Without a present nothing is old. */
function isOlder(days: number, present = ""): (file: JournalFile) => boolean {
  return ({ name }) => (Date.parse(present) - Date.parse(dayOf(name))) / DAY_MS > days;
}

function remove(folder: string, files: readonly JournalFile[]): void {
  for (const { name } of files) rmSync(join(folder, name), { force: true });
}

/** Stands beside a journal that is not kept for the usual number of days. Other projects tidy up by what it says. */
function daysFile(folder: string): string {
  return `${folder}.days`;
}

export function noteDays(folder: string, days: number): void {
  if (daysOf(folder) === days) return;
  orNothing(() => {
    rmSync(daysFile(folder), { force: true });
    writeFileSync(daysFile(folder), `${days}\n`, { mode: 0o600, flag: "wx" });
  });
}

function daysOf(folder: string): number {
  const days = Number(orNothing(() => readText(daysFile(folder))));
  return days >= 1 ? days : DEFAULT_LIMITS.journalDays;
}

/** The journals of other projects. */
export function journalsBeside(folder: string): string[] {
  const entries = orNothing(() => readdirSync(dirname(folder), { withFileTypes: true })) ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== basename(folder))
    .map(({ name }) => join(dirname(folder), name));
}
