import { randomUUID } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CaseFile, TestCase } from "../read/case-file.ts";
import type { Places } from "./lane.ts";

/** The places of one case; they are given back when it has ended. */
interface LentPlaces extends Places, AsyncDisposable {
  /** Where they stay, if they do. */
  readonly kept?: string;
}

/** The folders of the cases of a run: each case has one that no other had before it or has after it. */
export interface CaseFolders {
  /** A new folder for a case, and the home of its lane, empty; another where that cannot be emptied. */
  lend(index: number, home: string): LentPlaces;
  /** Makes the next folder and removes those given back: called while a hook runs, it keeps no case waiting. */
  tidy(): void;
}

/** A folder and a home for each case, which stay. */
export function keptFolders(root: string): CaseFolders {
  return {
    lend: (index) => {
      const kept = join(root, `case-${index + 1}`);
      const places = { cwd: join(kept, "project"), home: join(kept, "home") };
      for (const folder of Object.values(places)) mkdirSync(folder, { recursive: true });
      return { ...places, kept, [Symbol.asyncDispose]: async () => {} };
    },
    tidy: () => {},
  };
}

/** Below the root their names are the same in every run: a hook may print them. */
export function caseFolders(root: string, tests: readonly TestCase[]): CaseFolders {
  const paths = pathsOf(root, tests);
  const homeFor = emptyHomes(root);
  const empty: string[] = [];
  let made = 0;
  const take = (index: number) => {
    const path = paths[index] as string;
    made = Math.max(made, index + 1);
    if (!isReal(path) || !isUntouched(path)) renew(root, path);
    return path;
  };
  const giveBack = async (folder: string) => {
    if (isUntouched(folder)) empty.push(folder);
    // What is still being written to cannot be removed yet, and goes with the root.
    else if (isOwn(folder)) await rm(folder, { recursive: true, force: true }).catch(() => {});
  };
  return {
    lend: (index, ofLane) => {
      const home = homeFor(ofLane);
      const cwd = take(index);
      return { cwd, home, [Symbol.asyncDispose]: () => giveBack(cwd) };
    },
    tidy: () => {
      const next = paths[made];
      if (next !== undefined) tryInOwn(mkdirSync, next);
      made += 1;
      for (const folder of empty.splice(0)) tryInOwn(rmdirSync, folder);
    },
  };
}

/** What fails beforehand is done when it is needed, and fails there; what stays behind goes with the root. */
function tryInOwn(act: (folder: string) => void, folder: string): void {
  try {
    if (isOwn(dirname(folder))) act(folder);
  } catch {}
}

function pathsOf(root: string, tests: readonly TestCase[]): string[] {
  const files = new Map<CaseFile, string>();
  for (const { file } of tests) files.set(file, files.get(file) ?? join(root, `file-${files.size + 1}`));
  return tests.map(({ file, index }) => join(files.get(file) ?? root, `case-${index + 1}`));
}

/** A home that is still being written to is left to whoever writes there, and goes with the root. */
function emptyHomes(root: string): (ofLane: string) => string {
  const instead = new Map<string, string>();
  let homes = 1;
  return (ofLane) => {
    const home = instead.get(ofLane) ?? ofLane;
    try {
      emptyHome(root, home);
      return home;
    } catch {
      homes += 1;
      const fresh = `${ofLane}-${homes}`;
      emptyHome(root, fresh);
      instead.set(ofLane, fresh);
      return fresh;
    }
  };
}

/** A home that several cases share, without what an earlier one left in it. */
function emptyHome(root: string, home: string): void {
  if (isEmpty(home)) return;
  ownFolder(root, home);
  try {
    removeContents(home);
  } catch (error) {
    if (!isStubborn(error)) throw error;
    makeRemovable(home);
    removeContents(home);
  }
}

function removeContents(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Whether it is a folder, and no link to one, with nothing in it. */
function isEmpty(folder: string): boolean {
  try {
    return lstatSync(folder).isDirectory() && readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

/** A folder in which nothing was put, as far as its times tell: that, or taking it away, would have changed them. */
function isUntouched(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && found.birthtimeMs === found.mtimeMs;
  } catch {
    return false;
  }
}

/** Whether it is a folder, and no link leads to it: what a hook put in its place is not ours to empty. */
function isOwn(folder: string): boolean {
  return isReal(folder) && lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Whether it is there, and by no other name. */
function isReal(path: string): boolean {
  try {
    return realpathSync.native(path) === path;
  } catch {
    return false;
  }
}

function renew(root: string, folder: string): void {
  ownFolder(root, dirname(folder));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
}

/** A hook may have removed it all, or put a file or a link in its place: that goes, and what it leads to stays. */
function ownFolder(root: string, folder: string): void {
  mkdirSync(root, { recursive: true });
  if (realpathSync.native(root) !== root)
    throw new Error(`${root} is not the folder that the cases were given any more: a hook put a link there`);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) rmSync(folder);
  mkdirSync(folder);
}

/** Folders this far below the top, in characters, are moved up to it: a system takes no path longer than a few thousand. */
const FAR = 200;

/** Whether makeRemovable can help: hooks leave trees that are read-only, as Go does with its modules, or too deep to name. */
export function isStubborn(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EACCES" || code === "EPERM" || code === "ENAMETOOLONG" || error instanceof RangeError;
}

/**
 * Gives the owner of a folder, and of all folders in it, the rights to remove what is there, and moves the deep ones up. A
 * link in its place is left alone.
 */
export function makeRemovable(top: string): void {
  const open = [top];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const found = lstatSync(folder);
    if (!found.isDirectory()) continue;
    chmodSync(folder, found.mode | 0o700);
    const near = folder.length - top.length > FAR ? join(top, randomUUID()) : folder;
    if (near !== folder) renameSync(folder, near);
    for (const entry of readdirSync(near, { withFileTypes: true }))
      if (entry.isDirectory()) open.push(join(near, entry.name));
  }
}

/**
 * Why something cannot be removed. Node takes a file that resists for a folder, and tells that it is none: of such a one the
 * system is asked again.
 */
export function whyItStays(error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== "ENOTDIR" || path === undefined) return error;
  try {
    unlinkSync(path);
    return error;
  } catch (telling) {
    return telling;
  }
}
