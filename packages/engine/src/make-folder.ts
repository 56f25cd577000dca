import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { statOf } from "./file-content.ts";

/**
 * Makes a folder and those above it, each closed to others. Not by mkdir's own `recursive`: where nothing can be made and the
 * system calls that "no such file" (/proc, a home that is not mounted), Node would try for ever.
 */
export function makeFolder(folder: string): void {
  if (statOf(folder)?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (!statOf(folder)?.isDirectory()) throw error;
  }
}
