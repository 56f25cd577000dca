import type { Hook } from "@belay/core";
import {
  asTrusted,
  entryOf,
  type Folders,
  fingerprint,
  fromProject,
  type Grant,
  grantsOf,
  needsTrust,
  readTrust,
  trust,
  trustState,
  versionBefore,
  type WholeFiles,
} from "@belay/engine/internal";
import type { ListedGrant, TrustRow } from "../render/trust.ts";

/** The project's own hooks: what is to be trusted of each, what was trusted in its place, and what keeps it from being trusted. */
export function listHooks(hooks: readonly Hook[], folders: Folders): TrustRow[] {
  const read = readTrust(folders.project, folders.home);
  const taken = hooks.filter(needsTrust).map((hook) => ({ hook, print: fingerprint(hook, folders) }));
  const present = new Set(taken.map(({ print }) => entryOf(print.print)));
  return taken.map(({ hook, print }) => {
    const trusted = asTrusted(hook, print, folders.project);
    const state = trustState(trusted, read, present);
    const was = state === "changed" ? versionBefore(trusted, read.trusted, present) : undefined;
    return {
      hook,
      folders,
      state,
      trusted,
      ...(was && { was }),
      ...(print.refusal !== undefined && { refusal: print.refusal }),
    };
  });
}

/** What the project's settings would loosen, with what it was when it was trusted. */
export function listGrants(
  configs: Parameters<typeof grantsOf>[0],
  project: string,
  home: string,
): ListedGrant[] {
  const { trusted } = readTrust(project, home);
  return grantsOf(configs, project, home).map((grant) => {
    const was = grant.state === "changed" ? versionBefore(grant.trusted, trusted, new Set()) : undefined;
    return { ...grant, ...(was && { was }) };
  });
}

/** Not trusted yet, and it could be. */
export function canBeTrusted({ state, refusal }: Pick<TrustRow, "state" | "refusal">): boolean {
  return state !== "trusted" && refusal === undefined;
}

/**
 * Trusts what was listed, as it was read: a file edited since then is not meant. `whole` are the settings files that were
 * listed whole: nothing else of them stays trusted.
 */
export function trustListed(
  { project, home }: Pick<Folders, "project" | "home">,
  listed: readonly (Pick<TrustRow, "refusal" | "trusted" | "was"> | Pick<Grant, "trusted">)[],
  whole: WholeFiles = {},
): void {
  // A hook that cannot be trusted as it is stays known as it was: a guard goes on refusing.
  const items = listed.flatMap((one) => ("refusal" in one ? (one.was ?? []) : one.trusted));
  const named = (files: readonly string[] = []) => files.map((file) => fromProject(file, project));
  trust(project, items, {
    home,
    whole: { hooks: named(whole.hooks), permissions: named(whole.permissions) },
  });
}
