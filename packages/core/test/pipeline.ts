import {
  type DecideContext,
  type DialectName,
  decide,
  type EventName,
  type EventRecord,
  type HookTerms,
  type Outcome,
  parse,
  type RecordedHook,
  type Run,
  route,
  ruleFor,
} from "@belay/core";

/** One hook that ran, before anyone asks what that means. */
export interface Ran {
  readonly terms: HookTerms;
  readonly dialect: DialectName;
  readonly run: Run;
  /** Index of the one whose rewrite it was given. */
  readonly saw?: number;
}

const sourceOf = (index: number) => `settings.json:${index + 1}`;

/** As `fire` comes to it, stage by stage. Not by core's outcomeOf: that is what a replay does, and is held against this. */
export function outcomeOf(event: EventName, ran: readonly Ran[], context: DecideContext = {}): Outcome {
  const fired = ran.map(({ terms, dialect, run, saw }, index) => {
    const verdict = parse(terms, run, ruleFor(event, dialect));
    return { source: sourceOf(index), run, verdict: saw === undefined ? verdict : { ...verdict, saw } };
  });
  const decided = decide(
    fired.map(({ verdict }) => verdict),
    context,
  );
  return route({ event, dialect: ran[0]?.dialect ?? "wave", fired, decided, extra: [] });
}

function recorded(ran: readonly Ran[]): RecordedHook[] {
  return ran.map(({ terms, ...rest }, index) => ({ ...terms, ...rest, source: sourceOf(index) }));
}

/** The record `fire` would write for it. */
export function recordOf(event: EventName, ran: readonly Ran[], context: DecideContext = {}): EventRecord {
  const { runs: _runs, ...outcome } = outcomeOf(event, ran, context);
  return {
    version: 1,
    id: "00000000-0000-4000-8000-000000000000",
    time: "2026-11-15T12:00:00.000Z",
    event,
    dialect: outcome.dialect,
    session: "s",
    cwd: "/project",
    payload: { hook_event_name: event },
    hooks: recorded(ran),
    context,
    extra: [],
    outcome,
  };
}
