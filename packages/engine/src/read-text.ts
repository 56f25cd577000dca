import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

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
