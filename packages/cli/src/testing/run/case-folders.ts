import { execFile } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { cp, rm } from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { isObject, messageOf } from "@belay/core/internal";
import { createEngine, type Engine } from "@belay/engine";
import { statOf } from "@belay/engine/internal";
import { BELAY } from "../../args/flags.ts";
import type { CaseFile, TestCase } from "../read/case-file.ts";
import type { Planned } from "./plan.ts";

export interface CaseFolders {
  readonly cwd: string;
  readonly home: string;
}

export function caseFolder(root: string, index: number): string {
  return join(root, `case-${index + 1}`);
}

/**
 * Makes the folder that a case runs in, which must not be there. Throws if a hook of an earlier case put something in its
 * place, or a link in place of the root: nothing is written where a link leads.
 */
export function makeFolder(root: string, cwd: string): void {
  if (!isReal(root)) mkdirSync(root, { recursive: true });
  if (!isReal(root))
    throw new Error(`${root} is not the folder that the cases were given any more: a hook put a link there`);
  for (const folder of [dirname(cwd), cwd]) mkdirSync(folder);
}

/**
 * Removes the folders of a case; or keeps them, with the home beside the project. A home that is not empty is out of the way
 * of the next case at once. What cannot be removed yet goes with the root. Never rejects.
 */
export async function putAway({ cwd, home }: CaseFolders, isKept: boolean): Promise<void> {
  const folder = dirname(cwd);
  if (!isReal(folder)) return;
  try {
    if (isKept || !isEmptyFolder(home)) renameSync(home, join(folder, "home"));
  } catch {} // a hook removed it, or a process still uses it
  // Most cases leave nothing: two calls are enough for their folders.
  if (isKept || (removeEmpty(cwd) && removeEmpty(folder))) return;
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

/** Throws if nothing is there. */
function isEmptyFolder(path: string): boolean {
  return lstatSync(path).isDirectory() && readdirSync(path).length === 0;
}

/** Returns false if it is no empty folder. */
function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
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

export function mapText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapText(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapText(item, change)]));
}

export function fillIn<T>(value: T, { cwd, home }: CaseFolders): T {
  return mapText(value, (text) => text.replaceAll("{cwd}", cwd).replaceAll("{home}", home)) as T;
}

/** The way back: a case must not depend on the folder it ran in. */
export function takeOut<T>(value: T, { cwd, home }: CaseFolders): T {
  return mapText(value, (text) => text.replaceAll(cwd, "{cwd}").replaceAll(home, "{home}")) as T;
}

export async function putFiles(
  { folder, files, git }: Partial<Pick<TestCase, "folder" | "files" | "git">>,
  folders: CaseFolders,
): Promise<void> {
  const { cwd } = folders;
  if (folder !== undefined) await copyFolder(folder, cwd);
  for (const [name, content] of Object.entries(files ?? {})) writeInside(cwd, name, fillIn(content, folders));
  if (git) await promisify(execFile)("git", ["init", "--quiet"], { cwd, env: caseEnvironment(folders) });
}

function writeInside(cwd: string, name: string, content: string): void {
  const file = resolve(cwd, name);
  if (!file.startsWith(cwd + sep)) throw new Error(`files: ${name} is not inside the working folder`);
  const link = wayOut(cwd, relative(cwd, file).split(sep));
  if (link !== undefined)
    throw new Error(
      `files: ${name}: ${link} is a link that leads to nothing in the working folder; write to a path without it`,
    );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  // A file that was there keeps its mode when it is written.
  if (content.startsWith("#!")) chmodSync(file, 0o755);
}

/** The first link on a path that leads out of the folder, or to nothing: a write would make a file elsewhere. */
function wayOut(cwd: string, parts: readonly string[]): string | undefined {
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join(sep));
  return prefixes.find((path) => {
    const found = lstatSync(join(cwd, path), { throwIfNoEntry: false });
    return found?.isSymbolicLink() && !leadsInside(cwd, join(cwd, path));
  });
}

function leadsInside(cwd: string, link: string): boolean {
  try {
    return isWithin(relative(cwd, realpathSync.native(link)));
  } catch {
    return false;
  }
}

/**
 * Copies what is in a folder. A link to something in the folder leads to its copy, so that a hook that writes by the link
 * does not change the original. A link to anything else leads where it did.
 */
async function copyFolder(from: string, to: string): Promise<void> {
  const top = realpathSync.native(from);
  const filter = (path: string, copy: string): boolean => {
    if (!isCopied(path.slice(top.length))) return false;
    if (!lstatSync(path).isSymbolicLink()) return true;
    const target = targetOf(path);
    const inside = relative(top, target);
    const isOurs = isWithin(inside) && isCopied(sep + inside);
    const leadsTo = isOurs ? relative(dirname(copy), join(to, inside)) || "." : target;
    symlinkSync(leadsTo, copy, statOf(path)?.isDirectory() ? "dir" : "file");
    return false;
  };
  await cp(top, to, { recursive: true, filter });
}

/** Nobody's hooks need what is installed or committed, and it may be large. */
function isCopied(pathInside: string): boolean {
  return !/[\\/](?:node_modules|\.git)(?:[\\/]|$)/.test(pathInside);
}

/** The path that a link leads to, with the links above it resolved. What is there may be a link again, or nothing. */
function targetOf(link: string): string {
  const target = resolve(dirname(link), readlinkSync(link));
  try {
    return join(realpathSync.native(dirname(target)), basename(target));
  } catch {
    return target;
  }
}

/** Whether a path that `relative` gave leads to the folder itself or into it. */
export function isWithin(path: string): boolean {
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/** Runs cases one after another. They have homes at the same path, each empty, so that cases of a file share an engine. */
export interface Worker {
  home: string;
  readonly engines: Map<CaseFile, Engine>;
  current?: Engine;
}

export function openWorker(root: string, index: number): Worker {
  return { home: join(root, `home-${index + 1}`), engines: new Map() };
}

export async function closeWorker({ engines, current }: Worker): Promise<void> {
  const open = new Set([...engines.values(), ...(current ? [current] : [])]);
  await Promise.all([...open].map((engine) => engine.close()));
}

/** Makes the home of the next case, unless an empty one is there. One that a process still writes to is left to that process. */
export async function makeHome(worker: Worker): Promise<string> {
  try {
    mkdirSync(worker.home);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (isEmptyFolder(worker.home)) return worker.home;
    await closeWorker(worker);
    worker.engines.clear();
    worker.home += "-again";
    mkdirSync(worker.home);
  }
  return worker.home;
}

export async function engineFor(
  test: TestCase,
  planned: Planned,
  worker: Worker,
  folders: CaseFolders,
): Promise<Engine> {
  const isShared = test.folder === undefined && Object.keys(test.env).length === 0;
  const known = isShared ? worker.engines.get(test.file) : undefined;
  const engine = known ?? (await open(test, planned, folders));
  worker.current = engine;
  // An engine tells of its config's problems once, and each case is to hear of them.
  if (isShared && engine.problems.length === 0) worker.engines.set(test.file, engine);
  return engine;
}

export async function endCase(worker: Worker, { file }: TestCase): Promise<void> {
  const { current, engines } = worker;
  if (current && engines.get(file) !== current) await current.close();
  delete worker.current;
}

function open(test: TestCase, planned: Planned, folders: CaseFolders): Promise<Engine> {
  return createEngine({
    ...planned.hooks.get(test.file),
    cwd: test.folder === undefined ? test.file.folder : folders.cwd,
    home: folders.home,
    env: environment(test, folders),
    journal: false,
    reload: false, // all cases of a run are about the same hooks
    launcher: "off",
    program: BELAY,
    limits: { stopCap: Number.POSITIVE_INFINITY },
  });
}

function environment({ env }: TestCase, folders: CaseFolders): NodeJS.ProcessEnv {
  const result = caseEnvironment(folders);
  for (const [name, value] of Object.entries(env)) {
    if (value === null) delete result[name];
    else result[name] = fillIn(value, folders);
  }
  return result;
}

/**
 * What `git rev-parse --local-env-vars` lists, and the quarantine of a push. Git gives them to its own hooks: in a
 * pre-commit, cases would else initialise the user's repository, and add to what is being committed.
 */
export const LOCAL_TO_A_REPOSITORY: readonly string[] = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_CONFIG",
  "GIT_CONFIG_COUNT",
  "GIT_CONFIG_PARAMETERS",
  "GIT_DIR",
  "GIT_GRAFT_FILE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_REPLACE_REF_BASE",
  "GIT_SHALLOW_FILE",
  "GIT_WORK_TREE",
];

/** Programs look there before they look in HOME. */
const OTHER_HOMES = [
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "XDG_CACHE_HOME",
  "GIT_CONFIG_GLOBAL",
];

/** The environment that every case begins with: ours, but for what leads out of its folder and its home. */
export function caseEnvironment({ cwd, home }: CaseFolders): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = Object.create(null); // a variable may be named __proto__
  Object.assign(result, process.env, { HOME: home, USERPROFILE: home });
  for (const name of [...OTHER_HOMES, ...LOCAL_TO_A_REPOSITORY]) delete result[name];
  // The temporary folder may lie in a repository. The cases of a file share this: it is the root of them all.
  const ceilings = [dirname(dirname(cwd)), result.GIT_CEILING_DIRECTORIES ?? ""].filter(
    (folder) => folder !== "",
  );
  result.GIT_CEILING_DIRECTORIES = ceilings.join(delimiter);
  return result;
}
