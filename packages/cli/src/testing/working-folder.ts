import { execFile } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { promisify } from "node:util";
import type { TestCase } from "./case-file.ts";
import type { Lane } from "./lane.ts";
import { fillIn, type Places } from "./strings.ts";

interface WorkingFolder extends AsyncDisposable {
  readonly places: Places;
  /** Where it stays, if it does. */
  readonly kept: string | undefined;
}

/** A folder and a home for a case, with the files that it needs; `kept` is where they stay. */
export async function workingFolder(
  test: TestCase,
  lane: Lane,
  kept: string | undefined,
): Promise<WorkingFolder> {
  const places = kept === undefined ? inLane(lane) : fresh(kept);
  const { cwd, home } = places;
  if (test.folder !== undefined) await cp(test.folder, cwd, { recursive: true, filter: isCopied });
  for (const [name, content] of Object.entries(test.files)) writeInside(cwd, name, fillIn(content, places));
  if (test.git)
    await promisify(execFile)("git", ["init", "--quiet"], { cwd, env: { ...process.env, HOME: home } });
  return {
    places,
    kept,
    [Symbol.asyncDispose]: async () => {
      if (kept === undefined) await leave(cwd);
    },
  };
}

function fresh(path: string): Places {
  const places = { cwd: join(path, "project"), home: join(path, "home") };
  for (const folder of Object.values(places)) mkdirSync(folder, { recursive: true });
  return places;
}

/**
 * A new folder in the lane, as what an earlier case left running may still write into that case's; and the lane's home,
 * without what it left there.
 */
function inLane({ path, home }: Lane): Places {
  const root = dirname(path);
  mkdirSync(root, { recursive: true }); // a hook may have removed it all
  if (realpathSync.native(root) !== root)
    throw new Error(`${root} is not the folder that the cases were given any more: a hook put a link there`);
  for (const folder of [path, home]) makeOwn(folder);
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true, force: true });
  return { cwd: mkdtempSync(join(path, "project-")), home };
}

/**
 * Removes what would fill the disk, case by case. Most leave nothing, and to remove a folder takes a file system longer
 * than a small hook runs: the empty ones go at the end, with whatever is still in use.
 */
async function leave(cwd: string): Promise<void> {
  try {
    const isOwn = realpathSync.native(cwd) === cwd; // not by a link that a hook put on the way
    if (isOwn && readdirSync(cwd).length > 0) await rm(cwd, { recursive: true, force: true });
  } catch {}
}

/** A hook may have put a file or a link in its place: that goes, and what it leads to stays. */
function makeOwn(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) rmSync(folder);
  mkdirSync(folder);
}

/** Nobody's hooks need what is installed or committed, and it may be large. */
function isCopied(path: string): boolean {
  return !/[\\/](?:node_modules|\.git)$/.test(path);
}

function writeInside(cwd: string, name: string, content: string): void {
  const file = resolve(cwd, name);
  if (!file.startsWith(cwd + sep)) throw new Error(`files: ${name} is not inside the working folder`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
