import { type Hook, identityFields, ruleFor } from "@belay/core";
import type { Folders } from "../environment.ts";
import { entryOf, entryPrint, type Fingerprint, fingerprint } from "./fingerprint.ts";
import { fromProject, needsTrust, readTrust, type Trusted, trustState } from "./store.ts";

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

/** What trust makes of hooks: each of them is in exactly one of the three. */
export interface Evaluation {
  /** With the fingerprint that was trusted; without one for a hook that needs no trust. */
  readonly runs: ReadonlyMap<Hook, Fingerprint | undefined>;
  /** Guards that were edited since they were trusted, and all guards while the store cannot be read. They do not run, and refuse. */
  readonly refusing: ReadonlySet<Hook>;
  /** They do not run. */
  readonly untrusted: readonly Untrusted[];
  /** Why the store cannot be read. */
  readonly problem?: string;
}

/**
 * Says of each hook whether it may run as it is now. Reads the files only of entries that were trusted once. `all` are the
 * hooks of the project, by which an entry that took the place of another is told from a new one.
 */
export function evaluateTrust(
  hooks: readonly Hook[],
  folders: Folders,
  all: readonly Hook[] = hooks,
): Evaluation {
  const runs = new Map<Hook, Fingerprint | undefined>();
  const refusing = new Set<Hook>();
  const untrusted: Untrusted[] = [];
  if (!hooks.some(needsTrust))
    return { runs: new Map(hooks.map((hook) => [hook, undefined])), refusing, untrusted };
  const read = readTrust(folders.project, folders.home);
  const present = new Set(all.filter(needsTrust).map(entryPrint));
  const known = new Set(read.trusted.map(({ print }) => entryOf(print)));
  for (const hook of hooks) {
    if (!needsTrust(hook)) {
      runs.set(hook, undefined);
      continue;
    }
    const taken = known.has(entryPrint(hook)) ? fingerprint(hook, folders) : undefined;
    const print = taken?.print ?? entryPrint(hook);
    const state = trustState(entryAt(hook, print, folders.project), read, present);
    if (state === "trusted") runs.set(hook, taken);
    else if (isGuard(hook) && (state === "changed" || read.problem !== undefined)) refusing.add(hook);
    else
      untrusted.push({
        hook,
        print,
        isEdited: state === "changed",
        ...(taken?.refusal !== undefined && { refusal: taken.refusal }),
      });
  }
  return { runs, refusing, untrusted, ...(read.problem !== undefined && { problem: read.problem }) };
}

/** The hooks that need no trust, and those whose entry was trusted once. Reads no file but the store. */
export function onceTrusted(hooks: readonly Hook[], { project, home }: Folders): Hook[] {
  const known = new Set(readTrust(project, home).trusted.map(({ print }) => entryOf(print)));
  return hooks.filter((hook) => !needsTrust(hook) || known.has(entryPrint(hook)));
}

/** True while a hook that was trusted is the same, and was not touched meanwhile. */
export function isUnchanged(hook: Hook, before: Fingerprint | undefined, folders: Folders): boolean {
  if (before === undefined) return true;
  const { print, stamp } = fingerprint(hook, folders);
  return print === before.print && stamp === before.stamp;
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
