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

/** Of the processor's time: a busy machine lets the clock run on while it does something else. */
const LIMIT_MS = 50;
const EVENT_LIMIT_MS = 250;
/** Of the clock's, however busy the machine is. */
const EVENT_WAIT_MS = 2000;

/**
 * Patterns that need backtracking, run with a time limit: some never come to an end, and a name is enough to set one
 * off. What takes too long counts as a match, and so does what comes after the time of all of them together: a hook that
 * fires once too often is better than a guard that is silent.
 */
function timedPatterns(): Pick<TimedPatterns, "bounded" | "renew"> {
  // One for all: each takes its memory, and a file may hold thousands of patterns.
  const context = createContext({ pattern: undefined, value: "", matches: undefined });
  const script = new Script("matches = pattern.test(value)");
  let event = 0;
  let leftMs = EVENT_LIMIT_MS;
  /** From the event's first pattern on: what comes before it is not their time. */
  let deadline: number | undefined;

  /**
   * Undefined when there was no time for it. A test that the clock ends before the pattern had the processor for at least
   * half of its time is run again, for longer.
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
        // It is given up below, has its next try, or had ended before a busy machine let the clock be stopped.
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
      /** One event asks several times, and gets one answer. */
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
