import { DIALECT_NAMES, type DialectName, EVENT_NAMES, type EventName } from "@belay/core";
import { outputSchema } from "@belay/core/schema";
import { Ajv, type AnySchema } from "ajv";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { anyDialect, anyEvent, nearlyRight, runOf } from "./arbitraries.ts";
import { outcomeOf } from "./pipeline.ts";

type Json = Record<string, unknown>;

const ajv = new Ajv();
const VALIDATORS = new Map(
  EVENT_NAMES.flatMap((event) =>
    DIALECT_NAMES.map(
      (dialect) => [`${event} ${dialect}`, ajv.compile(outputSchema(event, dialect) as AnySchema)] as const,
    ),
  ),
);

function isValid(event: EventName, dialect: DialectName, answer: Json): boolean {
  return VALIDATORS.get(`${event} ${dialect}`)?.(answer) === true;
}

/** What the engine remarks about an answer's fields. */
function remarks(event: EventName, dialect: DialectName, answer: Json): string[] {
  const terms = { name: "guard", onFailure: "continue", mode: "enforce" } as const;
  const run = runOf({ exitCode: 0 }, JSON.stringify(answer), "");
  return outcomeOf(event, [{ terms, dialect, run }])
    .diagnostics.map(({ code }) => code)
    .filter((code) => code.startsWith("output-"));
}

/** Something said was lost, or taken as something else. The rest is said of answers that hold. */
const LOST = [
  "output-invalid",
  "output-missing",
  "output-wrong-event",
  "output-cannot-answer",
  "output-misplaced-field",
  "output-block-as-deny",
  "output-misplaced-restriction",
];

const specific = (hookEventName: string, fields: Json) => ({
  hookSpecificOutput: { hookEventName, ...fields },
});
const DENY = { permissionDecision: "deny" };
const BLOCK = { decision: "block" };
const CONTEXT = { additionalContext: "the branch is main" };
const LONG = { decision: { behavior: "deny", interrupt: true } };
const ALL = DIALECT_NAMES;
const SEEDS = ALL.filter((name) => name !== "claude-code");
const OTHERS = ALL.filter((name) => name !== "wave");

const ROWS: [event: EventName, answer: Json, validIn: readonly DialectName[]][] = [
  ["Stop", {}, ALL],
  ["Stop", { continue: true, unknownField: 1 }, ALL],
  ["Stop", { continue: false }, OTHERS],
  ["Stop", { continue: false, stopReason: " \n" }, OTHERS],
  ["Stop", { continue: false, stopReason: "enough" }, ALL],
  ["Stop", BLOCK, ["session-hooks"]],
  ["Stop", { ...BLOCK, reason: "" }, ["session-hooks"]],
  ["Stop", { ...BLOCK, reason: "run the tests" }, ALL],
  ["Stop", { ...BLOCK, ...specific("Stop", { reason: "run the tests" }) }, ALL],
  ["Stop", specific("Stop", BLOCK), ["session-hooks"]],
  ["Stop", { reason: "run the tests", ...specific("Stop", BLOCK) }, ALL],
  ["Stop", { decision: "approve" }, ALL],
  ["Stop", specific("Stop", CONTEXT), OTHERS],
  ["PreToolUse", specific("PreToolUse", DENY), ALL],
  ["PreToolUse", { hookSpecificOutput: DENY }, ["session-hooks"]],
  ["PreToolUse", specific("Stop", DENY), []],
  ["PreToolUse", DENY, []],
  ["PreToolUse", { ...BLOCK, reason: "no" }, []],
  ["PreToolUse", specific("PreToolUse", { systemMessage: "no" }), []],
  ["PostToolUse", specific("PostToolUse", DENY), []],
  ["PostToolUse", specific("PostToolUse", CONTEXT), ALL],
  ["PostToolUse", { decision: "approve" }, []],
  ["Notification", specific("Notification", CONTEXT), []],
  ["Notification", { ...BLOCK, reason: "no" }, []],
  ["PreCompact", { ...BLOCK, reason: "no" }, ["claude-code"]],
  ["PermissionRequest", specific("PermissionRequest", LONG), ALL],
  ["PreToolUse", specific("PreToolUse", { permissionDecision: "defer" }), ["claude-code"]],
  ["PreModelSwitch", specific("PreModelSwitch", { permissionDecision: "defer" }), []],
  ["PostToolUse", specific("PostToolUse", { updatedToolOutput: [1] }), ALL],
  ["PostToolUse", { updatedToolOutput: "x" }, SEEDS],
  ["SessionStart", specific("SessionStart", { watchPaths: "/a" }), SEEDS],
  ["Stop", { terminalSequence: 7 }, SEEDS],
  ["PermissionRequest", { ...LONG, reason: "no" }, ALL],
  ["PermissionRequest", { decision: { message: "no" } }, []],
];

describe("the schema of what a hook may print", () => {
  test.each(ROWS)("%s %j is valid in %j, and so says the engine", (event, answer, validIn) => {
    const sound = (dialect: DialectName) =>
      !remarks(event, dialect, answer).some((code) => LOST.includes(code));
    expect(ALL.filter((dialect) => isValid(event, dialect, answer))).toEqual(validIn);
    expect(ALL.filter(sound)).toEqual(validIn);
  });

  test("says for which dialect it is; without one, for the default", () => {
    expect(outputSchema("Stop").title).toBe("Stop: what a hook may print (dialect wave)");
    expect(outputSchema("Stop", "pact").title).toBe("Stop: what a hook may print (dialect pact)");
    expect(outputSchema("Stop")).toEqual(outputSchema("Stop", "wave"));
  });

  const anyCase = anyEvent.chain((event) => fc.tuple(fc.constant(event), anyDialect, nearlyRight(event)));

  it("holds for no answer of which the engine loses a part", () => {
    fc.assert(
      fc.property(anyCase, ([event, dialect, answer]) => {
        const lost = remarks(event, dialect, answer).filter((code) => LOST.includes(code));
        if (isValid(event, dialect, answer)) expect(lost).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  // The engine takes null and blank words as absent, and reads no decision beside a stop. A schema need not say so.
  it("holds for every answer that the engine takes without a remark", () => {
    fc.assert(
      fc.property(anyCase, ([event, dialect, answer]) => {
        const given = withoutBlanks(answer);
        fc.pre(given.continue !== false);
        if (remarks(event, dialect, given).length === 0)
          expect([given, isValid(event, dialect, given)]).toEqual([given, true]);
      }),
      { numRuns: 2000 },
    );
  });
});

function withoutBlanks(value: Json): Json {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    inner === null || (typeof inner === "string" && inner.trim() === "") ? undefined : inner,
  ) as Json;
}
