import { lstatSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Hook } from "@belay/core";
import { isObject, LAYERS, messageOf } from "@belay/core/internal";
import { belayFolder, homeFolder } from "../config/discover.ts";
import { readText, statOf } from "../files/read.ts";
import { makeFolder, targetOf, writeWholeSync } from "../files/write.ts";
import { UsageError } from "../options.ts";
import { holderName, livingHolder } from "../process/holder.ts";
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

/** What the store says of a hook or a permission. */
export interface Known {
  readonly state: TrustState;
  /** What the user trusted before the edit; of what is `changed` only. */
  readonly was?: Trusted;
}

/** Compares an entry of now with what was trusted. `gone` are trusted entries that the project does not have any more. */
export function knownAs(
  now: Omit<Trusted, "scripts">,
  trusted: readonly Trusted[],
  gone: readonly Trusted[] = [],
): Known {
  if (trusted.some(({ print }) => print === now.print)) return { state: "trusted" };
  const was =
    trusted.find(({ print }) => entryOf(print) === entryOf(now.print)) ??
    gone.find((one) => one.file === now.file && nameOf(one) === nameOf(now));
  return was ? { state: "changed", was } : { state: "new" };
}

/** An entry is known by its name, or by its place where it has none. */
function nameOf({ fields, place }: Pick<Trusted, "fields" | "place">): unknown {
  return fields.name ?? place;
}

/** A path as the store names it: from the project's folder on. */
export function fromProject(file: string, project: string): string {
  return relative(project, file).split(sep).join("/");
}

/** Room for some hundred thousand hooks. */
const MAX_BYTES = 32 * 1024 * 1024;
const VERSION = 2;

type Projects = Readonly<Record<string, readonly unknown[]>>;

function trustFile(home?: string): string {
  return join(belayFolder(homeFolder(home)), "trust.json");
}

/** What is trusted in a project. Never throws. */
export function readTrust(project: string, home?: string): TrustRead {
  try {
    return { trusted: trustedIn(readProjects(home), project) };
  } catch (error) {
    return { trusted: [], problem: messageOf(error) };
  }
}

/** Throws where one entry cannot be read: it may have been a guard. */
function trustedIn(projects: Projects, project: string): readonly Trusted[] {
  const entries = Object.hasOwn(projects, project) ? (projects[project] ?? []) : [];
  if (entries.every(isTrustedEntry)) return entries;
  throw new UsageError(
    `the trust store holds entries of ${project} that cannot be read; mend it, or move it away`,
  );
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
 * A store that does not exist is empty. Throws for a store that cannot be read, or that another version of Belay wrote. The
 * prints of version 1 were made by another rule: nothing of it counts, and a change replaces it.
 */
function readProjects(home?: string, isForChange = false): Projects {
  const file = trustFile(home);
  const unreadable = (why: string) => new UsageError(`${file} cannot be read: ${why}`);
  let read: unknown;
  try {
    read = JSON.parse(readText(file, { max: MAX_BYTES }));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    // A link that leads nowhere is a store that cannot be read.
    if (isMissing && lstatSync(file, { throwIfNoEntry: false }) === undefined) return {};
    if (statOf(file)?.isDirectory()) throw unreadable("it is a folder; move it away");
    throw unreadable(`${messageOf(error)}; mend it, or move it away`);
  }
  const { version, projects } = isObject(read) ? read : {};
  if (version === 1 && isForChange) return {};
  if (version === 1) throw new UsageError(`${file} was written by an older version of Belay`);
  if (version === VERSION && isObject(projects) && Object.values(projects).every(Array.isArray))
    return projects as Projects;
  throw unreadable(`it is no store of version ${VERSION}; move it away`);
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
      const before = readProjects(home, true);
      const projects = { ...before, [project]: change(trustedIn(before, project)) };
      writeWholeSync(targetOf(file), `${JSON.stringify({ version: VERSION, projects }, null, 2)}\n`, 0o600);
    });
  } catch (error) {
    if (error instanceof UsageError)
      throw new UsageError(`nothing was trusted: ${error.message}`, error.next);
    throw new UsageError(
      `nothing was trusted: ${file} cannot be written: ${messageOf(error)}; make its folder writable, or room on its disk`,
    );
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

/** Milliseconds. What is done under a lock takes a few of them. */
const WAIT = 10_000;
const PAUSE = 10;
/** A younger lock is never taken for one that was left: its holder may be of another machine, or another container. */
const LEFT = 1_000;

/**
 * Does something while no other process does it: to read a file, change it and write it is not one step. A process that died
 * holding the lock blocks nobody. Throws a UsageError when the lock is held for too long, and the system's error where there
 * can be no lock.
 */
function withLock(lock: string, act: () => void): void {
  const until = performance.now() + WAIT;
  while (!isMade(lock)) {
    removeLeft(lock);
    if (performance.now() > until)
      throw new UsageError(
        `${lock} is held by process ${holderOf(lock).split(" ")[0]}`,
        "end that process, or remove the file if there is none",
      );
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
  }
  try {
    act();
  } finally {
    rmSync(lock, { force: true });
  }
}

function isMade(lock: string): boolean {
  try {
    writeFileSync(lock, holderName(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isObject(error) && error.code === "EEXIST" && !statOf(lock)?.isDirectory()) return false;
    throw error;
  }
}

/** Removes a lock whose holder is dead. One process at a time does so: two could remove the new lock of a third. */
function removeLeft(lock: string): void {
  const removing = `${lock}.removing`;
  if (!isLeft(lock) || !isMade(removing)) return;
  if (isLeft(lock)) rmSync(lock, { force: true });
  rmSync(removing, { force: true });
}

function isLeft(lock: string): boolean {
  const made = lstatSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  const isOld = made !== undefined && Math.abs(Date.now() - made) > LEFT; // by a clock that was wrong, too
  return isOld && livingHolder(holderOf(lock)) === undefined;
}

function holderOf(lock: string): string {
  try {
    return readText(lock, { max: 100 });
  } catch {
    return "";
  }
}
