import { randomUUID } from "node:crypto";
import { chmodSync, fchmodSync, fstatSync, lstatSync, mkdirSync, type Stats } from "node:fs";
import {
  access,
  constants,
  lstat,
  mkdir,
  open,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { statOf } from "./read.ts";

/** As many links as systems follow. */
const LINKS = 40;

/** Where writing to a file ends up: at the end of its links, even if nothing is there yet. */
export async function targetOf(file: string): Promise<string> {
  let target = file;
  for (let links = 0; links < LINKS; links += 1) {
    try {
      return await realpath(target);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    const link = await unlessMissing(lstat(target));
    if (!link?.isSymbolicLink()) return target;
    target = resolve(dirname(target), await readlink(target));
  }
  throw Object.assign(new Error("too many links"), { code: "ELOOP" });
}

/**
 * Puts a file's whole content in place in one step: whoever reads it meanwhile sees the old or the new one, never a part.
 * An existing file keeps its mode and owner, and is refused where it may not be written. Folders are made.
 */
export async function writeWhole(
  target: string,
  content: string,
  signal?: AbortSignal,
): Promise<"created" | "updated"> {
  const before = await unlessMissing(stat(target));
  if (before?.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
  if (before && !before.isFile())
    throw Object.assign(new Error("it is a pipe, a socket or a device, not a file"), { code: "EINVAL" });
  if (before) await access(target, constants.W_OK);
  const folder = dirname(target);
  await mkdir(folder, { recursive: true });
  await access(folder, constants.W_OK); // so that it is the one that is named
  const temporary = join(folder, `.belay-${randomUUID()}.tmp`);
  try {
    await fill(temporary, content, before);
    signal?.throwIfAborted();
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return before ? "updated" : "created";
}

async function fill(file: string, content: string, before: Stats | undefined): Promise<void> {
  // What was not for others to read is at no moment theirs to read.
  const handle = await open(file, "wx", before ? 0o600 : 0o666);
  try {
    await handle.writeFile(content);
    if (before) {
      const made = await handle.stat();
      // Only the superuser may give files away; anyone else's stays their own.
      if (made.uid !== before.uid || made.gid !== before.gid)
        await handle.chown(before.uid, before.gid).catch(() => {});
      await handle.chmod(before.mode & 0o7777);
    }
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function unlessMissing(stats: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await stats;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/**
 * Makes a folder and those above it, each closed to others. Not by mkdir's own `recursive`: where nothing can be made and the
 * system calls that "no such file" (/proc, a home that is not mounted), Node would try for ever.
 */
export function makeFolder(folder: string): void {
  if (statOf(folder)?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (!statOf(folder)?.isDirectory()) throw error;
  }
}

const OF_OTHERS = 0o077;

/** An open file that another tool made, or a backup brought back. */
export function closeFileToOthers(descriptor: number): void {
  const stat = fstatSync(descriptor);
  if (stat.isFile() && isOpenToOthers(stat)) tryTo(() => fchmodSync(descriptor, 0o600));
}

/** The same for a folder that is there. What is behind a link, or another user's, may be meant for others. */
export function closeFolderToOthers(folder: string): void {
  const stat = lstatSync(folder);
  const isOurs = stat.isDirectory() && stat.uid === process.getuid?.();
  if (isOurs && isOpenToOthers(stat)) tryTo(() => chmodSync(folder, 0o700));
}

function isOpenToOthers({ mode }: Stats): boolean {
  return (mode & OF_OTHERS) !== 0;
}

/** Someone else's, or on a file system without modes: what is to be written there is worth more. */
function tryTo(change: () => void): void {
  try {
    change();
  } catch {
    // Nothing else can be done about it.
  }
}
