import { type EventRecord, REDACTED, replay } from "@belay/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyDialect, anyEvent, anyRun, anyTerms, nearlyRight, runOf } from "../../core/test/arbitraries.ts";
import { recordOf } from "../../core/test/pipeline.ts";
import { redactRecord } from "../src/journal/redact.ts";
import { SECRET, SECRETS } from "./secrets.ts";

const SECRET_NAMES = ["token", "password", "secret", "apiKey", "credentials", "authorization", "__proto__"];

const aSecret = fc.constantFrom(...SECRETS);

/** Puts a secret at some place of a text: in a value, a key, or right into the syntax. */
const spiked = (text: string) =>
  fc.tuple(fc.nat(text.length), aSecret).map(([at, secret]) => text.slice(0, at) + secret + text.slice(at));

const spikedObject = anyEvent.chain((event) =>
  fc
    .tuple(
      nearlyRight(event),
      aSecret,
      aSecret,
      fc.constantFrom("systemMessage", "reason", "stopReason", "token"),
    )
    .map(([object, value, inner, field]) => ({
      event,
      stdout: JSON.stringify({
        [field]: value,
        ...object,
        authToken: inner,
        list: [{ secret: value }],
        credentials: { value },
      }),
    })),
);

const spikedCase = fc
  .oneof(
    spikedObject,
    anyEvent.chain((event) =>
      nearlyRight(event)
        .chain((object) => spiked(JSON.stringify(object)))
        .map((stdout) => ({ event, stdout })),
    ),
    anyEvent.chain((event) =>
      anyRun(event)
        .chain(({ stdout }) => spiked(stdout))
        .map((stdout) => ({ event, stdout })),
    ),
    fc
      .tuple(spikedObject, aSecret, fc.constantFrom("", "\n", " ", "{"))
      .map(([{ event, stdout }, secret, gap]) => ({ event, stdout: secret + gap + stdout })),
    // An answer under a secret's name, sound or broken.
    fc
      .tuple(
        spikedObject,
        fc.constantFrom(
          '{"token":',
          '\\\\\\"token\\\\\\":{',
          '"credentials":[',
          '{"secret" : {"a":"{","b":',
          'x "token":{"a\\"',
        ),
        fc.constantFrom("", "}", "}}", "]", ", x"),
      )
      .map(([{ event, stdout }, before, after]) => ({ event, stdout: before + stdout + after })),
  )
  .chain(({ event, stdout }) =>
    fc.record({
      event: fc.constant(event),
      dialect: anyDialect,
      terms: anyTerms,
      run: fc
        .tuple(anyRun(event), fc.oneof(aSecret, fc.constant("")), fc.nat(stdout.length), fc.boolean())
        .map(([run, stderr, kept, isCut]) =>
          isCut
            ? runOf({ ...run, truncated: true, cut: ["stdout"] }, stdout.slice(0, kept), stderr)
            : runOf(run, stdout, stderr),
        ),
    }),
  );

/** A value without what its strings say: keys, lists, numbers. That is what redaction has to leave alone. */
const shapeOf = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value), (_key, inner) => (typeof inner === "string" ? "" : inner));

function decisionOf({ event, dialect, action, blocked, decision, ...rest }: EventRecord["outcome"]) {
  const { kind, hook, interrupt } = decision;
  const rewrites = [typeof rest.updatedInput, typeof rest.updatedPrompt];
  return { event, dialect, action, blocked, kind, hook, interrupt, rewrites };
}

/** Objects and lists whose keys look like names of secrets, or like secrets themselves. */
const { tree: secretTree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    aSecret,
    fc.constantFrom("words", 7, true, null),
    fc.array(tie("tree"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...SECRET_NAMES), aSecret), tie("tree"), { maxKeys: 4 }),
}));

describe("a record with its secrets taken out", () => {
  it("keeps a cancelled answer to an MCP server, below the name of a secret too", () => {
    const answer = { hookSpecificOutput: { hookEventName: "ElicitationResult", action: "cancel" } };
    const terms = { name: "guard", onFailure: "continue", mode: "enforce" } as const;
    const run = runOf({ exitCode: 0 }, `"credentials":[${JSON.stringify(answer)}`, "");
    const record = recordOf("ElicitationResult", [{ terms, dialect: "claude-code", run }]);
    expect(record.outcome.blocked).toBe(true);
    expect(replay(redactRecord(record)).blocked).toBe(true);
  });

  it("is replayed to the same decision", () => {
    fc.assert(
      fc.property(spikedCase, ({ event, ...ran }) => {
        const record = recordOf(event, [ran]);
        const kept = JSON.parse(JSON.stringify(redactRecord(record))) as EventRecord;
        const again = replay(kept);
        expect(decisionOf(again)).toEqual(decisionOf(record.outcome));
        expect(again.runs.map(({ read }) => read)).toEqual(replay(record).runs.map(({ read }) => read));
        expect(decisionOf(kept.outcome)).toEqual(decisionOf(record.outcome));
      }),
      { numRuns: 1500 },
    );
  });

  it("has the same keys, lists and numbers, and names the same hooks", () => {
    fc.assert(
      fc.property(spikedCase, secretTree, ({ event, ...ran }, tree) => {
        const record = { ...recordOf(event, [ran]), payload: { tool_input: tree, token: tree } };
        const { redacted: _said, ...kept } = redactRecord(record);
        expect(shapeOf(kept)).toEqual(shapeOf(record));
        expect(kept.hooks.map(({ name }) => name)).toEqual(record.hooks.map(({ name }) => name));
      }),
      { numRuns: 500 },
    );
  });

  it("has the same keys in what a hook printed, and in the rewrite that follows from it", () => {
    const terms = { name: "guard", onFailure: "continue", mode: "enforce" } as const;
    fc.assert(
      fc.property(spikedObject, ({ event, stdout }) => {
        const record = recordOf(event, [{ terms, dialect: "wave", run: runOf({ exitCode: 0 }, stdout, "") }]);
        const kept = redactRecord(record);
        expect(kept.hooks.map(({ run }) => shapeOf(JSON.parse(run.stdout)))).toEqual([
          shapeOf(JSON.parse(stdout)),
        ]);
        expect(shapeOf(replay(kept).updatedInput)).toEqual(shapeOf(record.outcome.updatedInput));
      }),
      { numRuns: 500 },
    );
  });

  it.each(SECRETS)("does not hold the secret, and says so: %j", (secret) => {
    const told = { systemMessage: `see ${secret} there`, extra: { deep: [secret, `line one\n${secret}`] } };
    // As a hook does that prints its input, in which a file stands.
    const said = { ...told, echo: JSON.stringify({ ...told, content: JSON.stringify(told) }) };
    const terms = { name: "guard", onFailure: "continue", mode: "enforce" } as const;
    const run = runOf({ exitCode: 1 }, JSON.stringify(said), secret);
    const kept = redactRecord({
      ...recordOf("PreToolUse", [{ terms, dialect: "wave", run }]),
      payload: { tool_input: { command: secret, password: SECRET } },
    });
    const text = JSON.stringify(kept);
    expect(text).toContain(REDACTED);
    expect(text).not.toContain(SECRET);
    expect(kept.redacted).toBe(true);
  });

  it("is the same record when there was nothing to take out", () => {
    const terms = { name: "guard", onFailure: "continue", mode: "enforce" } as const;
    const record = recordOf("Stop", [
      { terms, dialect: "wave", run: runOf({ exitCode: 2 }, "all well", "not yet") },
    ]);
    expect(redactRecord(record)).toEqual(record);
  });
});
