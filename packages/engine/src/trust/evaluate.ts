import { type DialectName, type EventName, type Hook, isEventName, ruleFor } from "@belay/core";
import { identityFields } from "@belay/core/internal";
import type { Folders } from "../environment.ts";
import { entryOf, entryPrint, type Fingerprint, fingerprint, openMemo } from "./fingerprint.ts";
import { fromProject, needsTrust, readTrust, type Trusted, trustState, versionBefore } from "./store.ts";

/** A hook of the project that does not run for lack of trust. */
export interface Untrusted {
  readonly state: "untrusted";
  readonly hook: Hook;
  /** The hook's print, or the part of the print that was looked at. */
  readonly print: string;
  /** The user trusted the hook once, and it was edited since. */
  readonly isEdited: boolean;
  /** Why the hook cannot be trusted as it is. */
  readonly refusal?: string;
}

/** What trust makes of one hook. */
export type HookTrust =
  /** The fingerprint is the trusted one; absent for a hook that needs no trust. */
  | { readonly state: "runs"; readonly fingerprint?: Fingerprint }
  /**
   * A guard that was edited since it was trusted, or any guard while the store cannot be read. It refuses without being
   * run, `as` a hook with the terms that the user trusted.
   */
  | { readonly state: "refuses"; readonly as: Hook }
  | Untrusted;

/** The trust in a project's hooks at one moment. The store is read once, the files of each hook at most once. */
export interface ProjectTrust {
  /** Reads the files of the hook only if its entry was trusted once. Never throws. */
  of(hook: Hook): HookTrust;
  /** True if the hook needs no trust, or its entry was trusted once. Reads no file. */
  isKnown(hook: Hook): boolean;
  /**
   * Guards that the edit of their event, matcher or switch keeps from matching the event. The user relies on them, so each
   * refuses, as the hook that stands in the map.
   */
  turnedAway(event: EventName, matched: readonly Hook[]): ReadonlyMap<Hook, Hook>;
  /** Why the store cannot be read. */
  readonly problem?: string;
}

const RUNS: HookTrust = { state: "runs" };

/** Reads the trust in all hooks of a project. Reads no file if none of them needs trust. */
export function readProjectTrust(all: readonly Hook[], folders: Folders): ProjectTrust {
  const needing = all.filter(needsTrust);
  if (needing.length === 0) return { of: () => RUNS, isKnown: () => true, turnedAway: () => new Map() };
  const read = readTrust(folders.project, folders.home);
  const present = new Set(needing.map(entryPrint));
  const trustedEntries = new Set(read.trusted.map(({ print }) => entryOf(print)));
  const memo = openMemo();
  const states = new Map<Hook, HookTrust>();
  const isKnown = (hook: Hook) => !needsTrust(hook) || trustedEntries.has(entryPrint(hook));

  function evaluate(hook: Hook): HookTrust {
    const taken = isKnown(hook) ? fingerprint(hook, folders, memo) : undefined;
    const entry = entryAt(hook, taken?.print ?? entryPrint(hook), folders.project);
    const state = trustState(entry, read, present);
    if (state === "trusted" && taken) return { state: "runs", fingerprint: taken };
    const was = state === "changed" ? versionBefore(entry, read.trusted, present) : undefined;
    if (isGuard(hook) && (was || read.problem !== undefined)) return { state: "refuses", as: hook };
    if (was && wasGuard(was)) return { state: "refuses", as: asGuard(hook, hook.event) };
    const untrusted: Untrusted = {
      state: "untrusted",
      hook,
      print: entry.print,
      isEdited: was !== undefined,
    };
    return taken?.refusal === undefined ? untrusted : { ...untrusted, refusal: taken.refusal };
  }

  return {
    of: (hook) => {
      if (!needsTrust(hook)) return RUNS;
      const known = states.get(hook) ?? evaluate(hook);
      states.set(hook, known);
      return known;
    },
    isKnown,
    turnedAway: (event, matched) => {
      const isMatched = new Set(matched);
      const away = needing.filter((hook) => {
        if (isMatched.has(hook) || isKnown(hook)) return false;
        const entry = entryAt(hook, entryPrint(hook), folders.project);
        const was = versionBefore(entry, read.trusted, present);
        if (was?.fields.event !== event || !wasGuard(was)) return false;
        const matcher = hook.matcher.kind === "all" ? undefined : hook.matcher.source;
        return hook.event !== event || !hook.enabled || was.fields.matcher !== matcher;
      });
      return new Map(away.map((hook) => [hook, asGuard(hook, event)]));
    },
    ...(read.problem !== undefined && { problem: read.problem }),
  };
}

/** The hooks that may run as they are now. */
export function trustedHooks(hooks: readonly Hook[], folders: Folders): Hook[] {
  const trust = readProjectTrust(hooks, folders);
  return hooks.filter((hook) => trust.of(hook).state === "runs");
}

/** The hook with the terms of a guard, at an event. */
function asGuard(hook: Hook, event: EventName): Hook {
  return { ...hook, event, onFailure: "block", mode: "enforce" };
}

function wasGuard({ fields }: Trusted): boolean {
  const { event, dialect, onFailure, mode = "enforce" } = fields;
  if (onFailure !== "block" || mode !== "enforce") return false;
  return (
    typeof event === "string" &&
    isEventName(event) &&
    ruleFor(event, dialect as DialectName).refusal !== undefined
  );
}

/** A hook as the store keeps it. */
export function asTrusted(hook: Hook, { print, scripts }: Fingerprint, project: string): Trusted {
  return { ...entryAt(hook, print, project), scripts };
}

function entryAt(hook: Hook, print: string, project: string): Omit<Trusted, "scripts"> {
  const { event, matcher, sequential, identity, source } = hook;
  return {
    print,
    file: fromProject(source.file, project),
    place: source.path,
    fields: {
      event,
      ...(matcher.kind !== "all" && { matcher: matcher.source }),
      ...(sequential && { sequential }),
      ...identityFields(identity),
    },
  };
}

/** Without this an edit, or a file of the right name, would switch off a guard that the user relies on. */
function isGuard({ onFailure, mode, event, dialect }: Hook): boolean {
  return onFailure === "block" && mode === "enforce" && ruleFor(event, dialect).refusal !== undefined;
}

/** Why these do not run, in words. */
export function whyNotRun(untrusted: readonly Untrusted[]): string {
  const edited = untrusted.filter(({ isEdited }) => isEdited).length;
  if (untrusted.length === 1)
    return edited === 1 ? "it was edited since you trusted it" : "it is not trusted";
  if (edited === 0) return "they are not trusted";
  if (edited === untrusted.length) return "they were edited since you trusted them";
  return `they are not trusted, ${edited} of them edited since`;
}
