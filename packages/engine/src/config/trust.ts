import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Hook, isObject, LAYERS, messageOf } from "@belay/core";
import type { Folders } from "../environment.ts";
import { UsageError } from "../errors.ts";
import { contentOf, statOf } from "../file-content.ts";
import { sha256 } from "../ids.ts";
import { makeFolder } from "../make-folder.ts";
import { readText } from "../read-text.ts";
import { belayFolder, homeFolder } from "./discover.ts";
import { filesOf } from "./named-files.ts";
import { openSearch } from "./search.ts";
import { withLock } from "./trust-lock.ts";
import { isSeen, type Seen } from "./trust-seen.ts";

/** Whether it comes with a project: someone else may have written it. */
export function needsTrust({ source }: Pick<Hook, "source">): boolean {
  return LAYERS[source.layer].needsTrust;
}

/** Stands in a print for what could not be looked at whole; no such print is ever trusted. */
const UNCLEAR = "unclear";

/**
 * What is trusted of one hook: its entry, the moment it fires, and the content of the scripts it names. An edit of any
 * of them gives another print, and the hook asks again. The part before the dot is the entry's alone. Given what is
 * trusted, the files of an entry that never was are left alone: they may be made to take long.
 */
export function printOf(hook: Hook, folders: Folders, trusted?: ReadonlySet<string>): string {
  const { event, matcher, sequential, identity } = hook;
  const text = JSON.stringify([event, matcher.source, sequential, identity]);
  const entry = `${sha256().update(text).digest("hex").slice(0, 16)}.`;
  if (trusted && !entriesOf(trusted).has(entry)) return entry;
  const whole = sha256().update(text);
  const search = openSearch();
  for (const file of filesOf(hook, folders, search)) {
    if (search.unclear !== undefined) break;
    const content = contentOf(file, search.giveUp);
    // With its length: what moves from one file into the next is another print.
    whole.update(JSON.stringify([file, content.length])).update(content);
  }
  return entry + (search.unclear === undefined ? whole.digest("hex") : UNCLEAR);
}

/** trusted: runs. changed: its entry was trusted, and a script it names was edited since. new: never trusted. */
export type TrustState = "trusted" | "changed" | "new";

export function trustState(print: string, trusted: ReadonlySet<string>): TrustState {
  if (trusted.has(print)) return "trusted";
  return entriesOf(trusted).has(entryOf(print)) ? "changed" : "new";
}

/** The part of a print that stays the same when a script is edited, or a mode is another one. */
export function entryOf(print: string): string {
  return print.slice(0, print.indexOf(".") + 1);
}

const knownEntries = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

function entriesOf(prints: ReadonlySet<string>): ReadonlySet<string> {
  const known = knownEntries.get(prints) ?? new Set([...prints].map(entryOf));
  knownEntries.set(prints, known);
  return known;
}

/** A whole print, as printOf gives it. */
const PRINT = /^[\da-f]{16}\.[\da-f]{64}$/;

interface TrustFile {
  readonly version: 1;
  /** Prints by project folder. */
  readonly projects: Readonly<Record<string, readonly string[]>>;
  /** What the user saw of each, by project and print. Shown again, never decided on. */
  readonly seen?: Readonly<Record<string, Readonly<Record<string, Seen>>>>;
}

/** Room for some hundred thousand hooks. */
const MAX_BYTES = 32 * 1024 * 1024;

function trustFile(home?: string): string {
  return join(belayFolder(homeFolder(home)), "trust.json");
}

/** The prints the user has trusted in a project; an unreadable file trusts nothing. */
export function trustedPrints(project: string, home?: string): Set<string> {
  return new Set(printsIn(readTrust(home), project));
}

function printsIn({ projects }: TrustFile, project: string): readonly string[] {
  const prints: unknown = Object.hasOwn(projects, project) ? projects[project] : [];
  return Array.isArray(prints)
    ? prints.filter((print) => typeof print === "string" && PRINT.test(print))
    : [];
}

function readTrust(home?: string): TrustFile {
  try {
    const read = JSON.parse(readText(trustFile(home), { max: MAX_BYTES })) as TrustFile;
    if (read.version === 1 && typeof read.projects === "object" && read.projects !== null) return read;
  } catch {
    // No file yet, or one that does not parse: nothing is trusted.
  }
  return { version: 1, projects: {} };
}

/** What the user saw of things when they trusted them, by print, the newest last. */
export function trustedSeen(project: string, home?: string): Map<string, Seen> {
  const { seen } = readTrust(home);
  const own: unknown = isObject(seen) && Object.hasOwn(seen, project) ? seen[project] : {};
  return new Map(Object.entries(isObject(own) ? own : {}).filter(isSeenEntry));
}

function isSeenEntry(entry: [string, unknown]): entry is [string, Seen] {
  return isSeen(entry[1]);
}

/** So many are kept of a project: what was trusted long ago is nothing to compare with. */
const MAX_SEEN = 256;

/**
 * Trusts exactly these prints in a project, besides those already trusted there, and notes what was seen of them. Throws a
 * UsageError when it cannot.
 */
export function trust(
  project: string,
  prints: readonly string[],
  home?: string,
  seen: ReadonlyMap<string, Seen> = new Map(),
): void {
  const file = trustFile(home);
  try {
    makeFolder(dirname(file));
    // Others may be trusting something else: what they wrote is read, and kept.
    withLock(`${file}.lock`, () =>
      write(file, `${JSON.stringify(added(project, prints, home, seen), null, 2)}\n`),
    );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`nothing was trusted: ${file} cannot be written: ${whyUnwritten(file, error)}`);
  }
}

/** All that is trusted, with these prints besides. */
function added(
  project: string,
  prints: readonly string[],
  home: string | undefined,
  seen: ReadonlyMap<string, Seen>,
): TrustFile {
  const before = readTrust(home);
  const known = [...trustedSeen(project, home)].filter(([print]) => !seen.has(print));
  const noted = [...known, ...[...seen].filter(([print]) => PRINT.test(print))].slice(-MAX_SEEN);
  const { projects } = before;
  const merged = [...new Set([...printsIn(before, project), ...prints.filter((print) => PRINT.test(print))])];
  return {
    version: 1,
    projects: { ...projects, [project]: merged },
    seen: { ...before.seen, [project]: Object.fromEntries(noted) },
  };
}

/** Whole or not at all. */
function write(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    if (statOf(temporary)) rmSync(temporary);
    throw error;
  }
}

function whyUnwritten(file: string, error: unknown): string {
  if (statOf(file)?.isDirectory()) return "it is a folder; move it away";
  return `${messageOf(error)}; make its folder writable, or room on its disk`;
}

/** Whether one hook may run as it is now: it may have been edited while it waited for its turn. */
export function isTrusted(hook: Hook, folders: Folders): boolean {
  if (!needsTrust(hook)) return true;
  const prints = trustedPrints(folders.project, folders.home);
  return prints.has(printOf(hook, folders, prints));
}
