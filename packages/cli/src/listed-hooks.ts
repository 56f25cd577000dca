import type { Hook } from "@belay/core";
import {
  type Folders,
  needsTrust,
  printOf,
  trustedPrints,
  trustState,
  whyUnclear,
} from "@belay/engine/tools";
import type { ListedHook } from "./render/hooks.ts";

/** The project's own hooks, with what is to be trusted of each and what keeps it from being trusted. */
export function listHooks(hooks: readonly Hook[], folders: Folders): ListedHook[] {
  const trusted = trustedPrints(folders.project, folders.home);
  return hooks.filter(needsTrust).map((hook) => {
    const print = printOf(hook, folders);
    const unclear = whyUnclear(hook, folders);
    return { hook, print, state: trustState(print, trusted), folders, ...(unclear && { unclear }) };
  });
}

/** Not trusted yet, and it could be. */
export function canBeTrusted({ state, unclear }: ListedHook): boolean {
  return state !== "trusted" && unclear === undefined;
}
