import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";
import { messageOf } from "@belay/core/internal";
import { sha256 } from "../ids.ts";

const CHUNK = 64 * 1024;

/** No one writes more settings by hand, and a project's file must not cost the host its memory. */
const MAX_SETTINGS = 1024 * 1024;

/** Opens a pipe without waiting for its other end; Windows has no such pipes, and no such flag. */
export const NO_WAIT = constants.O_NONBLOCK ?? 0;

export interface Reading {
  /** Bytes; what has more is refused. As many as settings may have, if absent. */
  readonly max?: number;
  /** A pipe or a device is read too, however long it takes: the user has named it. */
  readonly waits?: boolean;
}

/**
 * The whole text of a file, or an error that says why not. The bound counts what is read: a file of the kernel is a plain
 * file of no size that may never come to an end.
 */
export function readText(file: string, { max = MAX_SETTINGS, waits = false }: Reading = {}): string {
  const handle = openSync(file, constants.O_RDONLY | (waits ? 0 : NO_WAIT));
  try {
    const stat = fstatSync(handle);
    if (stat.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
    if (!waits && !stat.isFile()) throw new Error("it is no plain file");
    if (stat.size > max) throw new Error(`it has ${stat.size} bytes, and at most ${max} are read`);
    // Room for one byte more than it says it has: most files are read at once, and what goes on is seen.
    let bytes = Buffer.allocUnsafe(stat.size > 0 ? stat.size + 1 : CHUNK);
    for (let used = 0; used <= max; ) {
      if (used === bytes.length) bytes = Buffer.concat([bytes], 2 * used);
      const length = readSync(handle, bytes, used, bytes.length - used, null);
      used += length;
      if (length === 0 || used === stat.size) return bytes.toString("utf8", 0, used);
    }
    throw new Error(`it has more than ${max} bytes, and no more are read`);
  } finally {
    closeSync(handle);
  }
}

/** Larger files are known by their ends and their times: reading one whole would hold every event up. */
const WHOLE_LIMIT = 10 * 1024 * 1024;
const END_BYTES = 64 * 1024;

/** What is asked of a file before it is read. */
export interface FileStat {
  readonly size: number;
  readonly mode: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/**
 * What tells a file's content from another: its bytes. Only plain files are opened, and read no further than they are
 * long: whoever names a file is not trusted yet, and a pipe or a device may wait or go on for ever. What stands there and
 * cannot be looked into is told: one such file is like any other, so whatever is said of it says nothing. A folder holds
 * no code of its own.
 */
export function contentOf(file: string, cannotTell: (why: string) => void = () => {}): Buffer {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) {
      if (!stat.isDirectory()) cannotTell(`it runs a pipe, socket or device: ${file}`);
      return Buffer.from("(no plain file)");
    }
    if (stat.size <= WHOLE_LIMIT) return readPart(file, 0, stat.size);
    const times = Buffer.from(`${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} `);
    return Buffer.concat([
      times,
      readPart(file, 0, END_BYTES),
      readPart(file, stat.size - END_BYTES, END_BYTES),
    ]);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR"].includes(code)) return Buffer.from("(missing)");
    cannotTell(`it names a file that cannot be read: ${messageOf(error)}`);
    return Buffer.from("(unreadable)");
  }
}

/** The first bytes of a file, as text. Throws where the file cannot be read. */
export function readStart(file: string, bytes: number): string {
  return readPart(file, 0, bytes).toString();
}

function readPart(file: string, from: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  const handle = openSync(file, "r");
  try {
    let read = 0;
    for (let last = -1; last !== 0 && read < length; read += last)
      last = readSync(handle, buffer, read, length - read, from + read);
    return buffer.subarray(0, read);
  } finally {
    closeSync(handle);
  }
}

/** undefined for what is not there and for what cannot be a path: a long argument is looked at as one, too. */
export function statOf(file: string): FileStat | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What stands where a folder on the way to a file would have to be. */
export function fileInTheWay(file: string): string | undefined {
  let folder = dirname(file);
  while (statOf(folder) === undefined && folder !== dirname(folder)) folder = dirname(folder);
  return statOf(folder)?.isDirectory() === false ? folder : undefined;
}

export function isBelow(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== "" && below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** A path as people read it: from the working folder when it is below, else whole. */
export function shownPath(path: string, cwd: string): string {
  return isBelow(cwd, path) ? relative(cwd, path) : path;
}

/** Changes whenever the content does, also twice within one tick of the file system's clock. */
export function filePrint(file: string): string {
  return sha256(contentOf(file), "base64");
}

export interface Stamp {
  /** Changes with every write to a file, also when the file is put back as it was. */
  readonly stamp: string;
  /** The file was written so lately that its next write may bear the same time. */
  readonly isFresh: boolean;
}

/** Clocks of file systems tick every few milliseconds, those of some every two seconds. */
const TICK_MS = 3000;

export function stampOf(file: string): Stamp {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    const isFresh = ctimeNs > BigInt(Date.now() - TICK_MS) * 1_000_000n;
    return { stamp: `${file} ${ino} ${size} ${mtimeNs} ${ctimeNs}`, isFresh };
  } catch (error) {
    return { stamp: `${file} ${(error as NodeJS.ErrnoException).code}`, isFresh: false };
  }
}
