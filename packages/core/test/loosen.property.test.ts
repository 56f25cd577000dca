import { type DecisionKind, type Outcome, type Run, ruleFor } from "@belay/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  anyDialect,
  anyEnding,
  anyEvent,
  anyStdout,
  anyTerms,
  asJson,
  BANNERS,
  MARK,
  nearlyRight,
  OPENERS,
  ownEnding,
  runOf,
} from "./arbitraries.ts";
import { outcomeOf, type Ran } from "./pipeline.ts";

const STRICTNESS: Record<DecisionKind, number> = { none: 0, allow: 0, ask: 1, deny: 2, block: 2, stop: 3 };

const enforced = anyTerms.map((terms) => ({ ...terms, mode: "enforce" as const }));
const anyStderr = fc.constantFrom("", "", "no\n");
const anyBanner = fc.constantFrom(...BANNERS);

/** An object that is meant for us, with MARK in all of its texts. */
const anAnswer = anyEvent.chain((event) =>
  nearlyRight(event)
    .map((object) => ({ systemMessage: `${MARK} said`, ...object }))
    .chain((object) => asJson(object).map((json) => ({ event, json }))),
);

const unfinished: fc.Arbitrary<Partial<Run>> = fc.oneof(
  fc.constantFrom<Partial<Run>>(
    { timedOut: true, failure: { kind: "timeout", detail: "after 60 s" } },
    { signal: "SIGKILL", failure: { kind: "signal", detail: "SIGKILL" } },
    { failure: { kind: "abort", detail: "aborted" } },
    { exitCode: 127 },
    { exitCode: 126 },
    { exitCode: 0, cut: ["stdout"] },
    { exitCode: 2, cut: ["stdout", "stderr"] },
  ),
  anyEnding.map((ending) => ({ ...ending, cut: ["stdout"] as const })),
);

interface Case {
  readonly event: Outcome["event"];
  readonly ran: Ran;
}

const caseOf = (
  printed: fc.Arbitrary<{ event: Outcome["event"]; stdout: string }>,
  ending: fc.Arbitrary<Partial<Run>>,
): fc.Arbitrary<Case> =>
  fc
    .tuple(printed, ending, anyStderr, enforced, anyDialect)
    .map(([{ event, stdout }, end, stderr, terms, dialect]) => ({
      event,
      ran: { terms, dialect, run: runOf(end, stdout, stderr) },
    }));

/** An answer among other text. */
const mixed = caseOf(
  fc.tuple(anAnswer, anyBanner, anyBanner, fc.nat(2)).map(([{ event, json }, before, after, where]) => ({
    event,
    stdout: [where !== 1 ? before : "", json, where !== 0 ? after : ""].join("\n"),
  })),
  ownEnding,
);

/** An answer, whole or only its beginning, of a hook that did not get to its end. */
const interrupted = caseOf(
  anAnswer.chain(({ event, json }) =>
    fc
      .oneof(fc.constant(json.length), fc.nat(json.length))
      .map((end) => ({ event, stdout: json.slice(0, end) })),
  ),
  unfinished,
);

/** One sound-looking object with a known field of a wrong type in it. */
const invalid = caseOf(
  fc
    .tuple(
      anyEvent,
      fc.constantFrom({ continue: "yes" }, { systemMessage: 7 }, { suppressOutput: [] }, { reason: {} }),
    )
    .chain(([event, wrong]) =>
      nearlyRight(event).map((object) => ({ event, stdout: JSON.stringify({ ...object, ...wrong }) })),
    ),
  ownEnding,
);

function expectNotLooser({ event, ran }: Case): Outcome {
  const silent = outcomeOf(event, [{ ...ran, run: { ...ran.run, stdout: "" } }]);
  const outcome = outcomeOf(event, [ran]);
  expect(outcome.decision.kind).not.toBe("allow");
  expect(STRICTNESS[outcome.decision.kind]).toBeGreaterThanOrEqual(STRICTNESS[silent.decision.kind]);
  expect(outcome).not.toHaveProperty("updatedInput");
  expect(outcome).not.toHaveProperty("updatedPrompt");
  return outcome;
}

function expectUnheard(outcome: Outcome): void {
  const heard = outcome.messages.filter(({ to, block }) => to === "agent" && block.content.includes(MARK));
  expect(heard).toEqual([]);
  const context = outcome.messages.filter(
    ({ to, block }) => to === "agent" && block.metadata?.kind === "context",
  );
  expect(context).toEqual([]);
}

describe("output that is not one sound object", () => {
  it.each([
    ["mixed with other text", mixed],
    ["interrupted", interrupted],
    ["invalid", invalid],
  ])("never loosens and never reaches the agent: %s", (_, cases) => {
    fc.assert(
      fc.property(cases, (given) => expectUnheard(expectNotLooser(given))),
      { numRuns: 2500 },
    );
  });

  it("never loosens behind a beginning that never ends", () => {
    const behind = caseOf(
      fc
        .tuple(anAnswer, fc.constantFrom(...OPENERS), fc.constantFrom("", "\n", " "))
        .map(([{ event, json }, opener, gap]) => ({ event, stdout: opener + gap + json })),
      fc.oneof(ownEnding, unfinished),
    );
    fc.assert(
      fc.property(behind, (given) => void expectNotLooser(given)),
      { numRuns: 1500 },
    );
  });

  it("keeps a restriction that a whole answer would have made, whatever stands before it and however the hook ends", () => {
    const printed = fc.tuple(
      anAnswer,
      fc.constantFrom(...OPENERS, ...BANNERS, ""),
      fc.constantFrom("", "\n", " "),
      fc.oneof(ownEnding, unfinished),
      anyDialect,
      enforced,
    );
    fc.assert(
      fc.property(printed, ([{ event, json }, before, gap, ending, dialect, terms]) => {
        const ran = (end: Partial<Run>, stdout: string) => ({ terms, dialect, run: runOf(end, stdout, "") });
        const whole = outcomeOf(event, [ran({ exitCode: 0 }, json)]);
        const disturbed = outcomeOf(event, [ran(ending, before + gap + json)]);
        expect(STRICTNESS[disturbed.decision.kind]).toBeGreaterThanOrEqual(STRICTNESS[whole.decision.kind]);
      }),
      { numRuns: 2500 },
    );
  });
});

describe("onFailure: block", () => {
  it("only ever tightens, and leaves no failure unanswered where a step can be refused", () => {
    const cases = anyEvent.chain((event) =>
      fc.record({
        event: fc.constant(event),
        dialect: anyDialect,
        ending: fc.oneof(ownEnding, anyEnding),
        stdout: anyStdout(event),
        stderr: anyStderr,
      }),
    );
    fc.assert(
      fc.property(cases, ({ event, dialect, ending, stdout, stderr }) => {
        const run = runOf(ending, stdout, stderr);
        const by = (onFailure: "continue" | "block") =>
          outcomeOf(event, [{ terms: { name: "guard", onFailure, mode: "enforce" }, dialect, run }]);
        const [open, closed] = [by("continue"), by("block")];
        expect(STRICTNESS[closed.decision.kind]).toBeGreaterThanOrEqual(STRICTNESS[open.decision.kind]);
        if (closed.runs[0]?.fault !== undefined && ruleFor(event, dialect).refusal)
          expect(closed.blocked).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});
