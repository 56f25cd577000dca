import type { Change } from "@belay/core/compare";
import type { ReplaySummary } from "../render/replay.ts";
import { type Compared, isOnlySlower, type NotComparable, type Otherwise } from "./comparison.ts";

/** Counts what became of events. */
export interface Tally {
  /** Returns whether it is a change. Undefined is an event that came to the same. */
  add(compared: Compared | undefined): boolean;
  /** All of them, comparable or not. */
  seen(): number;
  summary(): ReplaySummary;
}

/**
 * What a step in CI exits with: 2 when anything loosened, 1 when nothing was compared, hooks could not be asked or no
 * longer answer, or the scripts of another project were asked. What a policy was not asked about, it has not passed.
 */
export function exitCodeOf(summary: ReplaySummary): number {
  const { events, loosened, changes, notComparable, elsewhere = 0 } = summary;
  if (loosened > 0) return 2;
  const unreadable = notComparable["config-unreadable"] ?? 0;
  const unasked = (notComparable.untrusted ?? 0) + unreadable + (changes.fault ?? 0);
  return events === 0 || unasked + elsewhere > 0 ? 1 : 0;
}

export function tally(): Tally {
  let events = 0;
  let left = 0;
  let changed = 0;
  let loosened = 0;
  const changes: Partial<Record<Change | Otherwise, number>> = {};
  const notComparable: Partial<Record<NotComparable, number>> = {};
  return {
    add: (compared) => {
      if (typeof compared === "string") {
        left += 1;
        notComparable[compared] = (notComparable[compared] ?? 0) + 1;
        return false;
      }
      events += 1;
      if (!compared || compared.changes.length === 0) return false;
      if (!isOnlySlower(compared)) changed += 1;
      if (compared.loosened) loosened += 1;
      for (const kind of compared.changes) changes[kind] = (changes[kind] ?? 0) + 1;
      return true;
    },
    seen: () => events + left,
    summary: () => ({ events, changed, loosened, changes, notComparable }),
  };
}
