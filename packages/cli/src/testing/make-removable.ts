import { randomUUID } from "node:crypto";
import { chmodSync, lstatSync, readdirSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** Folders this far below the top, in characters, are moved up to it: a system takes no path longer than a few thousand. */
const FAR = 200;

/** Whether makeRemovable can help: hooks leave trees that are read-only, as Go does with its modules, or too deep to name. */
export function isStubborn(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EACCES" || code === "EPERM" || code === "ENAMETOOLONG" || error instanceof RangeError;
}

/**
 * Gives the owner of a folder, and of all folders in it, the rights to remove what is there, and moves the deep ones up. A
 * link in its place is left alone.
 */
export function makeRemovable(top: string): void {
  const open = [top];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const found = lstatSync(folder);
    if (!found.isDirectory()) continue;
    chmodSync(folder, found.mode | 0o700);
    const near = folder.length - top.length > FAR ? join(top, randomUUID()) : folder;
    if (near !== folder) renameSync(folder, near);
    for (const entry of readdirSync(near, { withFileTypes: true }))
      if (entry.isDirectory()) open.push(join(near, entry.name));
  }
}

/**
 * Why something cannot be removed. Node takes a file that resists for a folder, and tells that it is none: of such a one the
 * system is asked again.
 */
export function whyItStays(error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== "ENOTDIR" || path === undefined) return error;
  try {
    unlinkSync(path);
    return error;
  } catch (telling) {
    return telling;
  }
}
