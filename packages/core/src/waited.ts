import type { RecordedHook } from "./record.ts";

/** What an event waited for: hooks run at once, so for the longest of them; those of a sequential group one after another. */
export interface Waited {
  /** Milliseconds. */
  readonly total: number;
  /** Indexes of the hooks whose times add up to it, the last first. */
  readonly hooks: readonly number[];
}

type Timed = Pick<RecordedHook, "run" | "after">;

/** Milliseconds until the last of them had ended. */
export function spanOf(hooks: readonly Timed[]): number {
  return hooks.reduce((most, hook) => Math.max(most, endOf(hook)), 0);
}

export function waitedFor(hooks: readonly Timed[]): Waited {
  const ends = hooks.map(endOf);
  const total = spanOf(hooks);
  const chain: number[] = [];
  for (let at = ends.indexOf(total); at >= 0; at = beforeIt(hooks[at], ends.slice(0, at))) chain.push(at);
  return { total, hooks: chain };
}

function endOf({ run, after = 0 }: Timed): number {
  return after + run.executionTime;
}

/** Which of the earlier hooks it came behind: it was started when that one had ended. */
function beforeIt(hook: Timed | undefined, ends: readonly number[]): number {
  return hook?.after === undefined ? -1 : ends.indexOf(hook.after);
}
