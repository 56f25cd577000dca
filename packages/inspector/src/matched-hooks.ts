import { isRefused, type RunReport } from "@belay/core";
import type { EventDetail, HookMatch } from "./api.ts";
import { todaysHook } from "./todays-hook.ts";

export interface RanHook {
  readonly name: string;
  readonly source: string;
  /** What it is in today's config, if it still is there. */
  readonly now?: HookMatch;
}

/** One of today's that did not run then. */
export interface OtherHook extends HookMatch {
  /** Whose answer ended its sequential group before it was its turn. */
  readonly stoppedBy?: RunReport;
}

export interface MatchedHooks {
  readonly ran: readonly RanHook[];
  readonly others: readonly OtherHook[];
  /** Those of today's that wait for other events. */
  readonly elsewhere: readonly HookMatch[];
}

/** Who was asked and who was not. Those that ran are in the record; of the others today's config knows. */
export function matchedHooks({ record, matches }: EventDetail, reports: readonly RunReport[]): MatchedHooks {
  const { event } = record;
  const today = matches.map((match) => ({ ...match, name: match.hook, match }));
  const ran = record.hooks.map(({ name, source }) => {
    const now = todaysHook({ name, source, event }, today)?.match;
    return { name, source, ...(now && { now }) };
  });
  const own = matches.filter((match) => match.event === event);
  const stoppers = new Map<string, RunReport>();
  const others: OtherHook[] = [];
  // In the order in which a group runs: who comes behind a refusal was not asked.
  for (const match of own) {
    const at = ran.findIndex(({ now }) => now === match);
    const stoppedBy = match.group === undefined ? undefined : stoppers.get(match.group);
    if (at < 0) others.push(match.fires && stoppedBy ? { ...match, stoppedBy } : match);
    const report = reports[at];
    if (match.group !== undefined && report && isRefused(report.verdict) && !report.observed)
      stoppers.set(match.group, report);
  }
  return {
    ran,
    others: [...others.filter(isSkipped), ...others.filter((other) => !isSkipped(other))],
    elsewhere: matches.filter((match) => match.event !== event),
  };
}

export function isSkipped({ stoppedBy }: OtherHook): boolean {
  return stoppedBy !== undefined;
}
