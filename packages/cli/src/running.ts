import { oneLine } from "@belay/core/clean";
import type { HookStep } from "@belay/engine";

/** The names of the hooks that run now. */
export interface Running {
  step(step: HookStep): void;
  names(): string[];
}

/** What is said when they were ended by a signal. */
export function interruption(hooks: readonly string[]): string {
  if (hooks.length === 0) return "interrupted";
  const [were, they] = hooks.length === 1 ? ["was", "it was"] : ["were", "they were"];
  return `interrupted while ${hooks.map(oneLine).join(", ")} ${were} running; ${they} ended, and nothing is decided`;
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
