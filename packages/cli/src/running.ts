import type { HookStep } from "@belay/engine";

/** The names of the hooks that run now. */
export interface Running {
  step(step: HookStep): void;
  names(): string[];
}

export function runningHooks(): Running {
  const names: string[] = [];
  return {
    step: ({ phase, hook }) => {
      if (phase === "start") names.push(hook);
      else names.splice(names.indexOf(hook), 1);
    },
    names: () => [...names],
  };
}
