import { expect, it } from "vitest";
import { growthOf, LINEAR } from "./growth.ts";

/** Looks at `looks` characters. */
function look(text: string, looks: number): number {
  let sum = 0;
  for (let at = 0; at < looks; at += 1) sum += text.charCodeAt(at % text.length);
  return sum;
}

const TEXT = "x".repeat(8000);

it("growth tells work that looks at every pair from work that looks once", () => {
  expect(growthOf(TEXT, (text) => look(text, 100 * text.length))).toBeLessThan(LINEAR);
  expect(growthOf(TEXT, (text) => look(text, text.length ** 2))).toBeGreaterThan(LINEAR);
});
