import { hookOutputProcessor } from "@belay/engine";
import { expect, test } from "vitest";
import { REQUIRED } from "./required.ts";
import { refsOf } from "./row.ts";
import { ROWS } from "./rows.ts";
import { SHOULD_BLOCK } from "./rows-003.ts";
import { FILE_ROWS } from "./rows-files.ts";

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
