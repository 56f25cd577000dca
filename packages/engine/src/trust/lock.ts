import { linkSync, lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isObject } from "@belay/core";
import { UsageError } from "../errors.ts";
import { statOf } from "../file-content.ts";
import { holderName, holderPid, livingHolder } from "../process/holder.ts";
import { readText } from "../read-text.ts";

/** Milliseconds. What is done under a lock takes a few of them. */
const WAIT = 10_000;
const PAUSE = 10;
/** A lock of a process that is not found is left alone so long: it may be of another machine, or another container. */
const LEFT = 1_000;

/**
 * Does something while no other process does it: reading a file, changing it and writing it is not one step. A process that
 * died holding the lock blocks nobody. Throws a UsageError when it is held for too long, and what the system says where
 * there can be no lock.
 */
export function withLock<T>(lock: string, act: () => T): T {
  take(lock);
  try {
    return act();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): void {
  const until = performance.now() + WAIT;
  while (!isTaken(lock)) {
    removeStale(lock);
    if (performance.now() > until)
      throw new UsageError(
        `nothing was trusted: ${lock} is held by process ${holderPid(holderOf(lock))}`,
        "end that process, or remove the file if there is none",
      );
    pause();
  }
}

function isTaken(lock: string): boolean {
  try {
    writeFileSync(lock, holderName(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isObject(error) && error.code === "EEXIST" && !statOf(lock)?.isDirectory()) return false;
    throw error;
  }
}

function removeStale(lock: string): void {
  const holder = holderOf(lock);
  if (!isLeft(lock) || livingHolder(holder) !== undefined) return;
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    // Another may have been quicker, and this is its new one.
    if (holderOf(aside) !== holder) linkSync(aside, lock);
  } catch {
    // Gone, or taken again: the next try says.
  } finally {
    rmSync(aside, { force: true });
  }
}

function isLeft(lock: string): boolean {
  const made = lstatSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && Math.abs(Date.now() - made) > LEFT; // by a clock that was wrong, too
}

function holderOf(lock: string): string {
  try {
    return readText(lock, { max: 100 });
  } catch {
    return "";
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
}
