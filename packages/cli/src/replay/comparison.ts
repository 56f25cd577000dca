import {
  DECISION_KINDS,
  type DialectName,
  type EventName,
  isDialectName,
  isEventName,
  type Outcome,
  type Rewrites,
  type RunReport,
  replay,
} from "@belay/core";
import {
  agentTold,
  beyond,
  type Change,
  differenceOf,
  isKnownRun,
  isSame,
  type Settled,
  whyNoAnswer,
} from "@belay/core/compare";
import { eventRow, hasLetter, isObject } from "@belay/core/internal";
import type { EventRecord } from "@belay/engine";
import type { Unanswered } from "../records/outcome.ts";
import { messagesOf } from "../records/outcome.ts";
import { callText } from "../render/brief.ts";

/** Why an event cannot be held against what was recorded. */
export const NOT_COMPARABLE = {
  unreadable: "of an event, a dialect, a decision or a failure that is not known here",
  redacted: "with secrets taken out of the record",
  shortened: "with a payload too long to be kept whole",
  "folder-gone": "whose folder is gone",
  untrusted: "with a hook that is not trusted and did not run",
  "config-unreadable": "in a folder whose hooks cannot all be read",
  "payload-refused": "with a payload that no hook can be given",
  "tool-schema": "denied by the schema of the tool, which is not recorded",
  "stop-cap": "of a stop that had been blocked too often",
} as const;
export type NotComparable = keyof typeof NOT_COMPARABLE;

export interface Comparison {
  readonly id: string;
  readonly time: string;
  readonly session: string;
  readonly event: string;
  readonly about?: string;
  readonly call?: string;
  readonly before: Side;
  readonly after: Side;
  readonly changes: readonly (Change | Otherwise)[];
  readonly loosened: boolean;
  readonly differs: readonly string[];
  /** The hooks that give no answer now, and gave one; the reason of the first. */
  readonly noAnswer?: { readonly hook: string; readonly why: string };
  readonly adds?: string;
  readonly slows?: string;
}

/** Only where no hook was run: the same answers come to the same decision, and the user or the agent is told something else. */
export type Otherwise = "otherwise";

export interface Side extends Pick<Outcome, "decision" | keyof Rewrites> {
  readonly context?: readonly string[];
  readonly faults: readonly string[];
  /** Milliseconds of the slowest hook; absent where none ran. */
  readonly slowest?: number;
}

/** Time says more of the machine than of a policy. */
export function isOnlySlower({ changes }: Comparison): boolean {
  return changes.every((change) => change === "slower");
}

export type Compared = Comparison | NotComparable;

/** Decides a recorded event anew, by another dialect if one is given; nothing is run. Undefined when it comes to the same. */
export function decidedAnew(record: EventRecord, dialect?: DialectName): Compared | undefined {
  const why = whyNotDecided(record);
  if (why) return why;
  const { runs, ...outcome } = replay(dialect ? readAs(record, dialect) : record);
  const before = recordedOutcome(record);
  const differs = differing(before, outcome);
  if (differs.length === 0) return undefined;
  const compared = comparison(record, settled(before, runs), settled(outcome, runs), differs);
  return compared.changes.length > 0 ? compared : { ...compared, changes: ["otherwise"] };
}

/** The outcome to compare with. A redacted record is decided the same way, but its words may differ: then it is decided anew. */
function recordedOutcome(record: EventRecord): EventRecord["outcome"] {
  if (!record.redacted) return record.outcome;
  const { runs: _, ...again } = replay(record);
  return isSame(shapeOf(record.outcome), shapeOf(again)) ? again : record.outcome;
}

/** Named by the user, a dialect is read to the letter of its system (design §7). */
function readAs(record: EventRecord, dialect: DialectName): EventRecord {
  const simulated = hasLetter(dialect);
  return { ...record, dialect, hooks: record.hooks.map((hook) => ({ ...hook, dialect, simulated })) };
}

export function firedAnew(record: EventRecord, { runs, ...outcome }: Outcome): Comparison {
  const old = replay(record).runs;
  const before = settled(record.outcome, old);
  const compared = comparison(record, before, settled(outcome, runs), differing(record.outcome, outcome));
  return { ...compared, ...subjectsOf(compared.changes, record.event, old, runs) };
}

function subjectsOf(
  changes: Comparison["changes"],
  event: EventName,
  old: readonly RunReport[],
  runs: readonly RunReport[],
): Pick<Comparison, "noAnswer" | "adds" | "slows"> {
  const silent = newlySilent(silentOf(old, event), silentOf(runs, event));
  const [first] = silent;
  const [slowest] = [...runs].sort((a, b) => b.executionTime - a.executionTime);
  const added = (["rewrite", "context"] as const).find((kind) => changes.includes(kind));
  const adds = added && (onlyAdder(runs, added) ?? onlyAdder(old, added));
  return {
    ...(first && {
      noAnswer: {
        hook: silent.map(({ hook }) => hook).join(", "),
        why: first.why,
      },
    }),
    ...(adds !== undefined && { adds }),
    ...(slowest && changes.includes("slower") && { slows: slowest.hook }),
  };
}

export function silentOf(runs: readonly RunReport[], event: EventName): Unanswered[] {
  return runs.flatMap((run) => {
    const why = whyNoAnswer(run, event);
    return why === undefined ? [] : [{ hook: run.hook, why }];
  });
}

/** Hooks that give no answer now and gave one before. Of several with one name, those with a new reason come first. */
function newlySilent(old: readonly Unanswered[], now: readonly Unanswered[]): Unanswered[] {
  const whole = ({ hook, why }: Unanswered) => JSON.stringify([hook, why]);
  return beyond(beyond(now, old, whole), beyond(old, now, whole), ({ hook }) => hook);
}

/** Of several, nobody knows whose it is. */
function onlyAdder(runs: readonly RunReport[], kind: "rewrite" | "context"): string | undefined {
  const [one, another] = runs.filter(({ adds }) => adds?.includes(kind));
  return another ? undefined : one?.hook;
}

export function whyNotFired(record: EventRecord): NotComparable | undefined {
  const why = whyNotDecided(record);
  if (why) return why;
  if (record.redacted) return "redacted";
  if (record.shortened) return "shortened";
  if (record.context.misfit !== undefined) return "tool-schema";
  const { diagnostics } = record.outcome;
  return diagnostics.some(({ code }) => code === "stop-cap") ? "stop-cap" : undefined;
}

/** Journals of other versions may name what this one does not know. */
export function whyNotDecided(record: EventRecord): NotComparable | undefined {
  const isKnown = hasKnownFacts(record) && DECISION_KINDS.includes(record.outcome.decision.kind);
  return isKnown ? undefined : "unreadable";
}

/** True if the facts of a record are enough to decide it anew. */
export function hasKnownFacts({ event, dialect, hooks, context, extra, outcome }: EventRecord): boolean {
  return (
    isEventName(event) &&
    isDialectName(dialect) &&
    hooks.every((hook) => isKnownRun(event, hook)) &&
    [extra, outcome.diagnostics].every((list) => Array.isArray(list) && list.every(isObject)) &&
    isObject(context)
  );
}

const PARTS = [
  "decision",
  "action",
  "blocked",
  "updatedInput",
  "updatedPrompt",
  "updatedToolOutput",
  "messages",
  "diagnostics",
] as const;

function differing(before: EventRecord["outcome"], after: EventRecord["outcome"]): string[] {
  return PARTS.filter((part) => !isSame(before[part], after[part]));
}

function shapeOf({ action, blocked, decision, ...outcome }: EventRecord["outcome"]) {
  const { updatedInput, updatedPrompt, updatedToolOutput } = outcome;
  const { kind, hook, interrupt } = decision;
  return {
    action,
    blocked,
    kind,
    hook,
    interrupt,
    rewrites: [typeof updatedInput, typeof updatedPrompt, typeof updatedToolOutput],
  };
}

function settled(outcome: EventRecord["outcome"], runs: readonly RunReport[]): Settled {
  return {
    ...outcome,
    messages: messagesOf(outcome),
    faults: silentOf(runs, outcome.event).map(({ hook }) => hook),
    ...(runs.length > 0 && {
      slowest: runs.reduce((most, { executionTime }) => Math.max(most, executionTime), 0),
    }),
  };
}

function sideOf({ decision, faults, slowest, messages, ...rewrites }: Settled): Side {
  const { updatedInput, updatedPrompt, updatedToolOutput } = rewrites;
  const context = agentTold({ messages });
  return {
    decision,
    ...(updatedInput && { updatedInput }),
    ...(updatedPrompt !== undefined && { updatedPrompt }),
    ...(updatedToolOutput !== undefined && { updatedToolOutput }),
    ...(context.length > 0 && { context }),
    faults,
    ...(slowest !== undefined && { slowest }),
  };
}

function comparison(
  record: EventRecord,
  before: Settled,
  after: Settled,
  differs: readonly string[],
): Comparison {
  const { id, time, session, event, payload } = record;
  const about = payload[eventRow(event).matcher ?? ""];
  const call = callText(payload);
  return {
    id,
    time,
    session,
    event,
    ...(typeof about === "string" && { about }),
    ...(call !== "" && { call }),
    before: sideOf(before),
    after: sideOf(after),
    ...differenceOf(before, after, payload),
    differs,
  };
}
