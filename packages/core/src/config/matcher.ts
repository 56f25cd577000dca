/** A compiled matcher: how it reads, and the test. */
export interface Matcher {
  readonly source: string;
  readonly kind: "all" | "names" | "pattern" | "unsafe-pattern";
  readonly names?: readonly string[];
  test(value: string): boolean;
  /** True if the last test was given up, which counts as a match. */
  readonly gaveUp?: boolean;
}

type Tester = Pick<Matcher, "test" | "gaveUp">;

/** How patterns are run. */
export interface PatternEngine {
  /** In linear time; throws on what that cannot do (lookaround, back-references). */
  linear(pattern: string): Tester;
  /** As `linear`: replaces every match of a pattern in a text. */
  replacer(pattern: string): Replacer;
  /** With backtracking, but never for long: a test that takes too long counts as a match, so that a guard still fires. */
  bounded(pattern: string): Tester;
}

export type Replacer = (text: string, by: (match: string) => string) => string;

const PLAIN = /^[A-Za-z0-9_\-, |]*$/;

/** Longest value that is tried with backtracking where nothing ends a test that takes too long. */
const UNTIMED_LENGTH = 64;

/** True if a matcher needs the pattern engine; plain names do not. */
export function isPattern(source: string): boolean {
  return source !== "*" && !PLAIN.test(source);
}

/** Compiles a matcher (design §7). Throws a SyntaxError when it is no pattern under any engine. */
export function compileMatcher(source: string, patterns: PatternEngine | undefined): Matcher {
  if (source === "" || source === "*") return { source, kind: "all", test: () => true };
  if (!isPattern(source)) {
    const names = source
      .split(/[|,]/)
      .map((name) => name.trim())
      .filter((name) => name !== "");
    if (names.length === 0) throw new SyntaxError("it names nothing");
    const exact = new Set(names);
    return { source, kind: "names", names, test: (value) => exact.has(value) };
  }
  const checked = new RegExp(source);
  const linear = patterns && attempt(patterns, source);
  if (linear) return { source, kind: "pattern", test: (value) => linear.test(value) };
  const backtracking = patterns?.bounded(source) ?? untimed(checked);
  return {
    source,
    kind: "unsafe-pattern",
    test: (value) => backtracking.test(value),
    get gaveUp() {
      return backtracking.gaveUp ?? false;
    },
  };
}

/** A longer value counts as a match without a test. A test of its beginning could miss a pattern for its end. */
function untimed(pattern: RegExp): Tester {
  let gaveUp = false;
  return {
    test: (value) => {
      gaveUp = value.length > UNTIMED_LENGTH;
      return gaveUp || pattern.test(value);
    },
    get gaveUp() {
      return gaveUp;
    },
  };
}

function attempt(patterns: PatternEngine, source: string): Tester | undefined {
  try {
    return patterns.linear(source);
  } catch {
    return undefined;
  }
}

/** Loads the pattern engine. A host that can end a long test gives `bounded`. */
export async function loadPatternEngine(
  bounded: PatternEngine["bounded"] = (pattern) => untimed(new RegExp(pattern)),
): Promise<PatternEngine> {
  const { RE2JS } = await import("re2js");
  return {
    linear: (pattern) => {
      const compiled = RE2JS.compile(pattern);
      return { test: (value) => compiled.test(value) };
    },
    replacer: (pattern) => {
      const compiled = RE2JS.compile(pattern);
      return (text, by) => compiled.matcher(text).replaceAll((match: string) => by(match));
    },
    bounded,
  };
}
