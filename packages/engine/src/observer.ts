import { type Diagnostic, diagnose, messageOf } from "@belay/core";
import type { EngineOptions, HookStep } from "./engine-types.ts";

/** Who watches the hooks: its failure is none of theirs. */
export interface Observer {
  tell(step: HookStep): void;
  /** That it failed, the first time this is asked afterwards. */
  news(): readonly Diagnostic[];
}

export function observer(onHook: EngineOptions["onHook"]): Observer {
  let failure: Diagnostic | undefined;
  let isTold = false;
  const note = (error: unknown) => {
    failure ??= diagnose("observer-failed", { detail: messageOf(error) });
  };
  return {
    tell: (step) => {
      try {
        const given: unknown = onHook?.(step);
        if (given instanceof Promise) given.catch(note);
      } catch (error) {
        note(error);
      }
    },
    news: () => {
      if (failure === undefined || isTold) return [];
      isTold = true;
      return [failure];
    },
  };
}
