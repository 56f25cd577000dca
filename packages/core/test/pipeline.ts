import {
  type DecideContext,
  type DialectName,
  decide,
  type EventName,
  type EventRecord,
  type HookPolicy,
  type Outcome,
  parse,
  type RecordedHook,
  type Run,
  route,
  ruleFor,
} from "@belay/core";

/** One hook that ran, before anyone asks what that means. */
export interface Ran {
  readonly policy: HookPolicy;
  readonly dialect: DialectName;
  readonly run: Run;
}

/** parse → decide → route, as `fire` does it. */
export function outcomeOf(event: EventName, ran: readonly Ran[], context: DecideContext = {}): Outcome {
  const fired = ran.map(({ policy, dialect, run }, index) => ({
    source: `settings.json:${index + 1}`,
    run,
    verdict: parse(policy, run, ruleFor(event, dialect)),
  }));
  const decided = decide(
    fired.map(({ verdict }) => verdict),
    context,
  );
  return route({ event, dialect: ran[0]?.dialect ?? "wave", fired, decided });
}

/** The record `fire` would write for it. */
export function recordOf(event: EventName, ran: readonly Ran[], context: DecideContext = {}): EventRecord {
  const { runs: _runs, ...outcome } = outcomeOf(event, ran, context);
  const hooks: RecordedHook[] = ran.map(({ policy, dialect, run }, index) => ({
    ...policy,
    dialect,
    run,
    source: `settings.json:${index + 1}`,
  }));
  return {
    version: 1,
    id: "00000000-0000-4000-8000-000000000000",
    time: "2026-11-15T12:00:00.000Z",
    event,
    dialect: outcome.dialect,
    session: "s",
    cwd: "/project",
    payload: { hook_event_name: event },
    hooks,
    context,
    extra: [],
    outcome,
  };
}
