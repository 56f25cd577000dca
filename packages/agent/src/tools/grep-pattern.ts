import { loadPatternEngine, messageOf } from "@belay/core";

/** Repeats are written out by the engine: more than so many would make each character dear. */
const REPEATS = 1000;

/** A test for lines, in linear time. Throws with a reason for what is no pattern, or would be too dear. */
export async function lineTest(pattern: string, ignoresCase: boolean): Promise<(line: string) => boolean> {
  // Most patterns are plain words, and those are found many times faster.
  if (!ignoresCase && !/[\\^$.*+?()[\]{}|]/.test(pattern)) return (line) => line.includes(pattern);
  const repeats = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)];
  const total = repeats.reduce((sum, [, least, most]) => sum + Math.max(Number(least), Number(most ?? 0)), 0);
  if (total > REPEATS) throw new Error(`its repeats add up to more than ${REPEATS}`);
  const engine = await loadPatternEngine();
  try {
    const tester = engine.linear(ignoresCase ? `(?i)${pattern}` : pattern);
    return (line) => tester.test(line);
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(/\(\?[=!<]/.test(pattern) ? `${reason} (lookaround is not available)` : reason);
  }
}
