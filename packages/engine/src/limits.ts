import { DEFAULT_CAP } from "@belay/core";
import { UsageError } from "./errors.ts";
import { refuseUnknown } from "./options.ts";

/** Every bound of the engine, with its default. */
export interface Limits {
  /** Bytes kept per output stream. */
  readonly outputCap: number;
  /** Milliseconds from TERM to KILL. */
  readonly killGraceMs: number;
  /** Hooks running at once. */
  readonly maxParallel: number;
  /** Milliseconds that the thread of a module hook may take to start, besides the hook's own time. */
  readonly moduleStartMs: number;
  /** Milliseconds after which the process of a warm hook that nobody asks is ended. */
  readonly warmIdleMs: number;
  /** Blocks of a stop in a row before it goes through; Infinity never lets it. */
  readonly stopCap: number;
  /** Bytes that a project's journal may take; the oldest file of it goes when there are more. */
  readonly journalBytes: number;
  /** A file that is so many days older than the third newest day with records goes when another is begun; Infinity keeps it. */
  readonly journalDays: number;
}

export const DEFAULT_LIMITS: Limits = {
  outputCap: DEFAULT_CAP,
  killGraceMs: 200,
  maxParallel: 64,
  moduleStartMs: 10_000,
  warmIdleMs: 300_000,
  stopCap: 8,
  journalBytes: 64 * 1024 * 1024,
  journalDays: 30,
};

/** The longest time that a timer can wait. With a longer one it would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** What each limit may be, from and to. */
const RANGES: Record<keyof Limits, readonly [least: number, most: number]> = {
  outputCap: [0, Number.MAX_SAFE_INTEGER],
  killGraceMs: [0, MAX_TIMER_MS],
  maxParallel: [1, Number.POSITIVE_INFINITY],
  moduleStartMs: [0, MAX_TIMER_MS],
  warmIdleMs: [0, MAX_TIMER_MS],
  stopCap: [0, Number.POSITIVE_INFINITY],
  journalBytes: [64 * 1024, Number.MAX_SAFE_INTEGER],
  journalDays: [1, Number.POSITIVE_INFINITY],
};

/** The given limits over the defaults. Throws a UsageError for a value that would be no limit. */
export function completeLimits(given: Partial<Limits> = {}): Limits {
  const limits: { -readonly [Name in keyof Limits]: number } = { ...DEFAULT_LIMITS };
  refuseUnknown(given, RANGES, "limit");
  for (const name of Object.keys(RANGES) as (keyof Limits)[]) {
    const [least, most] = RANGES[name];
    const value: unknown = given[name];
    if (value === undefined) continue;
    if (typeof value !== "number" || !(value >= least && value <= most))
      throw new UsageError(`limits.${name} must be a number from ${least} to ${most}, not ${String(value)}`);
    limits[name] = value;
  }
  return limits;
}

/** Runs a task when its turn comes, and tells the task whether it had to wait. */
export type Limiter = <T>(task: (waited: boolean) => T | Promise<T>, signal: AbortSignal) => Promise<T>;

/** At most `max` at once, in the order they came. An aborted task is run at once, and has to see the abort itself. */
export function limiter(max: number): Limiter {
  let active = 0;
  const waiting = new Set<() => void>();

  /** false when the signal came first. */
  const turn = (signal: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      const finish = (isTurn: boolean) => {
        waiting.delete(begin);
        signal.removeEventListener("abort", giveUp);
        resolve(isTurn);
      };
      const begin = () => finish(true);
      const giveUp = () => finish(false);
      waiting.add(begin);
      signal.addEventListener("abort", giveUp);
      if (signal.aborted) giveUp();
    });

  return async (task, signal) => {
    const waits = active >= max;
    if (!waits) active += 1;
    else if (!(await turn(signal))) return task(true);
    try {
      return await task(waits);
    } finally {
      const [next] = waiting;
      if (next) next();
      else active -= 1;
    }
  };
}
