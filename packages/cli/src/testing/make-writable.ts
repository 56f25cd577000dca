import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Whether something could not be removed for want of rights: hooks leave read-only trees, as Go does with its modules. */
export function isForbidden(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EACCES" || code === "EPERM";
}

/** Gives the owner of a folder, and of all folders in it, the rights to remove what is there. A link in its place is left alone. */
export function makeWritable(folder: string): void {
  const found = lstatSync(folder);
  if (!found.isDirectory()) return;
  chmodSync(folder, found.mode | 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
}
