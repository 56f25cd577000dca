import { EVENT_NAMES, type EventName } from "@belay/core";
import { eventRow } from "@belay/core/internal";
import { nativeName } from "./emulate.ts";
import type { Harness } from "./harness.ts";

/** Where hooks of a harness stand, and what an entry of ours looks like there. */
export interface Settings {
  /** What is typed to start the harness. */
  readonly program: string;
  /**
   * The file for a project, below its folder; absent where the harness has none. `<event>` is its own name of an event, where
   * an event has a file of its own.
   */
  readonly project?: string;
  /** The file for a user, from `~` on. */
  readonly user: string;
  /** A variable that names another place for the folder that `user` begins with. */
  readonly moved?: { readonly folder: string; readonly by: string };
  readonly shape: Shape;
  /** How long the harness waits for our entry: written into the entry where its shape has a place for it, else measured. */
  readonly limitMs: number;
  /** Names under which entries of ours stand, where the harness has several for one event. */
  readonly names?: Readonly<Partial<Record<EventName, string>>>;
  /** A file, below the same folder, that takes the place of the hooks in the project's or the user's file. */
  readonly insteadOf?: string;
  /** A comment or a comma too many takes all the hooks of the file. */
  readonly plainJson?: true;
  /** Nobody has measured whether a shell reads the command of an entry. */
  readonly perhapsNoShell?: true;
  /** It reads the project's file in a git repository alone. */
  readonly needsGit?: true;
  /** What a user has to do in the harness itself before it runs an entry. */
  readonly trust?: string;
}

export type Shape = JsonShape | TomlShape | ScriptShape | PluginShape;

/** Entries below `hooks` and the name of their event. */
export interface JsonShape {
  readonly kind: "json";
  /** Entries stand in groups: `{ "hooks": [entry] }`. A group without a matcher is for all tools. */
  readonly grouped: boolean;
  /** The version that the file has to say. */
  readonly version?: 1;
  /** The field for the command. */
  readonly command: "command" | "bash";
  /** The field for the time limit, and how many milliseconds its unit has. */
  readonly limit: { readonly field: "timeout" | "timeoutSec"; readonly ms: 1 | 1000 };
}

/** A `[[hooks]]` table for each entry. */
export interface TomlShape {
  readonly kind: "toml";
  readonly limit: { readonly field: "timeout"; readonly ms: 1000 };
}

/** A program for each event, named after it. */
export interface ScriptShape {
  readonly kind: "script";
}

/**
 * One file of code that calls the relay: `ask(event, payload)` gives the fields that the event's `plugin` names, `textOf` a
 * text of any value, `replace` a new content of an object.
 */
export interface PluginShape {
  readonly kind: "plugin";
  readonly before: string;
  /** By the harness's own name of the event. */
  readonly handlers: Readonly<Record<string, string>>;
  readonly after: string;
}

/** As Claude Code and those that follow it write them, with limits in seconds. */
export const GROUPS: JsonShape = {
  kind: "json",
  grouped: true,
  command: "command",
  limit: { field: "timeout", ms: 1000 },
};

/** The same with limits in milliseconds. */
export const GROUPS_MS: JsonShape = { ...GROUPS, limit: { field: "timeout", ms: 1 } };

/** Long enough for a person to answer a question. */
export const LONG_MS = 600_000;

/** The harness's name of an event under which an entry of ours stands; absent where it has no such event. */
export function entryEvent(harness: Harness, event: EventName): string | undefined {
  return harness.settings.names?.[event] ?? nativeName(harness, event);
}

/** Our events that can be installed in a harness. */
export function installable(harness: Harness): readonly EventName[] {
  return EVENT_NAMES.filter((event) => entryEvent(harness, event) !== undefined);
}

/** True if an entry says its time limit: where a hook can refuse. Elsewhere the harness's own limit holds. */
export function saysLimit(event: EventName): boolean {
  return eventRow(event).exit2 !== "notice";
}

/** What an entry says so that a hook of ours that fails refuses, in the harnesses that have such a setting. */
export function closedEntry({ reads }: Harness): Readonly<Record<string, unknown>> | undefined {
  if (reads?.failClosed === undefined) return undefined;
  return { [reads.failClosed]: reads.failClosed === "onFailure" ? "block" : true };
}
