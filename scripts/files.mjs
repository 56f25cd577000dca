import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Every file in a folder and below, in order; none where there is no such folder. @param {string} folder @returns {string[]} */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
