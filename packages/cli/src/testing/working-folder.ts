import { execFile } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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
  const places = kept === undefined ? emptied(lane) : fresh(kept);
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

/**
 * The lane's own, empty: what an earlier case left is removed. Most leave nothing, and to remove a folder takes a file
 * system longer than a small hook runs.
 */
function emptied({ cwd, home }: Lane): Places {
  const lane = dirname(cwd);
  const root = dirname(lane);
  mkdirSync(root, { recursive: true }); // a hook may have removed it all
  if (realpathSync.native(root) !== root)
    throw new Error(`${root} is not the folder that the cases were given any more: a hook put a link there`);
  for (const folder of [lane, cwd, home]) makeOwn(folder);
  for (const folder of [cwd, home])
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  return { cwd, home };
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
