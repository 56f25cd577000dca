import { statSync } from "node:fs";
import { join } from "node:path";
import type { EventRecord } from "@belay/core";
import { byAge, sizeOf } from "./files.ts";
import { endOfLines, forwards, type JournalLine, namesIn } from "./read.ts";

/* The journal as it grows: other processes append to it, begin new files and remove old ones. */

/** Behind a line of the journal: where reading goes on. */
export interface JournalPlace {
  /** The name of the file, without its folder. */
  readonly file: string;
  readonly at: number;
}

export interface JournalNews {
  /** What was appended since the last look, the oldest first. */
  readonly lines: readonly JournalLine[];
  /** Behind the last of them. */
  readonly place: JournalPlace;
  /** There is more already; look again. */
  readonly more: boolean;
  /** A file was removed and begun again under its name: places in it that were told before mean other lines now. */
  readonly begunAgain: boolean;
}

interface JournalFollower {
  /** Where it is now. */
  readonly place: JournalPlace;
  /** The place to go on from was not there any more: what came between is not among the news. */
  readonly lost: boolean;
  look(): JournalNews;
}

/** Bytes of one look: whoever has fallen behind catches up in several, and holds no more than this. */
const MAX_LOOK = 4 * 1024 * 1024;

/** Follows a journal from a place, or from its end. There need not be a journal yet. */
export function followJournal(folder: string, from?: JournalPlace): JournalFollower {
  const names = namesIn(folder);
  const lost = from !== undefined && from.file !== "" && !isThere(folder, names, from);
  const start = lost ? undefined : from;
  /** How far each file is read. A file that is over may still be written to by a process that began before midnight. */
  const read = new Map<string, number>();
  /** The number of the file that had a name: whoever empties a journal removes it, and the next writer begins another of that name. */
  const known = new Map<string, number>();
  for (const name of names) {
    read.set(name, startIn(folder, name, start));
    known.set(name, inodeOf(folder, name));
  }
  let newest = names.at(-1) ?? "";
  if (start && start.file !== "" && byAge(start.file, newest) > 0) newest = start.file;

  const place = (): JournalPlace => ({ file: newest, at: read.get(newest) ?? 0 });

  /** A number may be given to a new file again, but hardly one that has grown as long between two looks. */
  function isAnother(name: string): boolean {
    const inode = inodeOf(folder, name);
    const former = known.get(name);
    known.set(name, inode);
    if (former === undefined || inode === 0) return false;
    const at = read.get(name);
    return at === undefined || former !== inode || sizeOf(join(folder, name)) < at;
  }

  function look(): JournalNews {
    const lines: JournalLine[] = [];
    let room = MAX_LOOK;
    let begunAgain = false;
    const there = namesIn(folder);
    for (const name of [...read.keys()]) if (!there.includes(name)) read.delete(name);
    for (const name of there) {
      const isNew = isAnother(name);
      begunAgain ||= isNew;
      const at = isNew ? 0 : (read.get(name) ?? 0);
      const grown = linesSince(join(folder, name), at, room);
      read.set(name, grown.at);
      for (const line of grown.lines) lines.push(line);
      room -= grown.at - at;
      if (byAge(name, newest) > 0) newest = name;
      if (!grown.more) continue;
      // The files after this one wait: lines are given in their order, and one place is enough to go on from.
      return { lines, place: { file: name, at: grown.at }, more: true, begunAgain };
    }
    return { lines, place: place(), more: false, begunAgain };
  }

  return {
    get place() {
      return place();
    },
    lost,
    look,
  };
}

/** The record that begins at a place; undefined when none does, or when it is gone with its file. */
export function recordAt(folder: string, { file, at }: JournalPlace): EventRecord | undefined {
  if (!namesIn(folder).includes(file)) return undefined;
  for (const line of forwards(join(folder, file), at, true))
    if (typeof line !== "string") return "record" in line ? line.record : undefined;
  return undefined;
}

function isThere(folder: string, names: readonly string[], { file, at }: JournalPlace): boolean {
  return names.includes(file) && sizeOf(join(folder, file)) >= at;
}

function startIn(folder: string, name: string, from: JournalPlace | undefined): number {
  if (from?.file === "") return 0;
  if (from && name === from.file) return from.at;
  if (from && byAge(name, from.file) > 0) return 0;
  return endOfLines(join(folder, name));
}

function inodeOf(folder: string, name: string): number {
  return statSync(join(folder, name), { throwIfNoEntry: false })?.ino ?? 0;
}

interface Grown {
  readonly lines: JournalLine[];
  readonly at: number;
  readonly more: boolean;
}

/** The whole lines behind a byte, as many as there is room for and at least one. */
function linesSince(file: string, from: number, room: number): Grown {
  const lines: JournalLine[] = [];
  let at = from;
  for (const line of sizeOf(file) > from ? forwards(file, from, false) : []) {
    if (typeof line === "string") continue;
    lines.push(line);
    at = line.next;
    if (at - from >= room) return { lines, at, more: true };
  }
  return { lines, at, more: false };
}
