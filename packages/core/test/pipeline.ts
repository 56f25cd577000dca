import {
  outcomeOf as concluded,
  type DecideContext,
  type DialectName,
  type EventName,
  type EventRecord,
  type HookPolicy,
  type Outcome,
  type RecordedHook,
  type Run,
} from "@belay/core";

/** One hook that ran, before anyone asks what that means. */
export interface Ran {
  readonly policy: HookPolicy;
  readonly dialect: DialectName;
  readonly run: Run;
}

export function outcomeOf(event: EventName, ran: readonly Ran[], context: DecideContext = {}): Outcome {
  return concluded({ event, dialect: ran[0]?.dialect ?? "wave", hooks: recorded(ran), context, extra: [] });
}

function recorded(ran: readonly Ran[]): RecordedHook[] {
  return ran.map(({ policy, dialect, run }, index) => ({
    ...policy,
    dialect,
    run,
    source: `settings.json:${index + 1}`,
  }));
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
