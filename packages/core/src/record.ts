import { type DecideContext, decide } from "./decide.ts";
import type { DialectName } from "./dialects.ts";
import type { EventName } from "./events.ts";
import { parse } from "./parse.ts";
import { route } from "./route.ts";
import { ruleFor } from "./rules.ts";
import type { Diagnostic, HookPolicy, Outcome, Run } from "./types.ts";

/** A hook as a record keeps it: enough to read its run again. */
export interface RecordedHook extends HookPolicy {
  readonly source: string;
  readonly dialect: DialectName;
  readonly run: Run;
  /** Index of the recorded hook whose rewrite it was given. */
  readonly saw?: number;
}

/** One fired event: a line of the journal. The event and the runs are facts; the rest follows from them. */
export interface Record {
  readonly version: 1;
  readonly id: string;
  /** ISO 8601, when the event fired. */
  readonly time: string;
  readonly event: EventName;
  readonly dialect: DialectName;
  readonly session: string;
  readonly cwd: string;
  readonly payload: Readonly<{ [field: string]: unknown }>;
  readonly hooks: readonly RecordedHook[];
  readonly context: DecideContext;
  readonly extra: readonly Diagnostic[];
  readonly outcome: Omit<Outcome, "runs">;
  /** Secrets were replaced in strings of this record. */
  readonly redacted?: true;
  /** Strings of the payload were too long to be kept whole. */
  readonly shortened?: true;
}

/** Runs the pure half again on a record's facts. */
export function replay(record: Record): Outcome {
  const fired = record.hooks.map((hook) => ({
    source: hook.source,
    run: hook.run,
    verdict: {
      ...parse(hook, hook.run, ruleFor(record.event, hook.dialect)),
      ...(hook.saw !== undefined && { saw: hook.saw }),
    },
  }));
  const verdicts = fired.map(({ verdict }) => verdict);
  const decided = decide(verdicts, record.context);
  return route({ event: record.event, dialect: record.dialect, fired, decided, extra: record.extra });
}
