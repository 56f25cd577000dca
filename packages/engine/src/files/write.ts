import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFile,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { randomId } from "../ids.ts";
import { statOf } from "./read.ts";

/** As many links as systems follow. */
const MAX_LINKS = 40;

/** Where writing to a file ends up: at the end of its links, even if nothing is there yet. */
export function targetOf(file: string): string {
  let target = file;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const found = unlessMissing(() => realpathSync(target));
    if (found !== undefined) return found;
    if (!unlessMissing(() => lstatSync(target))?.isSymbolicLink()) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw Object.assign(new Error("too many links"), { code: "ELOOP" });
}

/**
 * Puts a file's whole content in place in one step: a reader sees the old content or the new one, never a part. An existing
 * file keeps its mode and owner, and is refused where it may not be written. Missing folders are made. An abort leaves the
 * old content.
 */
export async function writeWhole(
  target: string,
  content: string,
  signal?: AbortSignal,
): Promise<"created" | "updated"> {
  const draft = openDraft(target);
  try {
    await promisify(writeFile)(draft.descriptor, content);
    await promisify(fdatasync)(draft.descriptor);
    signal?.throwIfAborted();
  } catch (error) {
    discard(draft);
    throw error;
  }
  return putInPlace(draft, target);
}

/** The same for a caller that cannot wait. With `mode` the file has that mode afterwards, whatever it had before. */
export function writeWholeSync(target: string, content: string, mode?: number): "created" | "updated" {
  const draft = openDraft(target, mode);
  try {
    writeFileSync(draft.descriptor, content);
    fdatasyncSync(draft.descriptor);
  } catch (error) {
    discard(draft);
    throw error;
  }
  return putInPlace(draft, target);
}

/** The new content of a file, in a file beside it. */
interface Draft {
  readonly file: string;
  readonly descriptor: number;
  readonly before: Stats | undefined;
  readonly mode: number | undefined;
}

function openDraft(target: string, mode?: number): Draft {
  const before = unlessMissing(() => statSync(target));
  if (before?.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
  if (before && !before.isFile())
    throw Object.assign(new Error("it is a pipe, a socket or a device, not a file"), { code: "EINVAL" });
  if (before) accessSync(target, constants.W_OK);
  const folder = dirname(target);
  makeFolder(folder, 0o777);
  accessSync(folder, constants.W_OK); // so that an error names the folder, not the draft
  const file = join(folder, `.belay-${randomId()}.tmp`);
  // Closed to others from the start if the file itself is, or may be.
  const descriptor = openSync(file, "wx", before ? 0o600 : (mode ?? 0o666));
  return { file, descriptor, before, mode };
}

function putInPlace({ file, descriptor, before, mode }: Draft, target: string): "created" | "updated" {
  try {
    if (before) keepOwner(descriptor, before, mode ?? before.mode & 0o7777);
    closeSync(descriptor);
    renameSync(file, target);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
  return before ? "updated" : "created";
}

function keepOwner(descriptor: number, before: Stats, mode: number): void {
  const made = fstatSync(descriptor);
  // Only the superuser may give a file to another user.
  if (made.uid !== before.uid || made.gid !== before.gid)
    tryTo(() => fchownSync(descriptor, before.uid, before.gid));
  fchmodSync(descriptor, mode);
}

function discard({ file, descriptor }: Draft): void {
  closeSync(descriptor);
  rmSync(file, { force: true });
}

function unlessMissing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Makes a folder and those above it, closed to others unless a mode is given. Not by mkdir's own `recursive`: where nothing
 * can be made and the system reports "no such file" (/proc, a home that is not mounted), Node would try for ever.
 */
export function makeFolder(folder: string, mode = 0o700): void {
  if (statOf(folder)?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have been quicker.
    if (!statOf(folder)?.isDirectory()) throw error;
  }
}

const OF_OTHERS = 0o077;

/** Another tool may have made the file, or a backup restored it, with an open mode. */
export function closeFileToOthers(descriptor: number): void {
  const stat = fstatSync(descriptor);
  if (stat.isFile() && isOpenToOthers(stat)) tryTo(() => fchmodSync(descriptor, 0o600));
}

/** The same for a folder. A folder behind a link, or of another user, may be meant for others and stays as it is. */
export function closeFolderToOthers(folder: string): void {
  const stat = lstatSync(folder);
  const isOurs = stat.isDirectory() && stat.uid === process.getuid?.();
  if (isOurs && isOpenToOthers(stat)) tryTo(() => chmodSync(folder, 0o700));
}

function isOpenToOthers({ mode }: Stats): boolean {
  return (mode & OF_OTHERS) !== 0;
}

/** The file may be another user's, or on a file system without modes. Writing its content matters more. */
function tryTo(change: () => void): void {
  try {
    change();
  } catch {
    // The mode or owner stays as it is.
  }
}
