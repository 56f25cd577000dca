import { execFile } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { promisify } from "node:util";
import type { TestCase } from "./case-file.ts";
import type { Lane } from "./lane.ts";
import { fillIn, type Places } from "./strings.ts";

interface WorkingFolder {
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
  const places = kept === undefined ? renewed(lane) : fresh(kept);
  const { cwd, home } = places;
  if (test.folder !== undefined) await cp(test.folder, cwd, { recursive: true, filter: isCopied });
  for (const [name, content] of Object.entries(test.files)) writeInside(cwd, name, fillIn(content, places));
  if (test.git)
    await promisify(execFile)("git", ["init", "--quiet"], { cwd, env: { ...process.env, HOME: home } });
  return { places, kept };
}

function fresh(path: string): Places {
  const places = { cwd: join(path, "project"), home: join(path, "home") };
  for (const folder of Object.values(places)) mkdirSync(folder, { recursive: true });
  return places;
}

/** The lane's own: the folder is a new one, and the home without what an earlier case left in it. */
function renewed({ cwd, home }: Lane): Places {
  const lane = dirname(cwd);
  const root = dirname(lane);
  mkdirSync(root, { recursive: true }); // a hook may have removed it all
  if (realpathSync.native(root) !== root)
    throw new Error(`${root} is not the folder that the cases were given any more: a hook put a link there`);
  for (const folder of [lane, home]) makeOwn(folder);
  for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true, force: true });
  renew(cwd);
  return { cwd, home };
}

/**
 * Another folder by the same name, where an earlier case has written to the one that is there: what it left running may go
 * on writing to that. Most cases write nothing, and a folder takes a file system longer than a small hook runs.
 */
function renew(folder: string): void {
  if (isUntouched(folder)) return;
  setAside(folder);
  mkdirSync(folder);
}

/** Empty, and so since it was made: whoever puts a file there changes its time, and so does whoever takes it away. */
function isUntouched(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory() || found.birthtimeMs !== found.mtimeMs) return false;
  return readdirSync(folder).length === 0;
}

/** What is still being written to, and so cannot be removed yet, goes with all the others at the end. */
function setAside(folder: string): void {
  if (!lstatSync(folder, { throwIfNoEntry: false })) return;
  const aside = mkdtempSync(`${folder}-`);
  renameSync(folder, join(aside, "left"));
  try {
    rmSync(aside, { recursive: true, force: true });
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
