import { createContext, Script } from "node:vm";
import { loadPatternEngine, type PatternEngine } from "@belay/core";

/** The pattern engine with a time limit on what needs backtracking. */
export function loadPatterns(): Promise<PatternEngine> {
  return loadPatternEngine(boundedPattern);
}

const LIMIT_MS = 50;

/**
 * A pattern that needs backtracking, run with a time limit: some never come to an end, and a name is enough to set one
 * off. What takes too long counts as a match: a hook that fires once too often is better than a guard that is silent.
 */
function boundedPattern(pattern: string): { test(value: string): boolean } {
  const context = createContext({ pattern: new RegExp(pattern), value: "" });
  const script = new Script("pattern.test(value)");
  return {
    test: (value) => {
      context.value = value;
      try {
        return script.runInContext(context, { timeout: LIMIT_MS }) === true;
      } catch {
        return true;
      }
    },
  };
}
