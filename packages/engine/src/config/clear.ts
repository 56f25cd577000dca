import { type Hook, ruleFor } from "@belay/core";
import type { Folders } from "../environment.ts";
import { needsTrust, printOf, trustedPrints, trustState } from "./trust.ts";

/** A hook of the project that the user has not trusted as it is now. */
export interface Untrusted {
  readonly hook: Hook;
  readonly print: string;
  /** Its entry was trusted, and a script it names was edited since. */
  readonly isEdited: boolean;
}

/** What trust makes of hooks: each is in exactly one of the three. */
export interface Clearance {
  readonly runs: ReadonlySet<Hook>;
  /** Guards that were edited since they were trusted: they are not run, and refuse. */
  readonly edited: ReadonlySet<Hook>;
  /** Neither run nor asked. */
  readonly untrusted: readonly Untrusted[];
}

export function clear(hooks: readonly Hook[], folders: Folders): Clearance {
  if (!hooks.some(needsTrust)) return { runs: new Set(hooks), edited: new Set(), untrusted: [] };
  const prints = trustedPrints(folders.project, folders.home);
  const runs = new Set<Hook>();
  const edited = new Set<Hook>();
  const untrusted: Untrusted[] = [];
  for (const hook of hooks) {
    const print = needsTrust(hook) ? printOf(hook, folders, prints) : undefined;
    if (print === undefined || prints.has(print)) {
      runs.add(hook);
      continue;
    }
    const isEdited = trustState(print, prints) === "changed";
    if (isEdited && isGuard(hook)) edited.add(hook);
    else untrusted.push({ hook, print, isEdited });
  }
  return { runs, edited, untrusted };
}

/** Otherwise an edit, or a file of the right name, would switch a guard off that the user relies on. */
function isGuard({ onFailure, mode, event, dialect }: Hook): boolean {
  return onFailure === "block" && mode === "enforce" && ruleFor(event, dialect).refusal !== undefined;
}

/** Why these are not run, in words. */
export function whyNotRun(untrusted: readonly Untrusted[]): string {
  const edited = untrusted.filter(({ isEdited }) => isEdited).length;
  if (untrusted.length === 1)
    return edited === 1 ? "its script was edited since you trusted it" : "it is not trusted";
  if (edited === 0) return "they are not trusted";
  if (edited === untrusted.length) return "their scripts were edited since you trusted them";
  return `they are not trusted, the ${edited === 1 ? "script of one was" : `scripts of ${edited} were`} edited since`;
}

/** The hooks that an event is matched against, in configured order. */
export function asked(hooks: readonly Hook[], { runs, edited }: Clearance): Hook[] {
  return hooks.filter((hook) => runs.has(hook) || edited.has(hook));
}
