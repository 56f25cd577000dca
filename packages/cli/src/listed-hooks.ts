import type { Hook } from "@belay/core";
import {
  entryOf,
  type Folders,
  type Grant,
  grantsOf,
  needsTrust,
  predecessors,
  printOf,
  type Seen,
  seenHook,
  trust,
  trustedPrints,
  trustedSeen,
  trustState,
  whyUnclear,
} from "@belay/engine/tools";
import type { ListedGrant, TrustRow } from "./render/hooks.ts";

/** The project's own hooks, with what is to be trusted of each, what has changed of it, and what keeps it from being trusted. */
export function listHooks(hooks: readonly Hook[], folders: Folders): TrustRow[] {
  const trusted = trustedPrints(folders.project, folders.home);
  const listed = hooks.filter(needsTrust).map((hook): TrustRow => {
    const print = printOf(hook, folders);
    const unclear = whyUnclear(hook, folders);
    const seen = seenHook(hook, folders);
    return { hook, print, state: trustState(print, trusted), folders, seen, ...(unclear && { unclear }) };
  });
  return withPast(listed, trustedSeen(folders.project, folders.home));
}

/** What the project's settings would loosen, with what it was when it was trusted. */
export function listGrants(
  configs: Parameters<typeof grantsOf>[0],
  project: string,
  home: string,
): ListedGrant[] {
  const before = trustedSeen(project, home);
  return grantsOf(configs, project, home).map((grant) => ({ ...grant, ...wasBefore(grant, before) }));
}

/** An entry that has taken the place of a trusted one is that one, changed. */
function withPast(listed: readonly TrustRow[], before: ReadonlyMap<string, Seen>): TrustRow[] {
  const present = new Set(listed.map(({ print }) => entryOf(print)));
  const gone = [...before].filter(([print]) => !present.has(entryOf(print))).map(([, seen]) => seen);
  const fresh = listed.filter(({ state }) => state === "new").map(({ seen }) => seen);
  const places = predecessors(fresh, gone);
  return listed.map((one) => {
    const was = places.get(one.seen);
    return was ? { ...one, state: "changed", was } : { ...one, ...wasBefore(one, before) };
  });
}

/** The same entry, with other scripts; or another mode in the same place. */
function wasBefore(
  { print, state }: Pick<Grant, "print" | "state">,
  before: ReadonlyMap<string, Seen>,
): { readonly was?: Seen } {
  if (state !== "changed") return {};
  const [, was] = [...before].findLast(([other]) => entryOf(other) === entryOf(print)) ?? [];
  return was ? { was } : {};
}

/** Not trusted yet, and it could be. */
export function canBeTrusted({ state, unclear }: TrustRow): boolean {
  return state !== "trusted" && unclear === undefined;
}

/** Trusts exactly what was listed, as it was read: a file edited since then is not meant. */
export function trustListed(
  { project, home }: Pick<Folders, "project" | "home">,
  listed: readonly Pick<Grant, "print" | "seen">[],
): void {
  trust(
    project,
    listed.map(({ print }) => print),
    home,
    new Map(listed.map(({ print, seen }) => [print, seen])),
  );
}
