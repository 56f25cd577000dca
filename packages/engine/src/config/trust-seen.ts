import { relative, sep } from "node:path";
import { type Hook, identityFields, isObject } from "@belay/core";
import type { Folders } from "../environment.ts";
import { contentOf } from "../file-content.ts";
import { sha256 } from "../ids.ts";
import { filesOf } from "./named-files.ts";

/** What the user saw of something when they trusted it: to say later what has changed since. */
export interface Seen {
  /** The file it stands in, from the project's folder. */
  readonly file: string;
  /** Where in the file. */
  readonly place: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** SHA-256 of each script that it names. */
  readonly scripts: Readonly<Record<string, string>>;
}

/** Everything of a hook that its print is made of. */
export function seenHook(hook: Hook, folders: Folders): Seen {
  const { event, matcher, sequential, identity, source } = hook;
  return {
    file: fromProject(source.file, folders.project),
    place: source.path,
    fields: {
      event,
      ...(matcher.kind !== "all" && { matcher: matcher.source }),
      ...(sequential && { sequential }),
      ...identityFields(identity),
    },
    scripts: Object.fromEntries(filesOf(hook, folders).map((file) => [file, hashOf(file)])),
  };
}

export function fromProject(file: string, project: string): string {
  return relative(project, file).split(sep).join("/");
}

function hashOf(file: string): string {
  return sha256().update(contentOf(file)).digest("hex");
}

/** One field that is not what it was. */
export interface FieldChange {
  readonly field: string;
  readonly was: unknown;
  readonly now: unknown;
}

export function fieldChanges(was: Seen, now: Seen): FieldChange[] {
  const names = new Set([...Object.keys(was.fields), ...Object.keys(now.fields)]);
  return [...names]
    .map((field) => ({ field, was: was.fields[field], now: now.fields[field] }))
    .filter((change) => !isSame(change.was, change.now));
}

/**
 * For each that is new, the one it has taken the place of: the most alike of those of its file that are gone. Nobody
 * takes the place of two, and what has nothing of another in it takes no place.
 */
export function predecessors(fresh: readonly Seen[], gone: readonly Seen[]): Map<Seen, Seen> {
  const pairs = fresh
    .flatMap((now) => gone.filter((was) => isAkin(was, now)).map((was) => ({ was, now })))
    .map((pair, index) => ({ ...pair, index, likeness: likeness(pair.was, pair.now) }))
    // The newest of those that are alike.
    .sort((a, b) => b.likeness - a.likeness || b.index - a.index);
  const found = new Map<Seen, Seen>();
  const taken = new Set<Seen>();
  for (const { was, now } of pairs) {
    if (found.has(now) || taken.has(was)) continue;
    found.set(now, was);
    taken.add(was);
  }
  return found;
}

/** Fields that make two entries the same thing, edited; a type or a time in common does not. */
const TELLING = ["event", "name", "command", "url", "module", "prompt"];

function isAkin(was: Seen, now: Seen): boolean {
  if (was.file !== now.file) return false;
  return TELLING.some((name) => was.fields[name] !== undefined && was.fields[name] === now.fields[name]);
}

/** What an entry was that hardly anything is left of but its event; undefined for one that was edited. */
export function replaced(was: Seen, now: Seen): Readonly<Record<string, unknown>> | undefined {
  const own = TELLING.filter((name) => name !== "event" && was.fields[name] !== undefined);
  if (own.some((name) => isSame(was.fields[name], now.fields[name]))) return undefined;
  const changes = fieldChanges(was, now).length;
  const same = Object.keys(now.fields).filter((name) => isSame(was.fields[name], now.fields[name])).length;
  return changes > same ? Object.fromEntries(own.map((name) => [name, was.fields[name]])) : undefined;
}

function likeness(was: Seen, now: Seen): number {
  const names = Object.keys(now.fields);
  const same = names.filter((name) => isSame(was.fields[name], now.fields[name])).length;
  return same + (was.place === now.place ? 0.5 : 0);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function isSeen(value: unknown): value is Seen {
  return (
    isObject(value) &&
    typeof value.file === "string" &&
    typeof value.place === "string" &&
    isObject(value.fields) &&
    isObject(value.scripts)
  );
}
