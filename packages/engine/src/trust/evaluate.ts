import { type Config, type EventName, type Hook, type HookSource, isEventName, ruleFor } from "@belay/core";
import { identityFields, type Matching } from "@belay/core/internal";
import type { Folders } from "../environment.ts";
import { sha256 } from "../ids.ts";
import { entryOf, entryPrint, type Fingerprint, fingerprint, openMemo } from "./fingerprint.ts";
import {
  fromProject,
  type Known,
  knownAs,
  needsTrust,
  readTrust,
  type Trusted,
  type TrustState,
} from "./store.ts";

/** What trust makes of one hook. */
export interface HookTrust {
  readonly hook: Hook;
  /** A hook that is "needs none" or "trusted" runs. */
  readonly state: "needs none" | TrustState;
  /** What tells this version of the hook from others: the whole print of `taken`, or without it the entry's part of a print. */
  readonly print: string;
  /** The fingerprint of the entry and its files now. Absent if the entry was not trusted as it is written now: no file is read. */
  readonly taken?: Fingerprint;
  /** What the user trusted before the edit; of a hook that is "changed" only. */
  readonly was?: Trusted;
  /** The hook is a guard that refuses instead of running, on these terms, which are those that the user trusted. */
  readonly refusesAs?: Hook;
}

/** The trust in a project's hooks at one moment. The store is read once, the files of each hook at most once. */
export interface ProjectTrust {
  /** Reads the files of the hook only if its entry was trusted as it is written now. Never throws. */
  of(hook: Hook): HookTrust;
  /** True if the hook needs no trust, or its entry was trusted as it is written now. Reads no file. */
  isEntryTrusted(hook: Hook): boolean;
  /**
   * Guards that the edit of their event, matcher, `if` or switch keeps from matching the event. The user relies on them, so
   * each refuses, as the hook that stands in the map.
   */
  turnedAway(event: EventName, found: Matching): ReadonlyMap<Hook, Hook>;
  /** Why the store cannot be read. */
  readonly problem?: string;
}

/**
 * Reads the trust in all hooks of a project. Reads no file if none of them needs trust. `untrustedRefuse`: guards that were
 * never trusted refuse as well.
 */
export function readProjectTrust(
  all: readonly Hook[],
  folders: Folders,
  untrustedRefuse = false,
): ProjectTrust {
  const { project, home } = folders;
  const own = all.filter(needsTrust);
  const { trusted, problem } = own.length > 0 ? readTrust(project, home) : { trusted: [] };
  const present = new Set(own.map(entryPrint));
  const gone = trusted.filter(({ print }) => !present.has(entryOf(print)));
  const trustedEntries = new Set(trusted.map(({ print }) => entryOf(print)));
  const isEntryTrusted = (hook: Hook) => !needsTrust(hook) || trustedEntries.has(entryPrint(hook));
  const memo = openMemo();
  const evaluate = (hook: Hook): HookTrust => {
    if (!needsTrust(hook)) return { hook, state: "needs none", print: "" };
    const taken = isEntryTrusted(hook) ? fingerprint(hook, folders, memo) : undefined;
    const print = taken?.print ?? entryPrint(hook);
    const { state, was } = knownAs(entryAt(hook, print, project), trusted, gone);
    const refuses =
      state !== "trusted" &&
      (was ? isGuard(hook) || wasGuard(was) : isGuard(hook) && (untrustedRefuse || problem !== undefined));
    return {
      hook,
      state,
      print,
      ...(taken && { taken }),
      ...(was && { was }),
      ...(refuses && { refusesAs: asGuard(hook, hook.event) }),
    };
  };
  const evaluated = new Map<Hook, HookTrust>();
  const of = (hook: Hook): HookTrust => {
    const trust = evaluated.get(hook) ?? evaluate(hook);
    evaluated.set(hook, trust);
    return trust;
  };
  const turnedAway = (event: EventName, { matched, heldBack }: Matching) => {
    const isMatched = new Set(matched);
    const guards = own.filter((hook) => {
      if (isMatched.has(hook) || isEntryTrusted(hook)) return false;
      const { was } = of(hook);
      if (was === undefined) return false;
      return isTakenAway(hook, was, event) || (heldBack.has(hook) && hadOtherIf(hook, was));
    });
    return new Map(guards.map((hook) => [hook, asGuard(hook, event)]));
  };
  return { of, isEntryTrusted, turnedAway, ...(problem !== undefined && { problem }) };
}

/** True if the hook may run as it is now. */
export function mayRun({ state }: HookTrust): boolean {
  return state === "needs none" || state === "trusted";
}

/** True if the hook neither runs nor refuses. */
export function isUntrusted(trust: HookTrust): boolean {
  return !mayRun(trust) && trust.refusesAs === undefined;
}

/** True for a guard that an edit of its event, its matcher or its switch keeps from an event that it was trusted for. */
function isTakenAway({ event, matcher, enabled }: Hook, was: Trusted, asked: EventName): boolean {
  if (was.fields.event !== asked || !wasGuard(was)) return false;
  const source = matcher.kind === "all" ? undefined : matcher.source;
  return event !== asked || !enabled || was.fields.matcher !== source;
}

/** True for a guard that held back by another `if` than the one that it was trusted with. */
function hadOtherIf({ identity }: Hook, was: Trusted): boolean {
  return wasGuard(was) && JSON.stringify(was.fields.if) !== JSON.stringify(identityFields(identity).if);
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
  const isWaitedFor = fields.async !== true && fields.asyncRewake !== true;
  return isWaitedFor && isGuard({ mode: "enforce", ...fields } as Hook);
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

/**
 * What a settings file of a project would loosen: an allow rule, or the mode that sessions begin in. Each is trusted by
 * itself: rules add up, so whoever trusts two of them one by one has trusted both.
 */
export interface Grant extends Known {
  /** As people read it: `allow Bash(npm test)`. */
  readonly what: string;
  readonly source: HookSource;
  /** What the store keeps of it once it is trusted. */
  readonly trusted: Trusted;
}

/** Every grant that needs the user's trust, in configured order. A restriction needs none, and is not here. */
export function grantsOf(configs: readonly Config[], project: string, home?: string): Grant[] {
  const wanted = configs.flatMap(({ permissions: { allow = [], defaultMode } = {} }) => [
    ...allow.map(({ text, source }) => ({ kind: "allow" as const, text, source })),
    ...(defaultMode
      ? [{ kind: "defaultMode" as const, text: defaultMode.mode, source: defaultMode.source }]
      : []),
  ]);
  const open = wanted.filter(needsTrust);
  const stored = open.length > 0 ? readTrust(project, home).trusted : [];
  return open.map(({ kind, text, source }) => {
    const trusted = trustedGrant(kind, text, source.file, project);
    return { what: `${kind} ${text}`, source, trusted, ...knownAs(trusted, stored) };
  });
}

/** One grant of a file, as the store keeps it. Another mode in the same file is a change; another rule is another rule. */
export function trustedGrant(
  kind: "allow" | "defaultMode",
  text: string,
  settings: string,
  project: string,
): Trusted {
  const file = fromProject(settings, project);
  const place = kind === "allow" ? `allow ${text}` : kind;
  const entry = JSON.stringify(["permissions", file, place]);
  const print = `${sha256(entry).slice(0, 16)}.${sha256(JSON.stringify([entry, text]))}`;
  return { print, file, place, fields: { [kind]: text }, scripts: {} };
}
