import type { Handler, Hook } from "./config/hook.ts";
import { type DecideContext, decide } from "./decide.ts";
import { parse } from "./read/verdict.ts";
import { type Fired, route } from "./route.ts";
import type { DialectName } from "./tables/dialects.ts";
import type { EventName } from "./tables/events.ts";
import { ruleFor } from "./tables/rules.ts";
import type { Diagnostic, HookTerms, Outcome, Run } from "./types.ts";

/** A hook as a record keeps it: enough to read its run again. */
export interface RecordedHook extends HookTerms {
  readonly source: string;
  readonly dialect: DialectName;
  readonly run: Run;
  /** Index of the recorded hook whose rewrite it was given. */
  readonly saw?: number;
  /** In a sequential group: milliseconds from the start of its first hook until this one was started. */
  readonly after?: number;
  /** How it was run, and whether its process was kept. Absent in records of older versions. */
  readonly type?: Handler["type"];
  readonly warm?: true;
}

/** What happened, without an opinion: all that parse, decide and route need. */
export interface RecordedFacts {
  readonly event: EventName;
  readonly dialect: DialectName;
  readonly hooks: readonly RecordedHook[];
  readonly context: DecideContext;
  /** Diagnostics of the engine: config problems, untrusted hooks. */
  readonly extra: readonly Diagnostic[];
}

/** What stands in a record where a secret was. */
export const REDACTED = "[redacted]";

/**
 * Who refused a step in another agent: a hook, the user, a permission rule, nobody (a question that nobody was there to answer),
 * or the agent by itself, as a mode does.
 */
export type Denier = "hook" | "user" | "rule" | "nobody" | "agent";

/** What a relay told another agent of an event. The agent's own names of the event and the tool are in the payload's `native`. */
export interface Relayed {
  /** The name of the agent, and its version where it tells it. */
  readonly agent: string;
  readonly version?: string;
  /** What the agent could not be told, and what became of it. `looser`: nothing as strict could be said. */
  readonly losses: readonly { readonly what: string; readonly became: string; readonly looser?: true }[];
  /** What was told to the agent, as this call had been answered before: no hook ran for it again. */
  readonly before?: string;
  /** The agent cannot ask, so Belay asked a person: on the page, in a terminal, beforehand by a code; or nobody was there. */
  readonly asked?: { readonly allowed: boolean; readonly by: "page" | "terminal" | "code" | "nobody" };
  /** The resident was asked before and gave no answer: a hook may have run twice. */
  readonly twice?: true;
}

/** One fired event: a line of the journal. The outcome follows from the facts. */
export interface EventRecord extends RecordedFacts {
  readonly version: 1;
  readonly id: string;
  /** ISO 8601, when the event fired. */
  readonly time: string;
  readonly session: string;
  readonly cwd: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly outcome: Omit<Outcome, "runs">;
  /** How many matching hooks did not run for lack of trust. Records of older versions have only the notice in `extra`. */
  readonly untrusted?: number;
  /** The event was aborted: `fire` rejected, and nobody acted on this outcome. */
  readonly aborted?: true;
  /** Secrets were replaced in strings of this record. */
  readonly redacted?: true;
  /** Strings of the payload were too long to be kept whole. */
  readonly shortened?: true;
  /** In a record that was made from the session log of another agent: its name, and who refused the step. */
  readonly agent?: string;
  readonly refusedBy?: Denier;
  /** In the record of an event that another agent asked about. */
  readonly relayed?: Relayed;
}

/** The pure half in one call: parse, decide, route. */
export function outcomeOf({ event, dialect, hooks, context, extra }: RecordedFacts): Outcome {
  const fired = hooks.map(({ source, run, saw, after: _after, type: _type, warm: _warm, ...hook }) => {
    const verdict = parse(hook, run, ruleFor(event, hook.dialect, hook.simulated));
    return { source, run, verdict: saw === undefined ? verdict : { ...verdict, saw } };
  });
  const decided = decide(
    fired.map(({ verdict }) => verdict),
    context,
  );
  return route({ event, dialect, fired, decided, extra });
}

/** The name under which hosts decide a recorded event anew. */
export { outcomeOf as replay };

/** A hook that fired, with its configuration. */
export interface FiredHook extends Fired {
  readonly hook: Hook;
  /** Milliseconds that it waited for the hooks before it in its chain. */
  readonly after?: number;
}

/** An event that was decided, without its hooks. */
interface DecidedEvent extends Omit<RecordedFacts, "hooks">, Pick<EventRecord, "id" | "time"> {
  readonly payload: EventRecord["payload"] & { readonly session_id: string; readonly cwd: string };
  readonly untrusted: number | undefined;
  readonly relayed?: Relayed | undefined;
}

/** The stage record: what the journal keeps of an event. */
export function toRecord(
  { id, time, event, dialect, context, extra, payload, untrusted, relayed }: DecidedEvent,
  fired: readonly FiredHook[],
  { runs: _runs, ...outcome }: Outcome,
): EventRecord {
  return {
    version: 1,
    id,
    time,
    event,
    dialect,
    session: payload.session_id,
    cwd: payload.cwd,
    hooks: fired.map(toRecorded),
    context,
    extra,
    outcome,
    payload,
    ...(untrusted !== undefined && { untrusted }),
    ...(relayed && { relayed }),
  };
}

function toRecorded({ hook, source, run, verdict, after }: FiredHook): RecordedHook {
  const { handler } = hook;
  return {
    name: hook.name,
    onFailure: hook.onFailure,
    mode: hook.mode,
    source,
    dialect: hook.dialect,
    ...(verdict.simulated && { simulated: true }),
    run,
    type: handler.type,
    ...(verdict.saw !== undefined && { saw: verdict.saw }),
    ...(after !== undefined && { after }),
    ...(handler.type === "command" && handler.warm && { warm: true }),
  };
}
