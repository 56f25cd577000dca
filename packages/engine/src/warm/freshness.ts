import { statSync } from "node:fs";
import { dirname } from "node:path";
import { filePrint } from "../files/read.ts";

/** Tells whether a process still runs what its files hold. */
export interface Freshness {
  /** Compares times and sizes of the files. Lists the files anew when one of their folders has changed. */
  isFresh(): boolean;
}

/** A file system's clock ticks every few milliseconds: a file that changed so recently may change again unnoticed. */
const TICK_MS = 50;

/** The files as they are now; `list` names them. */
export function freshness(list: () => readonly string[]): Freshness {
  const files = list();
  const times = timesOf(files);
  let folders = timesOf(foldersOf(files));
  let prints = changedLately(files) ? printsOf(files) : undefined;
  return {
    isFresh: () => {
      const now = timesOf(foldersOf(files));
      if (now !== folders && list().join("\0") !== files.join("\0")) return false;
      folders = now;
      if (timesOf(files) !== times) return false;
      if (prints === undefined) return true;
      if (printsOf(files) !== prints) return false;
      if (!changedLately(files)) prints = undefined;
      return true;
    },
  };
}

function foldersOf(files: readonly string[]): string[] {
  return [...new Set(files.map(dirname))];
}

function timesOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stat = statOf(path);
      return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : "missing";
    })
    .join("\n");
}

function changedLately(files: readonly string[]): boolean {
  const since = BigInt(Date.now() - TICK_MS) * 1_000_000n;
  return files.some((file) => (statOf(file)?.ctimeNs ?? 0n) >= since);
}

function printsOf(files: readonly string[]): string {
  return files.map(filePrint).join("\n");
}

function statOf(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
