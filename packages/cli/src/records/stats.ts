import { type EventRecord, isRefused, type Relayed, replay } from "@belay/core";
import { relayWords, waitedFor, whyNoAnswer } from "@belay/core/compare";
import { otherReaderOf } from "@belay/core/internal";

/** What one hook did and cost, over many events. Times are milliseconds. */
export interface HookStats {
  readonly hook: string;
  readonly file: string;
  readonly runs: number;
  /** Runs that could not start, timed out, died or printed what is no answer (design §4.9). */
  readonly faults: number;
  /** Runs without an answer that are no fault: an exit with neither 0 nor 2, or a 2 of an interpreter that had nothing to run. */
  readonly failed: number;
  readonly denies: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** What events waited for it, and its share of all that was waited. */
  readonly waited: number;
  readonly share: number;
  /** Of a cold command hook: what its processes took to start, at most. */
  readonly starting?: number;
}

/** What another agent asked of the relay, and what of the outcomes it was not told: how often, by the words for it. */
export interface AgentStats {
  readonly agent: string;
  readonly events: number;
  readonly told: Readonly<Record<string, number>>;
}

export interface Stats {
  /** Absent where no agent asked. */
  readonly agents?: readonly AgentStats[];
  readonly events: number;
  readonly waited: number;
  readonly hooks: readonly HookStats[];
  /** The one whose processes took the most time to start; an entry that another agent reads as well is not to say "warm". */
  readonly warmFirst?: HookStats;
}

interface Counted {
  readonly hook: string;
  readonly file: string;
  readonly times: ReturnType<typeof histogram>;
  faults: number;
  failed: number;
  denies: number;
  waited: number;
  isCold: boolean;
  answers: number;
  fastest: number;
}

/** What is held grows with the number of hooks, not of events. */
export function hookStats(): { add(record: EventRecord): void; stats(): Stats } {
  const counted = new Map<string, Counted>();
  const agents = new Map<string, { events: number; told: Record<string, number> }>();
  let events = 0;
  let waited = 0;

  const countRelayed = (relayed: Relayed) => {
    const entry = agents.get(relayed.agent) ?? { events: 0, told: Object.create(null) };
    agents.set(relayed.agent, entry);
    entry.events += 1;
    for (const { words } of relayWords(relayed)) entry.told[words] = (entry.told[words] ?? 0) + 1;
  };
  const entryFor = (hook: string, source: string) => {
    const file = source.replace(/:\d+$/, "");
    const key = `${hook}\0${file}`;
    const entry = counted.get(key) ?? {
      hook,
      file,
      times: histogram(),
      faults: 0,
      failed: 0,
      denies: 0,
      waited: 0,
      isCold: false,
      answers: 0,
      fastest: Number.POSITIVE_INFINITY,
    };
    counted.set(key, entry);
    return entry;
  };

  return {
    add: (record) => {
      events += 1;
      if (record.relayed) countRelayed(record.relayed);
      const { runs } = replay(record);
      const waiting = waitedFor(record.hooks);
      waited += waiting.total;
      for (const [index, { name, source, type, warm }] of record.hooks.entries()) {
        const report = runs[index];
        if (!report) continue;
        const entry = entryFor(name, source);
        entry.times.add(report.executionTime);
        entry.isCold = type === "command" && !warm;
        if (isRefused(report.verdict)) entry.denies += 1;
        if (waiting.hooks.includes(index)) entry.waited += report.executionTime;
        if (report.fault !== undefined) entry.faults += 1;
        else if (whyNoAnswer(report, record.event) !== undefined) entry.failed += 1;
        else if (!report.background) {
          entry.answers += 1;
          entry.fastest = Math.min(entry.fastest, report.executionTime);
        }
      }
    },
    stats: () => {
      const hooks = [...counted.values()]
        .map((entry) => statsOf(entry, waited))
        .sort((a, b) => b.waited - a.waited);
      const warmFirst = hooks
        .filter(({ file }) => otherReaderOf(file) === undefined)
        .reduce<HookStats | undefined>(
          (most, hook) => ((hook.starting ?? 0) > (most?.starting ?? 0) ? hook : most),
          undefined,
        );
      const asked = [...agents].map(([agent, counts]) => ({ agent, ...counts }));
      return {
        events,
        waited,
        hooks,
        ...(asked.length > 0 && { agents: asked }),
        ...(warmFirst && { warmFirst }),
      };
    },
  };
}

function statsOf(
  { hook, file, times, faults, failed, denies, waited, ...entry }: Counted,
  total: number,
): HookStats {
  return {
    hook,
    file,
    runs: times.count,
    faults,
    failed,
    denies,
    p50: times.quantile(0.5),
    p95: times.quantile(0.95),
    p99: times.quantile(0.99),
    waited,
    share: total > 0 ? waited / total : 0,
    ...(entry.isCold && entry.answers > 0 && { starting: entry.answers * entry.fastest }),
  };
}

/*
 * Quantiles of times without keeping them: values are counted in buckets whose bounds grow by the same factor, so that the
 * middle of a bucket is at most ERROR away from any value in it, as a share of that value.
 */

/** Every quantile is within this share of a value that was really there. */
export const ERROR = 0.01;

const FACTOR = (1 + ERROR) / (1 - ERROR);
/** Milliseconds; what is less counts as this, and as much time as a journal is kept is below the other. */
const LEAST = 0.001;
const MOST = 3_000_000_000;
const BUCKETS = Math.ceil(Math.log(MOST / LEAST) / Math.log(FACTOR)) + 1;

export function histogram() {
  // Most of them stay empty, and there is a histogram for every hook.
  const buckets = new Map<number, number>();
  let count = 0;
  return {
    get count() {
      return count;
    },
    add: (value: number) => {
      const at = Math.ceil(Math.log(value / LEAST) / Math.log(FACTOR));
      const bucket = Math.min(BUCKETS - 1, Math.max(0, at || 0));
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
      count += 1;
    },
    /** The value that a share of all values is at or below; 0 when there are none. */
    quantile: (share: number) => {
      let left = Math.max(1, Math.ceil(share * count));
      for (const [bucket, inIt] of [...buckets].sort(([a], [b]) => a - b)) {
        left -= inIt;
        // Between the bounds of a bucket, this is the value with the least error for both.
        if (left <= 0) return (LEAST * FACTOR ** bucket * 2) / (FACTOR + 1);
      }
      return 0;
    },
  };
}
