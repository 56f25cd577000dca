import { createContext, Script } from "node:vm";
import { loadPatternEngine, type PatternEngine } from "@belay/core";
import { threadCpuMs } from "../process/thread-cpu.ts";

/** The pattern engine with a time limit on what needs backtracking. */
export interface TimedPatterns extends PatternEngine {
  /** A new event: the time for all its patterns together begins anew. */
  renew(): void;
}

export async function loadPatterns(): Promise<TimedPatterns> {
  const { bounded, renew } = timedPatterns();
  return { ...(await loadPatternEngine(bounded)), renew };
}

/** Milliseconds of processor time: on a busy machine the clock runs on while the pattern does not. */
const LIMIT_MS = 50;
const EVENT_LIMIT_MS = 250;
/** Milliseconds of the clock, however busy the machine is. */
const EVENT_WAIT_MS = 2000;

/**
 * Patterns that need backtracking, each with a time limit: some never end, and the name of a tool is enough to set one off.
 * A pattern that takes too long counts as a match, and so does every pattern after the event's whole time is used up: a hook
 * that fires once too often is better than a guard that is silent.
 */
export function timedPatterns(): Pick<TimedPatterns, "renew"> & {
  bounded(pattern: string | RegExp): ReturnType<PatternEngine["bounded"]>;
} {
  // One context for all patterns: each context takes memory, and a file may hold thousands of patterns.
  const context = createContext({ pattern: undefined, value: "", matches: undefined });
  const script = new Script("matches = pattern.test(value)");
  let event = 0;
  let leftMs = EVENT_LIMIT_MS;
  /** Set when the event's first pattern is tested: time before that is not the patterns' own. */
  let deadline: number | undefined;

  /**
   * Undefined when the time was too short. A test that the clock ends before the pattern had the processor for half of its
   * time is run again, for longer.
   */
  function run(pattern: RegExp, value: string): boolean | undefined {
    Object.assign(context, { pattern, value, matches: undefined });
    deadline ??= performance.now() + EVENT_WAIT_MS;
    const enoughMs = Math.min(LIMIT_MS, leftMs) / 2;
    let usedMs = 0;
    for (let limitMs = LIMIT_MS; usedMs < enoughMs; limitMs *= 2) {
      const timeout = Math.ceil(Math.min(limitMs, deadline - performance.now()));
      if (timeout < 1) break;
      const before = threadCpuMs();
      try {
        script.runInContext(context, { timeout });
      } catch {
        // Timed out: the pattern may still have ended, is tried again, or is given up.
      }
      const used = threadCpuMs() - before;
      usedMs += used;
      leftMs -= used;
      if (context.matches !== undefined) return context.matches;
    }
    return undefined;
  }

  return {
    renew: () => {
      event += 1;
      leftMs = EVENT_LIMIT_MS;
      deadline = undefined;
    },
    bounded: (source) => {
      const pattern = new RegExp(source);
      /** An event may ask several times, and gets one answer. */
      let last: { event: number; value: string; matches: boolean | undefined } | undefined;
      return {
        test: (value) => {
          if (last?.event !== event || last.value !== value)
            last = { event, value, matches: run(pattern, value) };
          return last.matches ?? true;
        },
        get gaveUp() {
          return last !== undefined && last.matches === undefined;
        },
      };
    },
  };
}
