import { stat } from "node:fs/promises";
import { relative, sep } from "node:path";
import { walk } from "./walk.ts";

/** So many are held before the oldest are let go: memory stays flat in the largest tree. */
const HELD = 1000;

export interface Newest {
  readonly files: readonly string[];
  readonly total: number;
  readonly unreadable: number;
  /** The time was up before everything was seen. */
  readonly isLate: boolean;
}

export interface Bounds {
  /** Folders below each other that are looked into. */
  readonly levels: number;
  readonly signal: AbortSignal;
  readonly most: number;
  readonly limitMs: number;
}

/** The last changed of the files below a folder whose path from there matches. */
export async function findNewest(
  root: string,
  matches: (path: string) => boolean,
  { levels, signal, most, limitMs }: Bounds,
): Promise<Newest> {
  const deadline = performance.now() + limitMs;
  let newest: Timed[] = [];
  const cutBack = () => {
    newest = newest.sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).slice(0, most);
  };
  let [total, unreadable, isLate] = [0, 0, false];
  for await (const { files, links, isReadable } of walk(root, signal, levels)) {
    if (!isReadable) unreadable += 1;
    const wanted = [...files, ...links].filter((file) => matches(relative(root, file).split(sep).join("/")));
    const found = (await Promise.all(wanted.map(timed))).filter((file) => file !== undefined);
    total += found.length;
    newest = [...newest, ...found];
    if (newest.length > HELD) cutBack();
    isLate = performance.now() > deadline;
    if (isLate) break;
  }
  cutBack();
  return { files: newest.map(({ file }) => file), total, unreadable, isLate };
}

interface Timed {
  readonly file: string;
  readonly time: number;
}

/** A link counts by what it leads to; one to a folder, or to nothing, is no file. */
async function timed(file: string): Promise<Timed | undefined> {
  try {
    const stats = await stat(file);
    return stats.isFile() ? { file, time: stats.mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}
