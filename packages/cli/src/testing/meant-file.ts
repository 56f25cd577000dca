import { readdirSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { nearest } from "@belay/core";

/** A question about a file of a name that is near, for one that is not there; undefined where none is near. */
export function meantFile(given: string, folder: string): string | undefined {
  const name = basename(given);
  const meant = nearest(name, namesIn(dirname(resolve(folder, given))));
  return meant && `did you mean ${given.slice(0, given.lastIndexOf(name))}${meant}?`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
