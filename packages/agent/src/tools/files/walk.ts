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

/** Every folder from the root downwards, by name, `levels` of them below each other. Rejects when the signal aborts. */
export async function* walk(root: string, signal: AbortSignal, levels = Infinity): AsyncGenerator<Folder> {
  const breathe = breather(signal);
  const waiting = [{ folder: root, level: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder, level } = next;
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
    if (level >= levels) continue;
    const below = paths((entry) => entry.isDirectory() && !SKIPPED.has(entry.name));
    waiting.push(...below.reverse().map((path) => ({ folder: path, level: level + 1 })));
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
