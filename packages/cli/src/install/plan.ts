import { dirname } from "node:path";
import type { EventName } from "@belay/core";
import { oneLine } from "@belay/core/clean";
import { eventRow, messageOf } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { readText, sha256, shownPath, statOf, targetOf } from "@belay/engine/internal";
import { closedEntry, entryEvent, type Harness, saysLimit } from "@belay/harness";
import { BELAY } from "../args/flags.ts";
import { type Edited, type Entry, type Found, type Unfit, without } from "./format.ts";
import { addToJson, foundInJson, takeFromJson, unfitJson } from "./json-file.ts";
import { foundInOwn, pluginText, scriptText } from "./own-file.ts";
import {
  type Base,
  commandFor,
  fileFor,
  insteadFile,
  isInShell,
  isPerEvent,
  lacksGit,
  relayIn,
  settingsFile,
} from "./place.ts";
import type { Installed, Written } from "./state.ts";
import { addToToml, foundInToml, takeFromToml, unfitToml } from "./toml-file.ts";

/** A file as it is, as it shall be, and what is then to be remembered of it. */
export interface Change {
  readonly harness: Harness;
  readonly file: string;
  /** undefined: there is no such file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly written: Written | undefined;
  readonly mode?: number;
}

export interface Wish {
  readonly base: Base;
  readonly events: readonly EventName[];
  /** Events whose entries use the agent's own setting for hooks that fail. */
  readonly closed: readonly EventName[];
}

/** What install changes for one agent: its entries, and those of events that are no longer wanted. */
export function planInstall(harness: Harness, wish: Wish, installed: Installed): Change[] {
  const { base } = wish;
  const file = settingsFile(harness, base);
  if (file === undefined)
    throw new UsageError(
      `${harness.title} has no file for a project's hooks`,
      `next: ${BELAY} install ${harness.name} --user`,
    );
  if (lacksGit(harness, base))
    throw new UsageError(
      `${harness.title} reads a project's hooks in a git repository alone`,
      `git init, or: ${BELAY} install ${harness.name} --user`,
    );
  const instead = insteadFile(harness, base);
  if (instead !== undefined && statOf(instead))
    throw new UsageError(
      `${harness.title} reads the hooks in ${shown(instead, base)}, and none in ${shown(file, base)}`,
      "move them over, then install again",
    );
  const entries = entriesFor(harness, wish);
  const files = isPerEvent(file)
    ? entries.map((entry) => ({ path: fileFor(file, entry.native), own: [entry] }))
    : [{ path: file, own: entries }];
  const wanted = files.map(({ path, own }) => fill(harness, path, own, base, installed[path]));
  const kept = new Set(files.map(({ path }) => path));
  return [...wanted, ...planUninstall(harness, base, installed).filter((change) => !kept.has(change.file))];
}

/** The entries of a wish, without the events that the harness lacks. */
export function entriesFor(harness: Harness, wish: Wish): Entry[] {
  return wish.events.flatMap((event) => {
    const native = entryEvent(harness, event);
    return native === undefined ? [] : [entryFor(harness, event, native, wish)];
  });
}

/** Where a relay that is gone or killed would let something run. Every shell reads it, and says in words what is wrong. */
const OR_REFUSE = " || exit 2";

function isGate(event: EventName): boolean {
  const { phase } = eventRow(event);
  return phase === "before a tool call" || phase === "prompt";
}

function entryFor(harness: Harness, event: EventName, native: string, { base, closed: events }: Wish): Entry {
  const { shape, limitMs } = harness.settings;
  const call = commandFor(harness, native, base.home);
  const command = isInShell(harness) && isGate(event) ? `${call}${OR_REFUSE}` : call;
  const limit = "limit" in shape && saysLimit(event) ? { [shape.limit.field]: limitMs / shape.limit.ms } : {};
  const closed = events.includes(event) ? closedEntry(harness) : {};
  if (shape.kind !== "json") return { native, fields: { command, ...limit } };
  return { native, fields: { type: "command", [shape.command]: command, ...limit, ...closed } };
}

/** What uninstall changes for one agent. */
export function planUninstall(harness: Harness, base: Base, installed: Installed): Change[] {
  const file = settingsFile(harness, base);
  const known = Object.entries(installed).flatMap(([path, written]) =>
    isOf(written, harness, base) ? [path] : [],
  );
  const paths = new Set([...known, ...(file === undefined || isPerEvent(file) ? [] : [file])]);
  return [...paths].map((path) => {
    const before = read(path, base);
    const after = pristine(harness, path, before, base, installed[path]);
    return { harness, file: path, before, after, written: undefined };
  });
}

export function isOf({ agent, scope, project }: Written, { name }: Harness, base: Base): boolean {
  return agent === name && scope === base.scope && (scope === "user" || project === base.project);
}

/** The file with these entries of ours and no others. */
function fill(
  harness: Harness,
  file: string,
  entries: readonly Entry[],
  base: Base,
  known: Written | undefined,
): Change {
  const before = read(file, base);
  if (before !== undefined && known && holds(harness, before, entries))
    return { harness, file, before, after: before, written: known };
  return filled(
    harness,
    { file, before, left: pristine(harness, file, before, base, known) },
    entries,
    base,
    known,
  );
}

/** A file with these entries, put into what is left of it without others of ours. */
export function filled(
  harness: Harness,
  { file, before, left }: { file: string; before: string | undefined; left: string | undefined },
  entries: readonly Entry[],
  base: Base,
  known: Written | undefined,
): Change {
  const { shape } = harness.settings;
  const edited = add(harness, left ?? "", entries);
  if (left !== undefined && (shape.kind === "script" || shape.kind === "plugin"))
    throw new UsageError(
      `${shown(file, base)} is there, and is not Belay's`,
      shape.kind === "script" && base.scope === "project"
        ? `move it away, or: ${BELAY} install ${harness.name} --user`
        : "move it away",
    );
  const { scope, project } = base;
  const written: Written = {
    agent: harness.name,
    scope,
    ...(scope === "project" && { project }),
    hash: sha256(edited.text),
    pieces: edited.pieces,
    made: edited.made,
    created: left === undefined,
    folders: known?.folders ?? missingFolders(file),
  };
  const mode = shape.kind === "script" ? { mode: 0o755 } : {};
  return { harness, file, before, after: edited.text, written, ...mode };
}

function missingFolders(file: string): string[] {
  const folder = dirname(file);
  return statOf(folder) || folder === dirname(folder) ? [] : [folder, ...missingFolders(folder)];
}

/** True if exactly these entries of ours stand in the text, others' beside them or not. */
function holds(harness: Harness, text: string, entries: readonly Entry[]): boolean {
  const { shape } = harness.settings;
  if (shape.kind !== "json" && shape.kind !== "toml") return add(harness, "", entries).text === text;
  const ours = found(harness, "", text).filter(({ command }) => relayIn(command)?.agent === harness.name);
  const keys = (all: readonly (Entry & Pick<Partial<Found>, "matcher">)[]) =>
    JSON.stringify(
      all.map(({ native, fields, matcher }) => JSON.stringify([native, fields, matcher])).sort(),
    );
  return keys(ours) === keys(entries);
}

/** The text without entries of ours; undefined if there is no such file, or if install has made it and nobody edited it. */
export function pristine(
  harness: Harness,
  file: string,
  text: string | undefined,
  base: Base,
  known: Written | undefined,
): string | undefined {
  if (text === undefined) return undefined;
  if (known?.hash === sha256(text)) return known.created ? undefined : without(text, known.pieces);
  const unfit = unfitFor(harness, text);
  if (unfit)
    throw new UsageError(
      `${shown(file, base)}:${unfit.line}: ${unfit.detail}; nothing was changed`,
      `mend that line, then: ${BELAY} install ${harness.name}`,
    );
  const { shape } = harness.settings;
  const isOurs = (command: string) => relayIn(command)?.agent === harness.name;
  if (shape.kind === "json") return takeFromJson(text, shape, isOurs, known?.made);
  return shape.kind === "toml" ? takeFromToml(text) : text;
}

/** Why entries cannot stand in a file of a harness, if they cannot. */
export function unfitFor({ settings: { shape, plainJson } }: Harness, text: string): Unfit | undefined {
  if (shape.kind === "toml") return unfitToml(text);
  if (shape.kind !== "json") return undefined;
  try {
    return unfitJson(text, plainJson === true);
  } catch (error) {
    // The parser descends once per level.
    if (error instanceof RangeError) return { detail: "it is nested too deeply", line: 1 };
    throw error;
  }
}

function add(harness: Harness, text: string, entries: readonly Entry[]): Edited {
  const { shape } = harness.settings;
  if (shape.kind === "json") return addToJson(text, shape, entries);
  if (shape.kind === "toml") return addToToml(text, entries);
  const own = shape.kind === "script" ? scriptText(harness, entries) : pluginText(harness, shape, entries);
  return { text: own, pieces: [{ at: 0, length: own.length }], made: [] };
}

/** Every entry of a file of a harness. */
export function found(harness: Harness, file: string, text: string): Found[] {
  const { shape } = harness.settings;
  if (shape.kind === "json") return foundInJson(text, shape);
  if (shape.kind === "toml") return foundInToml(text);
  return foundInOwn(harness, file, text);
}

/** The text of a file, undefined if there is none. Throws a UsageError for one that cannot be edited. */
export function read(file: string, base: Base): string | undefined {
  const name = shown(file, base);
  try {
    const target = targetOf(file);
    const stat = statOf(target);
    if (stat === undefined && target === file) return undefined;
    if (stat === undefined)
      throw new UsageError(`${name} is a link to what is not there`, "move it away, then install again");
    if (!stat.isFile()) throw new UsageError(`${name} is no plain file`, "move it away, then install again");
    const text = readText(target);
    if (!text.includes("\uFFFD")) return text;
    throw new UsageError(`${name} is not UTF-8; nothing was changed`, "save it as UTF-8, then install again");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${name} cannot be read: ${messageOf(error)}`, "make it readable");
  }
}

export function shown(file: string, { project }: Base): string {
  return oneLine(shownPath(file, project));
}
