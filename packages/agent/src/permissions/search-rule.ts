import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { isMatch, type PathPattern, readPattern, restrictsPath } from "./path-rule.ts";
import { type Base, meaningsOf } from "./paths.ts";

/** Searches leave them out, unless they begin in one. */
const LEFT_OUT = [".git", "node_modules"];
const LIMIT_MS = 150;

/**
 * Whether a rule that restricts holds for a search of a file or folder. perhaps: the search would come by something that
 * the rule is about, or the folder is too large to tell.
 */
export function restrictsSearch(pattern: string, path: string, base: Base): "yes" | "perhaps" | "no" {
  if (restrictsPath(pattern, path, base) === "yes") return "yes";
  const read = readPattern(pattern, base);
  const until = Date.now() + LIMIT_MS;
  return meaningsOf(path, base).some((folder) => folder === undefined || comesBy(read, folder, until))
    ? "perhaps"
    : "no";
}

function comesBy(pattern: PathPattern, folder: string, until: number): boolean {
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of entriesOf(next)) {
      if (Date.now() > until) return true;
      if (LEFT_OUT.includes(entry.name)) continue;
      const path = join(next, entry.name);
      if (isMatch(pattern, path, true)) return true;
      if (entry.isDirectory()) open.push(path);
    }
  }
  return false;
}

/** None for a file, and for what is not there: nothing can be found in it. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
