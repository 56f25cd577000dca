import { type DialectName, type EventName, type Hook, isEventName, ruleFor } from "@belay/core";
import { identityFields } from "@belay/core/internal";
import type { Folders } from "../environment.ts";
import { entryOf, entryPrint, type Fingerprint, fingerprint, openMemo } from "./fingerprint.ts";
import { fromProject, needsTrust, readTrust, type Trusted, trustState, versionBefore } from "./store.ts";

/** A hook of the project that does not run for lack of trust. */
export interface Untrusted {
  readonly hook: Hook;
  /** Its print, or the part of it that was looked at. */
  readonly print: string;
  /** The user trusted it once, and it was edited since. */
  readonly isEdited: boolean;
  /** Why it cannot be trusted as it is. */
  readonly refusal?: string;
}

/** What trust makes of hooks. */
export interface Evaluation {
  /** With the fingerprint that was trusted; without one for a hook that needs no trust. */
  readonly runs: ReadonlyMap<Hook, Fingerprint | undefined>;
  /**
   * Guards that do not run, and refuse: those that were edited since they were trusted, and all of them while the store
   * cannot be read. Each with the terms by which it refuses, which are those that the user trusted.
   */
  readonly refusing: ReadonlyMap<Hook, Hook>;
  /** They do not run. */
  readonly untrusted: readonly Untrusted[];
  /** Why the store cannot be read. */
  readonly problem?: string;
}

/** The event at which trust is asked for. */
interface Asked {
  readonly event: EventName;
  /** All hooks of the project: those of an edited entry may not match any more. */
  readonly all: readonly Hook[];
}

/** Says of each hook whether it may run as it is now. Reads the files only of entries that were trusted once. */
export function evaluateTrust(hooks: readonly Hook[], folders: Folders, asked?: Asked): Evaluation {
  const runs = new Map<Hook, Fingerprint | undefined>();
  const refusing = new Map<Hook, Hook>();
  const untrusted: Untrusted[] = [];
  const all = asked?.all ?? hooks;
  if (!all.some(needsTrust))
    return { runs: new Map(hooks.map((hook) => [hook, undefined])), refusing, untrusted };
  const read = readTrust(folders.project, folders.home);
  const present = new Set(all.filter(needsTrust).map(entryPrint));
  const known = new Set(read.trusted.map(({ print }) => entryOf(print)));
  const memo = openMemo();
  for (const hook of hooks) {
    if (!needsTrust(hook)) {
      runs.set(hook, undefined);
      continue;
    }
    const taken = known.has(entryPrint(hook)) ? fingerprint(hook, folders, memo) : undefined;
    const entry = entryAt(hook, taken?.print ?? entryPrint(hook), folders.project);
    const state = trustState(entry, read, present);
    const was = state === "changed" ? versionBefore(entry, read.trusted, present) : undefined;
    if (state === "trusted") runs.set(hook, taken);
    else if (isGuard(hook) && (was || read.problem !== undefined)) refusing.set(hook, hook);
    else if (was && wasGuard(was)) refusing.set(hook, asGuard(hook, hook.event));
    else
      untrusted.push({
        hook,
        print: entry.print,
        isEdited: was !== undefined,
        ...(taken?.refusal !== undefined && { refusal: taken.refusal }),
      });
  }
  if (asked)
    for (const hook of guardsTurnedAway(asked, hooks, (one) => {
      const entry = entryAt(one, entryPrint(one), folders.project);
      return known.has(entryPrint(one)) ? undefined : versionBefore(entry, read.trusted, present);
    }))
      refusing.set(hook, asGuard(hook, asked.event));
  return { runs, refusing, untrusted, ...(read.problem !== undefined && { problem: read.problem }) };
}

/** Guards whose edited entry does not match the event any more, because its event, its matcher or its switch was edited. */
function guardsTurnedAway(
  { event, all }: Asked,
  matched: readonly Hook[],
  before: (hook: Hook) => Trusted | undefined,
): Hook[] {
  const isMatched = new Set(matched);
  return all.filter((hook) => {
    if (!needsTrust(hook) || isMatched.has(hook)) return false;
    const was = before(hook);
    if (was?.fields.event !== event || !wasGuard(was)) return false;
    const matcher = hook.matcher.kind === "all" ? undefined : hook.matcher.source;
    return hook.event !== event || !hook.enabled || was.fields.matcher !== matcher;
  });
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

/** The hooks that need no trust, and those whose entry was trusted once. Reads no file but the store. */
export function onceTrusted(hooks: readonly Hook[], { project, home }: Folders): Hook[] {
  const known = new Set(readTrust(project, home).trusted.map(({ print }) => entryOf(print)));
  return hooks.filter((hook) => !needsTrust(hook) || known.has(entryPrint(hook)));
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
