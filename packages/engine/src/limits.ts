import { DEFAULT_CAP } from "@belay/core";

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
  /** Blocks of a stop in a row before it goes through; Infinity never lets it. */
  readonly stopCap: number;
}

export const DEFAULT_LIMITS: Limits = {
  outputCap: DEFAULT_CAP,
  killGraceMs: 200,
  maxParallel: 64,
  moduleStartMs: 10_000,
  stopCap: 8,
};

/** Runs tasks with at most `max` at once, in the order they came. */
export function limiter(max: number): <T>(task: () => Promise<T>) => Promise<T> {
  let active = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (active >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else active += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else active -= 1;
    }
  };
}
