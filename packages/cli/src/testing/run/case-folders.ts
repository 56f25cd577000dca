import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isObject, messageOf } from "@belay/core/internal";

/** The folders of a case, by the names under which a case file speaks of them. */
export interface CaseFolders {
  readonly cwd: string;
  readonly home: string;
}

/** Where the cases of a run keep what they leave: a project and a home for each. */
export function caseFolder(root: string, index: number): string {
  return join(root, `case-${index + 1}`);
}

/**
 * Makes the folder that a case runs in, which must not be there. Throws if a hook of an earlier case put something in its
 * place, or a link in place of the root: nothing is written where a link leads.
 */
export function makeFolder(root: string, cwd: string): void {
  mkdirSync(root, { recursive: true });
  if (realpathSync.native(root) !== root)
    throw new Error(`${root} is not the folder that the cases were given any more: a hook put a link there`);
  for (const folder of [dirname(cwd), cwd]) mkdirSync(folder);
}

/** Moves the home beside the project, if it can be moved: the next case makes it anew. */
export function putHomeAway({ cwd, home }: CaseFolders): void {
  try {
    if (isReal(dirname(cwd))) renameSync(home, join(dirname(cwd), "home"));
  } catch {} // a hook removed it, or a process still uses it
}

/** Removes the folders of a case. What cannot be removed yet goes with the root. */
export async function removeFolders({ cwd }: CaseFolders): Promise<void> {
  const folder = dirname(cwd);
  if (isReal(folder)) await rm(folder, { recursive: true, force: true }).catch(() => {});
}

/** True if no link leads to the path: what a hook put in its place is not ours to remove. */
function isReal(path: string): boolean {
  try {
    return realpathSync.native(path) === path;
  } catch {
    return false;
  }
}

/** Milliseconds that a folder may take to go: a process that a hook left running may write to it for ever. */
const REMOVE_MS = 5000;

/** Removes the folder of a run. Returns why it is still there, if it is. Never rejects. */
export async function removeRoot(root: string): Promise<string | undefined> {
  const late = new AbortController();
  const remove = () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  const removing = remove()
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EACCES" && error.code !== "EPERM") throw error;
      makeRemovable(root);
      return remove();
    })
    .then(() => undefined, messageOf);
  const waiting = setTimeout(REMOVE_MS, "something still writes to it", { signal: late.signal });
  const why = await Promise.race([removing, waiting.catch(() => undefined)]);
  late.abort();
  return why;
}

/** Gives the owner the rights to remove a tree: Go leaves its modules read-only. Follows no link. */
export function makeRemovable(folder: string): void {
  const found = lstatSync(folder);
  if (!found.isDirectory()) return;
  chmodSync(folder, found.mode | 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeRemovable(join(folder, entry.name));
}

/** The same value with every string in it changed. */
export function mapText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapText(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapText(item, change)]));
}

/** {cwd} and {home}, filled in. */
export function fillIn<T>(value: T, { cwd, home }: CaseFolders): T {
  return mapText(value, (text) => text.replaceAll("{cwd}", cwd).replaceAll("{home}", home)) as T;
}

/** The way back: a case must not depend on the folder it ran in. */
export function takeOut<T>(value: T, { cwd, home }: CaseFolders): T {
  return mapText(value, (text) => text.replaceAll(cwd, "{cwd}").replaceAll(home, "{home}")) as T;
}
