import { mayRunAway } from "./runaway.ts";

/** A compiled matcher: how it reads, and the test. */
export interface Matcher {
  readonly source: string;
  readonly kind: "all" | "names" | "pattern" | "unsafe-pattern";
  readonly names?: readonly string[];
  test(value: string): boolean;
}

/** Compiles a pattern on an engine that runs in linear time; throws on what that engine does not support. */
export type PatternEngine = (pattern: string) => { test(value: string): boolean };

const PLAIN = /^[A-Za-z0-9_\-, |]*$/;

/** Longest value a fallback RegExp is given: what patterns that cannot run away cost grows with its length. */
const UNSAFE_LENGTH = 64;

/** Whether this matcher needs the pattern engine at all; plain names do not. */
export function isPattern(source: string): boolean {
  return source !== "*" && !PLAIN.test(source);
}

/** Compiles a matcher (DESIGN §7). Throws a SyntaxError when no engine can run it, or none in bounded time. */
export function compileMatcher(source: string, patterns: PatternEngine | undefined): Matcher {
  if (source === "" || source === "*") return { source, kind: "all", test: () => true };
  if (!isPattern(source)) {
    const names = source
      .split(/[|,]/)
      .map((name) => name.trim())
      .filter((name) => name !== "");
    const exact = new Set(names);
    return { source, kind: "names", names, test: (value) => exact.has(value) };
  }
  const checked = new RegExp(source);
  const safe = patterns && attempt(patterns, source);
  if (safe) return { source, kind: "pattern", test: (value) => safe.test(value) };
  if (patterns && mayRunAway(source)) {
    throw new SyntaxError("only RegExp can run it, and its repeats could keep RegExp busy for ever");
  }
  return { source, kind: "unsafe-pattern", test: (value) => checked.test(value.slice(0, UNSAFE_LENGTH)) };
}

function attempt(patterns: PatternEngine, source: string): ReturnType<PatternEngine> | undefined {
  try {
    return patterns(source);
  } catch {
    return undefined;
  }
}

/** The linear-time engine, loaded only when a config has a pattern in it. */
export async function loadPatternEngine(): Promise<PatternEngine> {
  const { RE2JS } = await import("re2js");
  return (pattern) => {
    const compiled = RE2JS.compile(pattern);
    return { test: (value) => compiled.test(value) };
  };
}
