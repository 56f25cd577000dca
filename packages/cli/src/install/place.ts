import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { shellWord } from "@belay/core/internal";
import { belayFolder } from "@belay/engine/internal";
import type { Harness } from "@belay/harness";

/** What entries call: the script that `placeRelay` writes. Its path stays the same from version to version. */
export function relayFile(home: string): string {
  return join(belayFolder(home), "bin", process.platform === "win32" ? "belay-hook.cmd" : "belay-hook");
}

/** Beside the script: first the Node and then the Belay that it starts, a line each. */
export function pathsFile(home: string): string {
  return join(belayFolder(home), "bin", "belay-hook.paths");
}

/** Where hooks are installed: for one project, or for all that a user does. */
export type Scope = "project" | "user";

export interface Base {
  readonly scope: Scope;
  readonly project: string;
  readonly home: string;
}

const EVENT = "<event>";

/** The file of a harness in which entries stand, with `<event>` where each event has one; absent if it has none there. */
export function settingsFile({ settings }: Harness, { scope, project, home }: Base): string | undefined {
  if (scope === "project") return settings.project && join(project, settings.project);
  return userPath(settings, settings.user, home);
}

function userPath({ moved }: Harness["settings"], path: string, home: string): string {
  const folder = moved && process.env[moved.by];
  if (moved && folder && path.startsWith(`${moved.folder}/`))
    return join(folder, path.slice(moved.folder.length + 1));
  return join(home, path.slice(2));
}

/** The file that takes the place of the hooks in the file of a harness, if it has such a one. */
export function insteadFile({ settings }: Harness, { scope, project, home }: Base): string | undefined {
  const { insteadOf } = settings;
  if (insteadOf === undefined) return undefined;
  return scope === "project" ? join(project, insteadOf) : userPath(settings, `~/${insteadOf}`, home);
}

/** True if a harness would not look for its project's file there. */
export function lacksGit({ settings }: Harness, { scope, project }: Base): boolean {
  return scope === "project" && settings.needsGit === true && !isInGit(project);
}

function isInGit(folder: string): boolean {
  return existsSync(join(folder, ".git")) || (dirname(folder) !== folder && isInGit(dirname(folder)));
}

export function fileFor(file: string, native: string): string {
  return file.replace(EVENT, native);
}

export function isPerEvent(file: string): boolean {
  return file.includes(EVENT);
}

/** The command of an entry. Its text stays the same from version to version: some harnesses forget their trust otherwise. */
export function commandFor({ name }: Harness, native: string, home: string): string {
  const relay = relayFile(home);
  const word = process.platform === "win32" ? `"${relay}"` : shellWord(relay);
  return `${word} ${name} ${native}`;
}

/** True if a shell is known to read the command of an entry. */
export function isInShell({ settings: { shape, perhapsNoShell } }: Harness): boolean {
  const isCommand = shape.kind === "json" || shape.kind === "toml";
  return process.platform !== "win32" && isCommand && !perhapsNoShell;
}

const RELAY = /^(["']?)(.*[\\/]\.belay[\\/]bin[\\/]belay-hook(?:\.cmd)?)\1 ([\w-]+)(?: |$)/;

/** What an entry of ours calls, whoever's home it names; undefined for others' entries. */
export function relayIn(command: string): { relay: string; agent: string } | undefined {
  const [, quote, written, agent] = RELAY.exec(command) ?? [];
  if (written === undefined || agent === undefined) return undefined;
  return { relay: quote === "'" ? written.replaceAll("'\\''", "'") : written, agent };
}
