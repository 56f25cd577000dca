import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { breather } from "./breather.ts";

/** Folders that are never looked into, unless the walk begins below one. */
const SKIPPED = new Set([".git", "node_modules"]);

/** One folder of a walk. */
export interface Folder {
  /** Full paths, by name. */
  readonly files: readonly string[];
  /** Links to whatever it may be; those to folders are not followed. */
  readonly links: readonly string[];
  readonly isReadable: boolean;
}

/** Every folder from the root downwards, by name. Rejects when the signal aborts. */
export async function* walk(root: string, signal: AbortSignal): AsyncGenerator<Folder> {
  const breathe = breather(signal);
  const waiting = [root];
  while (waiting.length > 0) {
    const folder = waiting.pop() ?? root;
    signal.throwIfAborted();
    if (breathe.isDue()) await breathe();
    const entries = await entriesOf(folder);
    if (!entries) {
      yield { files: [], links: [], isReadable: false };
      continue;
    }
    const paths = (isWanted: (entry: Dirent) => boolean) =>
      entries.filter(isWanted).map(({ name }) => join(folder, name));
    yield {
      files: paths((entry) => entry.isFile()),
      links: paths((entry) => entry.isSymbolicLink()),
      isReadable: true,
    };
    waiting.push(...paths((entry) => entry.isDirectory() && !SKIPPED.has(entry.name)).reverse());
  }
}

async function entriesOf(folder: string): Promise<Dirent[] | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return undefined;
  }
}
