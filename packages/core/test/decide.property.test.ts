import { type DecisionKind, decide, type Verdict } from "@belay/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const STRICTNESS: Record<DecisionKind, number> = { none: 0, allow: 1, ask: 2, deny: 3, block: 3, stop: 4 };

const anyVerdict: fc.Arbitrary<Verdict> = fc
  .record({
    kind: fc.constantFrom("abstain", "allow", "ask", "deny", "stop"),
    rewrites: fc.nat(3).map((lot) => lot === 0),
    observed: fc.nat(5).map((lot) => lot === 0),
  })
  .map(({ kind, rewrites, observed }) => ({
    hook: "guard",
    dialect: "wave",
    kind: kind as Verdict["kind"],
    ...(rewrites && { updatedInput: { command: "true" } }),
    parts: [],
    diagnostics: [],
    read: "json",
    observed,
  }));

const shuffled = (verdicts: fc.Arbitrary<Verdict[]>) =>
  verdicts.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
    ),
  );

const enforces = ({ observed, updatedInput }: Verdict) => !observed && updatedInput !== undefined;

describe("decide", () => {
  it("reaches the same kind in any order, where at most one hook rewrites", () => {
    const verdicts = fc
      .array(anyVerdict, { maxLength: 6 })
      .filter((list) => list.filter(enforces).length <= 1);
    fc.assert(
      fc.property(shuffled(verdicts), ([list, other]) => {
        expect(decide(other).decision.kind).toBe(decide(list).decision.kind);
      }),
      { numRuns: 2000 },
    );
  });

  it("reaches the same restriction in any order, whoever rewrites", () => {
    fc.assert(
      fc.property(shuffled(fc.array(anyVerdict, { maxLength: 6 })), ([list, other]) => {
        const kinds = [decide(list), decide(other)].map(({ decision }) => decision.kind);
        const [a, b] = kinds.map((kind) => Math.max(STRICTNESS[kind], STRICTNESS.allow));
        expect(a).toBe(b);
      }),
      { numRuns: 2000 },
    );
  });

  it("is as strict as the strictest hook, and one more hook never loosens it", () => {
    fc.assert(
      fc.property(fc.array(anyVerdict, { maxLength: 6 }), anyVerdict, (list, more) => {
        const kind = decide(list).decision.kind;
        const strictest = Math.max(
          0,
          ...list
            .filter((v) => !v.observed && v.kind !== "allow")
            .map((v) => STRICTNESS[v.kind === "abstain" ? "none" : v.kind]),
        );
        expect(STRICTNESS[kind]).toBeGreaterThanOrEqual(strictest);
        if (STRICTNESS[kind] >= STRICTNESS.ask)
          expect(STRICTNESS[decide([...list, more]).decision.kind]).toBeGreaterThanOrEqual(STRICTNESS[kind]);
      }),
      { numRuns: 2000 },
    );
  });
});
