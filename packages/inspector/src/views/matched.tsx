import { isRefused, type RunReport } from "@belay/core";
import { clean } from "@belay/core/clean";
import { plural } from "@belay/core/internal";
import type { ReactNode } from "react";
import type { EventDetail, HookMatch } from "../api.ts";
import { configuredHook } from "../configured-hook.ts";
import { numbered } from "../parts/format.ts";

export function Matched({
  detail: { record, unmatched, isEdited },
  matched: { ran, others, elsewhere },
}: {
  detail: EventDetail;
  matched: MatchedHooks;
}): ReactNode {
  if (record.agent !== undefined)
    return (
      <>
        <Lines
          of={ran.map(({ name, source }) => ({ hook: name, source, became: FIRED, why: "by the log" }))}
        />
        <p className="aside">
          A session log tells of hooks that ran, mostly of those that printed something, failed or refused.
          What this project’s hooks would say, the playground tells.
        </p>
      </>
    );
  const [config, whose] = isEdited
    ? ["the edited config", "The hooks of the edited config"]
    : ["today’s config", "Today’s hooks"];
  const whyFired =
    unmatched === undefined
      ? "it is not configured like this any more"
      : `why is not known: ${config} cannot all be read`;
  const fired = ran.map(({ name, source, now }) => ({
    hook: name,
    source,
    became: FIRED,
    why: now?.explanation ?? whyFired,
  }));
  return (
    <>
      <Lines of={[...fired, ...others.map(lineOf)]} />
      {ran.length === 0 && others.length === 0 && unmatched === undefined && (
        <p className="aside">
          {isEdited
            ? `No hook of the edited config waits for ${record.event}.`
            : `No hook waits for ${record.event}. A first one: belay init`}
        </p>
      )}
      <p className="aside">
        {unmatched === undefined
          ? `Why, by ${config}${isEdited ? "" : "; the journal keeps the hooks that ran"}.`
          : `${whose} could not all be asked: ${clean(unmatched)}`}
      </p>
      {elsewhere.length > 0 && (
        <details>
          <summary>and {plural(elsewhere.length, "hook")} of other events</summary>
          <Lines of={elsewhere.map(lineOf)} />
        </details>
      )}
    </>
  );
}

const FIRED = "fired";

interface Line {
  readonly hook: string;
  readonly source: string;
  readonly became: string;
  readonly why: string;
}

function Lines({ of: lines }: { of: readonly Line[] }): ReactNode {
  return (
    <ul className="matches">
      {numbered(lines).map(({ number, item: { hook, source, became, why } }) => (
        <li key={number}>
          <span aria-hidden="true" className={became === FIRED ? "good" : undefined}>
            {became === FIRED ? "✓" : "·"}
          </span>{" "}
          <strong>{clean(hook)}</strong> {became}
          <small>
            {" "}
            {clean(why)} · {clean(source)}
          </small>
        </li>
      ))}
    </ul>
  );
}

function lineOf({ hook, source, fires, because, explanation, stoppedBy }: OtherHook): Line {
  if (stoppedBy) {
    const why = `${stoppedBy.hook}, before it in its sequential group, said ${stoppedBy.verdict}`;
    return { hook, source, became: "was skipped:", why };
  }
  const not = because === "untrusted" ? "is not trusted" : "did not";
  return { hook, source, became: fires ? "did not fire then, and would now" : not, why: explanation };
}

interface RanHook {
  readonly name: string;
  readonly source: string;
  /** What it is in today's config, if it still is there. */
  readonly now?: HookMatch;
}

/** One of today's that did not run then. */
export interface OtherHook extends HookMatch {
  /** The run that ended the sequential group before this hook's turn. */
  readonly stoppedBy?: RunReport;
}

export interface MatchedHooks {
  readonly ran: readonly RanHook[];
  readonly others: readonly OtherHook[];
  /** Those of today's that wait for other events. */
  readonly elsewhere: readonly HookMatch[];
}

/** The hooks that ran, from the record, and the others of today's config. */
export function matchedHooks({ record, matches }: EventDetail, reports: readonly RunReport[]): MatchedHooks {
  const { event } = record;
  const today = matches.map((match) => ({ ...match, name: match.hook, match }));
  const ran = record.hooks.map(({ name, source }) => {
    const now = configuredHook({ name, source, event }, today)?.match;
    return { name, source, ...(now && { now }) };
  });
  const own = matches.filter((match) => match.event === event);
  const stoppers = new Map<string, RunReport>();
  const others: OtherHook[] = [];
  // In the order of a group: hooks behind a refusal were not asked.
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
