import type { Hook } from "@belay/core";
import {
  asTrusted,
  type Folders,
  fingerprint,
  fromProject,
  type Grant,
  readProjectTrust,
  trust,
  type WholeFiles,
} from "@belay/engine/internal";
import type { TrustRow } from "../render/trust.ts";

/** The project's own hooks: what is to be trusted of each, what was trusted in its place, and what keeps it from being trusted. */
export function listHooks(hooks: readonly Hook[], folders: Folders): TrustRow[] {
  const { of } = readProjectTrust(hooks, folders);
  return hooks.flatMap((hook) => {
    const { state, was, taken } = of(hook);
    if (state === "needs none") return [];
    const now = taken ?? fingerprint(hook, folders);
    return {
      hook,
      folders,
      state,
      trusted: asTrusted(hook, now, folders.project),
      ...(was && { was }),
      ...(now.refusal !== undefined && { refusal: now.refusal }),
    };
  });
}

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
