import { join } from "node:path";
import type { EventRecord } from "@belay/core";
import { stampOf } from "../files/read.ts";
import { byAge, sizeOf } from "./files.ts";
import { endOfLines, forwards, type JournalLine, markOf, namesIn } from "./read.ts";

/* The journal as it grows: other processes append to it, begin new files and remove old ones. */

/** A byte of one journal file at which a line begins or will begin. */
export interface JournalPosition extends Pick<JournalLine, "mark" | "at"> {
  /** The name of the file, without its folder. */
  readonly file: string;
}

export interface JournalNews {
  /** What was appended since the last look; of each file the oldest first. */
  readonly lines: readonly JournalLine[];
  /** There is more already; look again. */
  readonly more: boolean;
  /** A file was removed or emptied and begun again: positions in it that were told before mean nothing now. */
  readonly begunAgain: boolean;
}

interface JournalFollower {
  /** How far each file is read: another follower goes on from here. Only the newest files are listed. */
  readonly places: readonly JournalPosition[];
  /** A file of the places to go on from was removed or begun again: the news begins at the end of the journal. */
  readonly lost: boolean;
  look(): JournalNews;
}

/** Bytes of one look: whoever has fallen behind catches up in several, and holds no more than this. */
const MAX_LOOK = 4 * 1024 * 1024;
/** A browser sends the places in a header. Older files are taken as read. */
const MAX_PLACES = 64;

/** How far a file is read. A file whose stamp is the same has not grown. */
interface Read extends Omit<JournalPosition, "file"> {
  readonly stamp?: string;
}

const UNREAD: Read = { mark: "", at: 0 };

/** Follows a journal from places, or from its end. There need not be a journal yet. */
export function followJournal(folder: string, from?: readonly JournalPosition[]): JournalFollower {
  const names = namesIn(folder);
  const isThere = (one: JournalPosition) => names.includes(one.file) && isSame(join(folder, one.file), one);
  const lost = from !== undefined && !from.every(isThere);
  const start = lost ? undefined : from;
  const read = new Map<string, Read>(names.map((name) => [name, startIn(folder, name, start)]));

  function look(): JournalNews {
    const lines: JournalLine[] = [];
    let room = MAX_LOOK;
    let begunAgain = false;
    for (const name of namesIn(folder)) {
      const file = join(folder, name);
      // Before the file is read: a write after that changes the stamp.
      const { stamp } = stampOf(file);
      const known = read.get(name) ?? UNREAD;
      if (stamp === known.stamp) continue;
      const { mark, at } = isSame(file, known) ? known : UNREAD;
      begunAgain ||= at < known.at;
      const grown = linesSince(file, at, room);
      for (const line of grown.lines) lines.push(line);
      const now = { mark: grown.lines[0]?.mark ?? mark, at: grown.at };
      read.set(name, grown.more ? now : { ...now, stamp });
      room -= grown.at - at;
      // The files after this one wait: no look holds more than its room.
      if (grown.more) return { lines, more: true, begunAgain };
    }
    return { lines, more: false, begunAgain };
  }

  return {
    get places() {
      const begun = [...read].filter(([, { at }]) => at > 0).sort(([a], [b]) => byAge(a, b));
      return begun.slice(-MAX_PLACES).map(([file, { mark, at }]) => ({ file, mark, at }));
    },
    lost,
    look,
  };
}

/** The record that begins at a position; undefined when none does, or when it is gone with its file. */
export function recordAt(folder: string, { file, mark, at }: JournalPosition): EventRecord | undefined {
  if (!namesIn(folder).includes(file)) return undefined;
  for (const line of forwards(join(folder, file), at, true))
    if (typeof line !== "string") return "record" in line && line.mark === mark ? line.record : undefined;
  return undefined;
}

/** True if what was read of a file still stands there. */
function isSame(file: string, { mark, at }: Read): boolean {
  return at === 0 || (sizeOf(file) >= at && markOf(file) === mark);
}

/** A file that the places do not list began after they were told, unless the list is full and the file older than it. */
function startIn(folder: string, name: string, from: readonly JournalPosition[] | undefined): Read {
  const listed = from?.find(({ file }) => file === name);
  if (listed) return listed;
  const [oldest] = from ?? [];
  const isOld = oldest && from?.length === MAX_PLACES && byAge(name, oldest.file) < 0;
  if (from && !isOld) return UNREAD;
  const file = join(folder, name);
  return { mark: markOf(file), at: endOfLines(file) };
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
  for (const line of forwards(file, from, false)) {
    if (typeof line === "string") continue;
    lines.push(line);
    at = line.next;
    if (at - from >= room) return { lines, at, more: true };
  }
  return { lines, at, more: false };
}
