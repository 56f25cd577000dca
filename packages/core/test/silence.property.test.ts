import { parse, type Run, ruleFor } from "@belay/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { anyDialect, anyEvent, anyTerms } from "./arbitraries.ts";

const SILENT: Run = {
  exitCode: 0,
  stdout: "",
  stderr: "",
  executionTime: 1,
  timedOut: false,
  truncated: false,
};

/** One fact each that makes a run something else. */
const FACTS: Partial<Run>[] = [
  { exitCode: 1 },
  { exitCode: 2 },
  { stdout: "words" },
  { stderr: "words" },
  { timedOut: true },
  { truncated: true },
  { cut: ["stdout"] },
  { signal: "SIGKILL" },
  { failure: { kind: "start", detail: "it is not there" } },
  { notUtf8: ["stderr"] },
  { leftOpen: true },
  { unset: ["TOKEN"] },
];
const anyRule = fc.tuple(anyEvent, anyDialect).map(([event, dialect]) => ruleFor(event, dialect));
const anyOtherRun = fc.constantFrom(...FACTS).map((fact) => ({ ...SILENT, ...fact }) as Run);

it("what a hook's silence means is remembered, and nothing else is read by it", () => {
  fc.assert(
    fc.property(anyTerms, anyRule, anyRule, anyOtherRun, (terms, first, second, run) => {
      const silence = parse(terms, SILENT, first);
      expect(parse(terms, { ...SILENT, executionTime: 9 }, first)).toBe(silence);
      for (const rule of [first, second]) {
        expect(parse(terms, run, rule)).toEqual(parse({ ...terms }, run, rule));
        expect(parse(terms, SILENT, rule)).toEqual(parse({ ...terms }, SILENT, rule));
      }
    }),
  );
});
