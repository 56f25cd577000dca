import type { RecordedHook } from "./record.ts";

/** What an event waited for: hooks run at once, so for the longest of them; those of a sequential group one after another. */
export interface Waited {
  /** Milliseconds. */
  readonly total: number;
  /** Indexes of the hooks whose times add up to it, the last first. */
  readonly hooks: readonly number[];
}

type Timed = Pick<RecordedHook, "run" | "after">;

export function waitedFor(hooks: readonly Timed[]): Waited {
  const ends = hooks.map(({ run, after = 0 }) => after + run.executionTime);
  const total = ends.reduce((most, end) => Math.max(most, end), 0);
  const chain: number[] = [];
  for (let at = ends.indexOf(total); at >= 0; at = beforeIt(hooks[at], ends.slice(0, at))) chain.push(at);
  return { total, hooks: chain };
}

/** Which of the earlier hooks it came behind: it was started when that one had ended. */
function beforeIt(hook: Timed | undefined, ends: readonly number[]): number {
  return hook?.after === undefined ? -1 : ends.indexOf(hook.after);
}
