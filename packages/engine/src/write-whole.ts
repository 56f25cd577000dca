import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
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
