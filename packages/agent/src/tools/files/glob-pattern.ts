import { loadPatternEngine } from "@belay/core";
import picomatch from "picomatch";

/** Extended globs and negation are left out: what they mean depends on who reads them. */
const OPTIONS = { dot: true, posix: true, noextglob: true, nonegate: true } as const;

/**
 * What picomatch writes to keep `.` and `..` out, and empty names. A walk meets neither, and an engine without
 * backtracking cannot read it.
 */
const LOOKAHEADS = ["(?!\\.{1,2}(?:\\/|$))", "(?!(?:^|\\/)\\.{1,2}(?:\\/|$))", "(?=.)"];

/** What picomatch makes of a pattern that it cannot read. */
const NEVER = "$^";

/**
 * A test for paths with `/` between their parts. The pattern is the model's and the names are anyone's: run by RegExp,
 * six stars on a name of 120 letters take a minute. Throws a SyntaxError for what is no pattern.
 */
export async function globTest(pattern: string): Promise<(path: string) => boolean> {
  const { source } = picomatch.makeRe(pattern, OPTIONS);
  if (source === NEVER) throw new SyntaxError("a bracket or brace is not closed");
  const linear = LOOKAHEADS.reduce((text, lookahead) => text.replaceAll(lookahead, ""), source);
  const engine = await loadPatternEngine();
  const tester = engine.linear(linear);
  return (path) => tester.test(path);
}

/** The folder in which every match is, and the pattern from there: `src/a/*.ts` is `*.ts` in `src/a`. */
export function splitGlob(pattern: string): { readonly folder: string; readonly rest: string } {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => /[\\*?[\]{}()]/.test(part));
  const fixed = first < 0 ? parts.length - 1 : Math.min(first, parts.length - 1);
  const folder = parts.slice(0, fixed).join("/");
  return {
    folder: folder === "" && pattern.startsWith("/") ? "/" : folder,
    rest: parts.slice(fixed).join("/"),
  };
}

/** How deep a match can be: without `**` no deeper than the pattern, so that `/*.conf` does not walk a whole disk. */
export function levelsOf(pattern: string): number {
  return pattern.includes("**") ? Infinity : pattern.split("/").length;
}
