import { isAbsolute, relative, sep } from "node:path";

export function isBelow(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== "" && below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** A path as people read it: from the working folder when it is below, else whole. */
export function shownPath(path: string, cwd: string): string {
  return isBelow(cwd, path) ? relative(cwd, path) : path;
}
