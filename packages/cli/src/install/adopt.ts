import { join } from "node:path";
import { type EventName, isEventName, readConfig } from "@belay/core";
import { isObject, messageOf, plural } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { belayFolder, readText, sha256, writeWholeSync } from "@belay/engine/internal";
import type { Harness } from "@belay/harness";
import { parse } from "jsonc-parser";
import { BELAY } from "../args/flags.ts";
import { SETTINGS } from "../hooks/first-hook.ts";
import type { Configured } from "./events.ts";
import { addItems, takeFromJson } from "./json-file.ts";
import { type Base, relayIn, settingsFile } from "./place.ts";
import { type Change, entriesFor, filled, pristine, read, shown } from "./plan.ts";
import type { Installed, Written } from "./state.ts";

/** What adopting changes: our settings first, then the agent's. */
export interface Adoption {
  readonly changes: readonly Change[];
  readonly moved: number;
  /** Hooks that stay, because the agent alone runs them. */
  readonly stays: number;
  readonly target: string;
  /** Where each moved group stands in our settings: hooks.Event[2]. */
  readonly places: readonly string[];
  readonly record: Adopted;
}

/** What it takes to go back. */
export interface Adopted {
  readonly agent: string;
  readonly target: string;
  /** The agent's file as it was, and without its hooks. */
  readonly before: string;
  readonly left: string;
  readonly written?: Written;
  /** Our settings as they were; absent if there were none. And SHA-256 of them with the hooks. */
  readonly targetBefore?: string;
  readonly targetHash: string;
}

type Group = Readonly<Record<string, unknown>> & { readonly hooks: readonly unknown[] };

/** Plans to move the commands in an agent's file into our settings. Throws a UsageError where they would mean something else there. */
export function planAdoption(
  harness: Harness,
  base: Base,
  configured: Configured,
  installed: Installed,
): Adoption {
  const { title, settingsDialect: dialect, settings } = harness;
  const { shape } = settings;
  const file = settingsFile(harness, base);
  if (dialect === undefined || shape.kind !== "json" || file === undefined)
    throw new UsageError(
      `hooks of ${title} are written for its own tools and payloads, and would see others in Belay`,
      "write them anew in .belay/settings.json",
    );
  const before = read(file, base);
  const left = pristine(harness, file, before, base, installed[file]);
  const { groups, stays } = sorted(left ?? "");
  if (before === undefined || left === undefined || groups.length === 0)
    throw new UsageError(
      `${shown(file, base)} has no command hooks of its own`,
      `next: ${BELAY} install ${harness.name}`,
    );
  const target = join(belayFolder(base.scope === "user" ? base.home : base.project), "settings.json");
  const targetBefore = read(target, base);
  const filledTarget = into(target, targetBefore, dialect, groups, base);
  const without = takeFromJson(left, shape, (command, fields) => isMovable(command, fields), undefined);
  const events = [...new Set([...configured.events, ...groups.map(([event]) => event)])];
  const guarded = groups.filter(([, { hooks }]) => hooks.some(isGuard)).map(([event]) => event);
  const entries = entriesFor(harness, { base, events, closed: [...configured.guarded, ...guarded] });
  const record: Adopted = {
    agent: harness.name,
    target,
    before,
    ...(installed[file] && { written: installed[file] }),
    left: without,
    ...(targetBefore !== undefined && { targetBefore }),
    targetHash: sha256(filledTarget.text),
  };
  const agentChange = filled(harness, { file, before, left: without }, entries, base, installed[file]);
  return {
    changes: [
      { harness, file: target, before: targetBefore, after: filledTarget.text, written: undefined },
      agentChange,
    ],
    moved: groups.flatMap(([, { hooks }]) => hooks).length,
    stays,
    target,
    places: filledTarget.places,
    record,
  };
}

function isMovable(command: string, fields: unknown): boolean {
  return isObject(fields) && fields.type === "command" && command !== "" && relayIn(command) === undefined;
}

/** The groups of a file with the commands that can be moved, and how many hooks stay. */
function sorted(text: string): { groups: (readonly [EventName, Group])[]; stays: number } {
  const whole: unknown = parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true });
  const events = isObject(whole) && isObject(whole.hooks) ? Object.entries(whole.hooks) : [];
  const all = events.flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).filter(isGroup).map((group) => [event, group] as const),
  );
  const groups = all.flatMap(([event, group]) => {
    const hooks = group.hooks.filter((fields) =>
      isMovable(isObject(fields) ? String(fields.command ?? "") : "", fields),
    );
    return isEventName(event) && hooks.length > 0 ? [[event, { ...group, hooks }] as const] : [];
  });
  const count = (some: readonly (readonly [string, Group])[]) =>
    some.flatMap(([, { hooks }]) => hooks).length;
  return { groups, stays: count(all) - count(groups) };
}

function isGuard(fields: unknown): boolean {
  return isObject(fields) && fields.onFailure === "block";
}

function isGroup(group: unknown): group is Group {
  return isObject(group) && Array.isArray(group.hooks);
}

/** Our settings with the groups behind those that are there. Each of their hooks has to be sound there. */
function into(
  file: string,
  text: string | undefined,
  dialect: NonNullable<Harness["settingsDialect"]>,
  groups: readonly (readonly [EventName, Group])[],
  base: Base,
): { text: string; places: string[] } {
  const name = shown(file, base);
  const was = readConfig({ file, layer: "project", text: text ?? "{}" });
  if (was.broken) throw new UsageError(`${name} cannot be read; nothing was changed`, `next: ${BELAY} check`);
  if (was.hooks.length > 0 && was.dialect !== dialect)
    throw new UsageError(
      `${name} is read by the dialect ${was.dialect}, and these hooks are written for ${dialect}; nothing was changed`,
      `say "dialect": ${JSON.stringify(dialect)} in ${SETTINGS.file} if its own hooks mean the same by it`,
    );
  const edited = addItems(text ?? "", { dialect }, groups);
  const now = readConfig({ file, layer: "project", text: edited.text });
  const bad = now.problems.filter(({ severity }) => severity === "error");
  const moved = groups.flatMap(([, { hooks }]) => hooks).length;
  if (now.dialect !== dialect || now.hooks.length !== was.hooks.length + moved)
    throw new UsageError(
      `these hooks would not run in Belay: ${bad.map(({ message }) => message).join("; ") || "they are not read"}`,
      "mend them first",
    );
  const places = now.hooks.flatMap(({ source: { path } }) => {
    const [place = ""] = /^hooks\.\w+\[\d+\]/.exec(path) ?? [];
    return was.hooks.some(({ source }) => source.path.startsWith(`${place}.`)) ? [] : [place];
  });
  return { text: edited.text, places: [...new Set(places)] };
}

/** Plans to put everything back as it was before the hooks were adopted. */
export function planReturn(harness: Harness, base: Base, installed: Installed): Change[] {
  const file = settingsFile(harness, base) ?? "";
  const record = readAdopted(base.home)[file];
  if (record === undefined)
    throw new UsageError(`nothing was adopted from ${harness.title} here`, `next: ${BELAY} doctor`);
  const before = read(file, base);
  const target = read(record.target, base);
  const isSame = pristine(harness, file, before, base, installed[file]) === record.left;
  if (!isSame || target === undefined || sha256(target) !== record.targetHash)
    throw new UsageError(
      `${shown(file, base)} or ${shown(record.target, base)} was edited since; nothing was changed`,
      "move the hooks back by hand",
    );
  return [
    { harness, file, before, after: record.before, written: record.written },
    { harness, file: record.target, before: target, after: record.targetBefore, written: undefined },
  ];
}

function adoptedFile(home: string): string {
  return join(belayFolder(home), "adopted.json");
}

export function readAdopted(home: string): Readonly<Record<string, Adopted>> {
  try {
    const read: unknown = JSON.parse(readText(adoptedFile(home), { max: 32 * 1024 * 1024 }));
    return isObject(read) ? (read as Record<string, Adopted>) : {};
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new UsageError(`${adoptedFile(home)} cannot be read: ${messageOf(error)}`, "move it away");
  }
}

/** It holds settings of the user's, so nobody else may read it. */
export function writeAdopted(home: string, file: string, record: Adopted | undefined): void {
  const { [file]: _, ...others } = readAdopted(home);
  const all = record ? { ...others, [file]: record } : others;
  writeWholeSync(adoptedFile(home), `${JSON.stringify(all, null, 2)}\n`, 0o600);
}

export function said({ moved, stays }: Adoption): string {
  const rest = stays === 0 ? "" : `; ${plural(stays, "hook")} that the agent alone runs: left there`;
  return `${plural(moved, "hook")}: into Belay's settings, the relay in their place${rest}.`;
}
