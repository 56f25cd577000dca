import type { Change } from "@belay/core/compare";
import { plural } from "@belay/core/internal";
import { nextCommand } from "../next-command.ts";
import type { ReplaySummary } from "../render/replay.ts";
import { oneLine } from "../render/text.ts";
import { type Compared, isOnlySlower, type NotComparable, type Otherwise } from "./comparison.ts";
import type { Rerun } from "./rerun.ts";

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

interface Values {
  readonly config?: readonly string[];
  readonly plugin?: readonly string[];
  readonly dialect?: string;
  readonly in?: string;
  readonly cwd?: string;
}

/**
 * Why a rerun says nothing of the policy although events were compared: hooks ran when recorded and now none does, or none
 * of them ever answered. `isGreen`: nothing loosened, and nothing else is wrong.
 */
export function whyUnproved(rerun: Rerun, values: Values, isGreen: boolean): string | undefined {
  const { config, plugin, dialect } = values;
  const where = { config, plugin, dialect, cwd: values.in ?? values.cwd };
  const { runs, recorded, answered, failed } = rerun.ran;
  if (runs === 0 && recorded > 0) return whyNoneRan(rerun, where, isGreen);
  if (!isGreen || answered > 0 || failed === undefined) return undefined;
  const { hook, why, event } = failed;
  return `no hook gave an answer, now or when recorded: ${oneLine(`${hook}: ${why}`)}; next: ${nextCommand("run", where, event)}`;
}

/**
 * A policy was not looked at, and what loosened may not be its doing. Not said where something else was: what could not
 * be asked has its own next command.
 */
function whyNoneRan(
  { ran, dialects, skipped, otherProjects }: Rerun,
  where: Readonly<Record<string, unknown>>,
  isGreen: boolean,
): string | undefined {
  const missed = dialects.missed();
  const isSaid = skipped.sentences().length > 0 || otherProjects.count() > 0;
  if (!isGreen && isSaid && missed === undefined) return undefined;
  const { isConfigured, recorded, last } = ran;
  const none = isConfigured ? "none that is configured fits them" : "none is configured";
  const next = isConfigured ? nextCommand("why", where, last) : nextCommand("check", where);
  const why =
    missed === undefined
      ? `${none}; next: ${next}`
      : `${none}, and they were of ${missed}; next: the same with --dialect ${missed}`;
  return `no hook ran, and ${plural(recorded, "event")} had run hooks when recorded: ${why}`;
}
