import { closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "@belay/core";

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
    if (isReadWhole(stat)) return readPart(file, 0, stat.size);
    const times = Buffer.from(`${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} `);
    return Buffer.concat([
      times,
      readPart(file, 0, END_BYTES),
      readPart(file, stat.size - END_BYTES, END_BYTES),
    ]);
  } catch (error) {
    if (isMissing(error)) return Buffer.from("(missing)");
    cannotTell(`it names a file that cannot be read: ${messageOf(error)}`);
    return Buffer.from("(unreadable)");
  }
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}

export function isReadWhole({ size }: FileStat): boolean {
  return size <= WHOLE_LIMIT;
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
