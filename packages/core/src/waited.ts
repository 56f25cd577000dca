import type { RecordedHook } from "./record.ts";

/** What an event waited for: hooks run at once, so for the longest of them; those of a sequential group one after another. */
export interface Waited {
  /** Milliseconds. */
  readonly total: number;
  /** Indexes of the hooks whose times add up to it. */
  readonly hooks: readonly number[];
}

/** What a recorded hook tells of it; `after` is the index of the one it came behind. */
type Timed = Pick<RecordedHook, "run" | "after">;

export function waitedFor(hooks: readonly Timed[]): Waited {
  const ends: number[] = [];
  for (const { run, after } of hooks) ends.push((ends[after ?? -1] ?? 0) + run.executionTime);
  let last = 0;
  ends.forEach((end, index) => {
    if (end > (ends[last] ?? 0)) last = index;
  });
  const chain: number[] = [];
  for (let at: number | undefined = last; at !== undefined && hooks[at]; at = earlier(hooks[at]?.after, at))
    chain.push(at);
  return { total: ends[last] ?? 0, hooks: chain };
}

/** A hook comes behind an earlier one, whatever a file says. */
function earlier(after: number | undefined, at: number): number | undefined {
  return after !== undefined && after >= 0 && after < at ? after : undefined;
}
