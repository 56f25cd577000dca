import { hookOutputProcessor, type Outcome, outcomeSchema, replay } from "@belay/engine";
import { describe, expect, test } from "vitest";
import { parsesDuring, READING } from "../../../core/test/growth.ts";
import { LAUNCHER } from "../scratch.ts";
import { fireRow } from "./fire-row.ts";
import { REQUIRED } from "./required.ts";
import { type Expect, type Row, refsOf } from "./row.ts";
import { ROWS } from "./rows.ts";
import { SHOULD_BLOCK } from "./rows-003.ts";
import { ROWS_FAULTS } from "./rows-faults.ts";
import { FILE_ROWS } from "./rows-files.ts";
import { processed, summarise, summaryOf } from "./summary.ts";

/** Who starts a process makes no difference to what its output means: the launcher is tested with faults alone. */
const rows = LAUNCHER === "on" ? ROWS_FAULTS : ROWS;

describe.concurrent("every row, through a real process", () => {
  for (const row of rows) test(`${refsOf(row).join(", ")}: ${row.says}`, () => check(row));
});

async function check(row: Row): Promise<void> {
  for (const { step, outcome, record } of await fireRow(row)) {
    expect(summarise(outcome)).toEqual(summaryOf(step.expect));
    expect([outcome.event, outcome.dialect]).toEqual([step.event, row.dialect ?? "wave"]);
    for (const { signal, exitCode } of outcome.runs)
      expect(signal === undefined || exitCode === undefined).toBe(true);
    if (step.expect.facts) expect(outcome.runs).toMatchObject([...step.expect.facts]);
    if (step.expect.takesMs)
      expect(outcome.runs[0]?.executionTime).toBeGreaterThanOrEqual(step.expect.takesMs);
    const words = outcome.diagnostics.map(({ message, fix }) => `${message}. ${fix}`).join("\n");
    for (const text of step.expect.mentions ?? []) expect(words).toContain(text);
    checkAlways(outcome);
    const { runs: _runs, ...decided } = outcome;
    const { runs: _again, ...replayed } = replay(record);
    if (!record.redacted) expect(replayed).toEqual(decided);
    if (step.expect.operations) checkProcessor(outcome, step.expect);
    if (step.expect.isQuick) expect(parsesDuring(() => processed(outcome))).toBeLessThan(READING);
  }
}

/** What the contract fixes for every outcome, whatever the row. */
function checkAlways(outcome: Outcome): void {
  expect(outcomeSchema["~standard"].validate(outcome)).not.toHaveProperty("issues");
  for (const { block } of outcome.messages) {
    expect(block.content.trim()).not.toBe("");
    expect(block.success).toBe(block.type === "tool" ? false : undefined);
    expect(block.hookEvent).toBe(block.type === "hook" ? outcome.event : undefined);
    expect(typeof block.metadata).toBe(block.type === "hook" ? "object" : "undefined");
  }
}

function checkProcessor(outcome: Outcome, expected: Expect): void {
  const { result, operations } = processed(outcome);
  const [run] = outcome.runs;
  expect(operations).toEqual(expected.operations);
  expect(result).toEqual({
    action: outcome.action,
    metadata: {
      ...(run?.exitCode !== undefined && { exitCode: run.exitCode }),
      event: outcome.event,
      blocked: outcome.blocked,
      messageOperationUsed: expected.operation ?? "none",
    },
  });
}

const covered = new Set([...ROWS.flatMap(refsOf), ...FILE_ROWS.map(([ref]) => ref)]);

test("every requirement has a row", () => {
  expect(REQUIRED.filter((ref) => !covered.has(ref))).toEqual([]);
});

test("every row belongs to a requirement, and no requirement is listed twice", () => {
  expect([...covered].filter((ref) => !REQUIRED.includes(ref))).toEqual([]);
  expect(REQUIRED.filter((ref, index) => REQUIRED.indexOf(ref) !== index)).toEqual([]);
});

test("no row is there twice", () => {
  const written = ROWS.map((row) => JSON.stringify(row));
  expect(written.filter((row, index) => written.indexOf(row) !== index)).toEqual([]);
});

test.for(SHOULD_BLOCK)("seed 003: shouldBlock(%s) is %s", ([code, blocks]) => {
  expect(hookOutputProcessor.shouldBlock(code)).toBe(blocks);
});
