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
const anyOtherRun = fc.constantFrom(...FACTS).map((fact) => ({ ...SILENT, ...fact }) as Run);

it("what a hook's silence means is remembered, and nothing else is read by it", () => {
  fc.assert(
    fc.property(
      anyTerms,
      anyEvent,
      anyEvent,
      anyDialect,
      anyOtherRun,
      (terms, first, second, dialect, run) => {
        const silence = parse(terms, SILENT, ruleFor(first, dialect));
        expect(parse(terms, { ...SILENT, executionTime: 9 }, ruleFor(first, dialect))).toBe(silence);
        for (const event of [first, second]) {
          const rule = ruleFor(event, dialect);
          expect(parse(terms, run, rule)).toEqual(parse({ ...terms }, run, rule));
          expect(parse(terms, SILENT, rule)).toEqual(parse({ ...terms }, SILENT, rule));
        }
      },
    ),
  );
});
