import { linkSync, lstatSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Hook } from "@belay/core";
import { isObject, LAYERS, messageOf } from "@belay/core/internal";
import { belayFolder, homeFolder } from "../config/discover.ts";
import { UsageError } from "../errors.ts";
import { readText, statOf } from "../files/read.ts";
import { makeFolder } from "../files/write.ts";
import { holderName, holderPid, livingHolder } from "../process/holder.ts";
import { entryOf } from "./fingerprint.ts";

/** True for what comes with a project: someone else may have written it. */
export function needsTrust({ source }: Pick<Hook, "source">): boolean {
  return LAYERS[source.layer].needsTrust;
}

/** A hook or a permission as the user saw and trusted it. */
export interface Trusted {
  readonly print: string;
  /** The settings file, from the project's folder. */
  readonly file: string;
  /** Where in the file: hooks.PreToolUse[0].hooks[1]. */
  readonly place: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** SHA-256 of each script, by its path. */
  readonly scripts: Readonly<Record<string, string>>;
}

/** What the user has trusted in one project. */
export interface TrustRead {
  readonly trusted: readonly Trusted[];
  /** Why the store cannot be read. Nothing is trusted then, and guards refuse. */
  readonly problem?: string;
}

/** trusted: runs. changed: trusted once, and edited since. new: never trusted. */
export type TrustState = "trusted" | "changed" | "new";

type Entry = Pick<Trusted, "print" | "file" | "place" | "fields">;

/** What the store says of a hook or a permission as it is now. `present` are the entries that the project has now. */
export function trustState(
  now: Entry,
  { trusted }: Pick<TrustRead, "trusted">,
  present: ReadonlySet<string>,
): TrustState {
  if (trusted.some(({ print }) => print === now.print)) return "trusted";
  return versionBefore(now, trusted, present) ? "changed" : "new";
}

/** What was trusted of an entry before an edit: the same entry with other scripts, or the entry of its name that is gone now. */
export function versionBefore(
  now: Entry,
  trusted: readonly Trusted[],
  present: ReadonlySet<string>,
): Trusted | undefined {
  const isEdit = (was: Trusted) => was.file === now.file && nameOf(was) === nameOf(now);
  const isGone = (was: Trusted) => !present.has(entryOf(was.print));
  return (
    trusted.find((was) => entryOf(was.print) === entryOf(now.print)) ??
    trusted.find((was) => isEdit(was) && isGone(was))
  );
}

/** An entry is known by its name, or by its place where it has none. */
function nameOf({ fields, place }: Entry): unknown {
  return fields.name ?? place;
}

/** A path as the store names it: from the project's folder on. */
export function fromProject(file: string, project: string): string {
  return relative(project, file).split(sep).join("/");
}

/** Room for some hundred thousand hooks. */
const MAX_BYTES = 32 * 1024 * 1024;
const VERSION = 2;

interface Store {
  readonly version: typeof VERSION;
  readonly projects: Readonly<Record<string, readonly unknown[]>>;
}

const EMPTY: Store = { version: VERSION, projects: {} };

function trustFile(home?: string): string {
  return join(belayFolder(homeFolder(home)), "trust.json");
}

/** What is trusted in a project. Never throws. */
export function readTrust(project: string, home?: string): TrustRead {
  try {
    return { trusted: trustedIn(readStore(home), project) };
  } catch (error) {
    return { trusted: [], problem: messageOf(error) };
  }
}

/** Throws where one of the entries is none: what it was cannot be said, and it may have been a guard. */
function trustedIn({ projects }: Store, project: string): readonly Trusted[] {
  const entries = Object.hasOwn(projects, project) ? (projects[project] ?? []) : [];
  if (entries.every(isTrustedEntry)) return entries;
  throw new UsageError(
    `the trust store holds entries of ${project} that cannot be read; mend it, or move it away`,
  );
}

/** A store that does not exist is empty. Throws for one that cannot be read, or that another version of Belay wrote. */
function readStore(home?: string): Store {
  const file = trustFile(home);
  let read: unknown;
  try {
    read = JSON.parse(readText(file, { max: MAX_BYTES }));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    // A link that leads nowhere is a store that cannot be read.
    if (isMissing && lstatSync(file, { throwIfNoEntry: false }) === undefined) return EMPTY;
    throw new UsageError(`${file} cannot be read: ${whyUnusable(file, error)}`);
  }
  if (isObject(read) && read.version === 1)
    throw new OldStore(`${file} was written by an older version of Belay`);
  const { version, projects } = isObject(read) ? read : {};
  if (version === VERSION && isObject(projects) && Object.values(projects).every(Array.isArray))
    return { version, projects: projects as Store["projects"] };
  throw new UsageError(`${file} cannot be read: it is no store of version ${VERSION}; move it away`);
}

/** Its prints were made by another rule. Nothing of it counts, and trusting anew replaces it. */
class OldStore extends UsageError {}

function whyUnusable(file: string, error: unknown): string {
  if (statOf(file)?.isDirectory()) return "it is a folder; move it away";
  return `${messageOf(error)}; mend it, or move it away`;
}

function isTrustedEntry(value: unknown): value is Trusted {
  return (
    isObject(value) &&
    [value.print, value.file, value.place].every((text) => typeof text === "string") &&
    isObject(value.fields) &&
    isObject(value.scripts)
  );
}

/**
 * Changes what is trusted in a project, as one step among processes. Other projects stay as they are. Throws a UsageError
 * when the store cannot be read or written.
 */
function changeTrust(
  project: string,
  home: string | undefined,
  change: (trusted: readonly Trusted[]) => readonly Trusted[],
): void {
  const file = trustFile(home);
  try {
    makeFolder(dirname(file));
    withLock(`${file}.lock`, () => {
      const { projects } = readForChange(home);
      const trusted = change(trustedIn({ version: VERSION, projects }, project));
      const store: Store = { version: VERSION, projects: { ...projects, [project]: trusted } };
      write(file, `${JSON.stringify(store, null, 2)}\n`);
    });
  } catch (error) {
    if (error instanceof UsageError)
      throw new UsageError(`nothing was trusted: ${error.message}`, error.next);
    throw new UsageError(
      `nothing was trusted: ${file} cannot be written: ${messageOf(error)}; make its folder writable, or room on its disk`,
    );
  }
}

function readForChange(home?: string): Store {
  try {
    return readStore(home);
  } catch (error) {
    if (error instanceof OldStore) return EMPTY;
    throw error;
  }
}

/** Settings files, from the project's folder, of which all hooks or all permissions are among what is trusted. */
export interface WholeFiles {
  readonly hooks?: readonly string[];
  readonly permissions?: readonly string[];
}

/**
 * Trusts exactly this. It takes the place of older versions of itself, wherever they stood, and of everything else that was
 * trusted in the files that are `whole`: a version that is put back asks again.
 */
export function trust(
  project: string,
  items: readonly Trusted[],
  { home, whole = {} }: { readonly home?: string; readonly whole?: WholeFiles } = {},
): void {
  const replaced = new Set(items.map(({ print }) => entryOf(print)));
  const isReplaced = ({ file, print, fields }: Trusted) =>
    replaced.has(entryOf(print)) ||
    (fields.event === undefined ? whole.permissions : whole.hooks)?.includes(file) === true;
  changeTrust(project, home, (trusted) => [...trusted.filter((one) => !isReplaced(one)), ...items]);
}

/** Takes back the trust in everything of a project that `isMeant` picks. Returns how much that was. */
export function revokeTrust(project: string, isMeant: (trusted: Trusted) => boolean, home?: string): number {
  let revoked = 0;
  changeTrust(project, home, (trusted) => {
    const kept = trusted.filter((one) => !isMeant(one));
    revoked = trusted.length - kept.length;
    return kept;
  });
  return revoked;
}

/** Whole or not at all. A link stays a link. */
function write(file: string, text: string): void {
  const target = statOf(file) ? realpathSync(file) : file;
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

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
function withLock<T>(lock: string, act: () => T): T {
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
