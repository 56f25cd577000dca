import { type EventName, type Hook, isEventName, ruleFor } from "@belay/core";
import { identityFields } from "@belay/core/internal";
import type { Folders } from "../environment.ts";
import { entryOf, entryPrint, type Fingerprint, fingerprint, openMemo } from "./fingerprint.ts";
import { fromProject, knownAs, needsTrust, readTrust, type Trusted, type TrustState } from "./store.ts";

/** What trust makes of one hook. */
export interface HookTrust {
  readonly hook: Hook;
  /** "needs none" and "trusted" run. */
  readonly state: "needs none" | TrustState;
  /** The hook's print; where the entry was not trusted as it is written now, the part of the entry alone. */
  readonly print: string;
  /** The whole fingerprint, where the entry was trusted as it is written now. */
  readonly taken?: Fingerprint;
  /** What the user trusted before the edit; of a hook that is "changed" only. */
  readonly was?: Trusted;
  /** The hook is a guard that refuses instead of running, on these terms, which are those that the user trusted. */
  readonly refusesAs?: Hook;
}

/** What trust makes of hooks. */
export interface Evaluation {
  /** Of any hook of the project. The files of a hook are read when it is first asked about. */
  of(hook: Hook): HookTrust;
  /** With the fingerprint that was trusted; without one for a hook that needs no trust. */
  readonly runs: ReadonlyMap<Hook, Fingerprint | undefined>;
  /**
   * Guards that refuse instead of running, each with its terms: guards that were edited since they were trusted, and all
   * guards while the store cannot be read.
   */
  readonly refusing: ReadonlyMap<Hook, Hook>;
  /** Hooks that neither run nor refuse. */
  readonly untrusted: readonly HookTrust[];
  /** Why the store cannot be read. */
  readonly problem?: string;
}

/** The event at which trust is asked for. */
interface Asked {
  readonly event: EventName;
  /** All hooks of the project: an edited entry may not match any more. */
  readonly all: readonly Hook[];
}

/** Says of each hook whether it may run as it is now. Reads the files only of entries that were trusted once. */
export function evaluateTrust(hooks: readonly Hook[], folders: Folders, asked?: Asked): Evaluation {
  const { of, problem, isKnown } = openTrust(asked?.all ?? hooks, folders);
  const runs = new Map<Hook, Fingerprint | undefined>();
  const refusing = new Map<Hook, Hook>();
  const untrusted: HookTrust[] = [];
  for (const hook of hooks) {
    const trust = of(hook);
    if (trust.state === "needs none" || trust.state === "trusted") runs.set(hook, trust.taken);
    else if (trust.refusesAs) refusing.set(hook, trust.refusesAs);
    else untrusted.push(trust);
  }
  if (asked) {
    const matched = new Set(hooks);
    for (const hook of asked.all) {
      if (matched.has(hook) || !needsTrust(hook) || isKnown(hook)) continue;
      const { was } = of(hook);
      if (was && isTakenAway(hook, was, asked.event)) refusing.set(hook, asGuard(hook, asked.event));
    }
  }
  return { of, runs, refusing, untrusted, ...(problem !== undefined && { problem }) };
}

/** Reads the store once, and says of each hook what trust makes of it. */
function openTrust(all: readonly Hook[], folders: Folders) {
  const { project, home } = folders;
  const own = all.filter(needsTrust);
  const { trusted, problem } = own.length > 0 ? readTrust(project, home) : { trusted: [] };
  const present = new Set(own.map(entryPrint));
  const gone = trusted.filter(({ print }) => !present.has(entryOf(print)));
  const known = new Set(trusted.map(({ print }) => entryOf(print)));
  const isKnown = (hook: Hook) => known.has(entryPrint(hook));
  const memo = openMemo();
  const look = (hook: Hook): HookTrust => {
    if (!needsTrust(hook)) return { hook, state: "needs none", print: "" };
    const taken = isKnown(hook) ? fingerprint(hook, folders, memo) : undefined;
    const print = taken?.print ?? entryPrint(hook);
    const { state, was } = knownAs(entryAt(hook, print, project), trusted, gone);
    const refuses =
      state !== "trusted" && (was ? isGuard(hook) || wasGuard(was) : isGuard(hook) && problem !== undefined);
    return {
      hook,
      state,
      print,
      ...(taken && { taken }),
      ...(was && { was }),
      ...(refuses && { refusesAs: asGuard(hook, hook.event) }),
    };
  };
  const looked = new Map<Hook, HookTrust>();
  const of = (hook: Hook): HookTrust => {
    const trust = looked.get(hook) ?? look(hook);
    looked.set(hook, trust);
    return trust;
  };
  return { of, problem, isKnown };
}

/** True for a guard that an edit of its event, its matcher or its switch keeps from an event that it was trusted for. */
function isTakenAway({ event, matcher, enabled }: Hook, was: Trusted, asked: EventName): boolean {
  if (was.fields.event !== asked || !wasGuard(was)) return false;
  const source = matcher.kind === "all" ? undefined : matcher.source;
  return event !== asked || !enabled || was.fields.matcher !== source;
}

/** The hook with the terms of a guard, at an event. */
function asGuard(hook: Hook, event: EventName): Hook {
  return { ...hook, event, onFailure: "block", mode: "enforce" };
}

/** Without guards that refuse, an edit would switch off a guard that the user relies on. */
function isGuard({
  event,
  dialect,
  onFailure,
  mode,
}: Pick<Hook, "event" | "dialect" | "onFailure" | "mode">) {
  if (onFailure !== "block" || mode !== "enforce" || !isEventName(event)) return false;
  return ruleFor(event, dialect).refusal !== undefined;
}

function wasGuard({ fields }: Trusted): boolean {
  return isGuard({ mode: "enforce", ...fields } as Hook);
}

/** The hooks that need no trust, and those whose entry was trusted once. Reads no file but the store. */
export function onceTrusted(hooks: readonly Hook[], folders: Folders): Hook[] {
  const { isKnown } = openTrust(hooks, folders);
  return hooks.filter((hook) => !needsTrust(hook) || isKnown(hook));
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
