import {
  type DecideContext,
  DIAGNOSTICS,
  DIALECT_NAMES,
  type EventName,
  isRefused,
  type Outcome,
  outcomeSchema,
  replay,
  ruleFor,
} from "@belay/core";
import { COMMON_EVENT_NAMES, eventRow } from "@belay/core/internal";
import { outcomeJsonSchema } from "@belay/core/schema";
import { Ajv, type AnySchema } from "ajv";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { anyDialect, anyEvent, anyRun, anyTerms } from "./arbitraries.ts";
import { outcomeOf, type Ran, recordOf } from "./pipeline.ts";

const isOutcome = new Ajv({ strict: false }).compile(outcomeJsonSchema() as AnySchema);

const anyRan = (event: EventName): fc.Arbitrary<Ran> =>
  fc.record({ terms: anyTerms, dialect: anyDialect, run: anyRun(event) });

/** Some were given the rewrite of one before them. */
const anyChain = (event: EventName): fc.Arbitrary<Ran[]> =>
  fc
    .array(fc.tuple(anyRan(event), fc.option(fc.nat(3), { freq: 2, nil: undefined })), {
      minLength: 1,
      maxLength: 4,
    })
    .map((ran) =>
      ran.map(([one, saw], index) => (saw === undefined || saw >= index ? one : { ...one, saw })),
    );

const anyContext: fc.Arbitrary<DecideContext> = fc.record(
  {
    stops: fc.record({ soFar: fc.nat(9), cap: fc.nat(9) }),
    misfit: fc.constantFrom("command: expected a string"),
  },
  { requiredKeys: [] },
);

/** What must have been filled in by the time a diagnostic is shown. */
const NAMES = JSON.stringify(DIAGNOSTICS).match(/(?<=\{)[a-z]+(?=\})/g) ?? [];
const PLACEHOLDER = new RegExp(`\\{(?:${[...new Set(NAMES)].join("|")})\\}`);

interface Case {
  readonly event: EventName;
  readonly ran: readonly Ran[];
  readonly context: DecideContext;
}

const caseOf = (event: EventName): fc.Arbitrary<Case> =>
  fc.record({
    event: fc.constant(event),
    ran: anyChain(event),
    context: fc.oneof(
      { arbitrary: fc.constant({}), weight: 3 },
      {
        arbitrary: eventRow(event).answers.includes("updatedInput") ? anyContext : fc.constant({}),
        weight: 1,
      },
      {
        arbitrary:
          eventRow(event).stopChain === "link"
            ? anyContext.map(({ stops }) => (stops ? { stops } : {}))
            : fc.constant({}),
        weight: 1,
      },
    ),
  });
const anyCase = anyEvent.chain(caseOf);
const commonCase = fc.constantFrom(...COMMON_EVENT_NAMES).chain(caseOf);

interface KindsCase {
  readonly event: EventName;
  readonly ran: readonly Pick<Ran, "dialect">[];
}

/** Every kind the table lets an event decide, in any of the dialects its hooks are read by. */
function possibleKinds({ event, ran }: KindsCase): Set<string> {
  const kinds = new Set(["none", "stop"]);
  for (const { dialect } of ran) {
    const rule = ruleFor(event, dialect);
    if (rule.refusal) kinds.add(rule.refusal);
    if (rule.answers.includes("permissionDecision"))
      for (const kind of ["allow", "ask", "deny"]) kinds.add(kind);
  }
  return kinds;
}

function possibleActions({ event, ran }: Case): Set<string> {
  const actions = new Set(["continue", "stop", "error-displayed", "context-injected"]);
  const row = eventRow(event);
  for (const { dialect } of ran) {
    const rule = ruleFor(event, dialect);
    if (rule.refusal && row.exit2 !== "notice") actions.add(row.blockedAction);
    if (rule.answers.includes("permissionDecision")) actions.add("ask-user");
  }
  return actions;
}

function expectPossible(given: Case, outcome: Outcome): void {
  const { answers, further = [] } = eventRow(given.event);
  expect(possibleKinds(given)).toContain(outcome.decision.kind);
  expect(possibleActions(given)).toContain(outcome.action);
  if (!answers.includes("updatedInput")) expect(outcome).not.toHaveProperty("updatedInput");
  if (!answers.includes("updatedPrompt")) expect(outcome).not.toHaveProperty("updatedPrompt");
  if (!further.includes("updatedToolOutput")) expect(outcome).not.toHaveProperty("updatedToolOutput");
  if (outcome.decision.interrupt) expect(outcome.decision.kind).toBe("deny");
  if (outcome.blocked) {
    expect(outcome).not.toHaveProperty("updatedInput");
    expect(outcome).not.toHaveProperty("updatedPrompt");
  }
}

/** A blocked prompt reaches the agent by no way; a stop carries no context (design §5). */
function expectNothingCarried(outcome: Outcome): void {
  const toAgent = outcome.messages.filter(({ to }) => to === "agent");
  if (outcome.action === "block-prompt") expect(toAgent).toEqual([]);
  if (outcome.decision.kind === "stop" && outcome.event === "UserPromptSubmit") expect(toAgent).toEqual([]);
}

/** Every text has words, and every restriction has a reason and a hook. */
function expectWords({ decision, messages, diagnostics }: Outcome): void {
  if (isRefused(decision.kind) || decision.kind === "ask") {
    expect(decision.reason?.trim()).toBeTruthy();
    expect(decision.hook).toBeTruthy();
  }
  expect(messages.filter(({ block }) => block.content.trim() === "")).toEqual([]);
  for (const { message, fix } of diagnostics) expect(message + fix).not.toMatch(PLACEHOLDER);
}

describe("whatever hooks print and however they end", () => {
  it("the outcome is sound, has words, and is the same when it is replayed", () => {
    fc.assert(
      fc.property(anyCase, (given) => {
        const record = recordOf(given.event, given.ran, given.context);
        const outcome = outcomeOf(given.event, given.ran, given.context);
        const printed = JSON.parse(JSON.stringify(outcome));
        expect(v.safeParse(outcomeSchema, outcome).issues ?? []).toEqual([]);
        expect(isOutcome(printed) ? [] : isOutcome.errors).toEqual([]);
        expect(outcome.blocked).toBe(["deny", "block", "stop"].includes(outcome.decision.kind));
        expect(outcome.blocked).toBe(isRefused(outcome.decision.kind));
        expectPossible(given, outcome);
        expectNothingCarried(outcome);
        expectWords(outcome);
        expect(replay(JSON.parse(JSON.stringify(record)))).toEqual(printed);
      }),
      { numRuns: 1000 },
    );
  });

  it("a hook in observe mode changes nothing and says nothing to the agent", () => {
    fc.assert(
      fc.property(anyCase, ({ event, ran }) => {
        const observed = ran.map((one) => ({ ...one, terms: { ...one.terms, mode: "observe" as const } }));
        const { action, decision, messages, ...rest } = outcomeOf(event, observed);
        expect({ action, decision }).toEqual({ action: "continue", decision: { kind: "none" } });
        expect(rest).not.toHaveProperty("updatedInput");
        expect(rest).not.toHaveProperty("updatedPrompt");
        expect(messages.filter(({ to, block }) => to !== "user" || block.type !== "warn")).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it("reaches every kind of decision on the common events that have it", () => {
    const seen = new Map<EventName, Set<string>>(COMMON_EVENT_NAMES.map((event) => [event, new Set()]));
    fc.assert(
      fc.property(commonCase, ({ event, ran }) => {
        seen.get(event)?.add(outcomeOf(event, ran.slice(0, 1)).decision.kind);
      }),
      { numRuns: 12_000, seed: 7 },
    );
    const ran = DIALECT_NAMES.map((dialect) => ({ dialect }));
    for (const [event, kinds] of seen) expect([event, kinds]).toEqual([event, possibleKinds({ event, ran })]);
  });
});
