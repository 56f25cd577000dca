import { describe, expect, it } from "vitest";
import { isReverted } from "../src/compare/change.ts";

/** What came, what it had been made, what it is made now; a change of a policy is held against this. */
const ROWS: [what: string, came: unknown, was: unknown, is: unknown, undone: boolean][] = [
  ["nothing was changed", { a: 1 }, { a: 1 }, { a: 2 }, false],
  ["all of it", { a: 1 }, { a: 2 }, { a: 1 }, true],
  ["another change", { a: 1 }, { a: 2 }, { a: 3 }, false],
  ["one field of two", { a: 1, b: 1 }, { a: 2, b: 2 }, { a: 2, b: 1 }, true],
  ["a field that was added", { a: 1 }, { a: 2, dry: true }, { a: 3 }, true],
  [
    "a field deep below",
    { a: { b: [{ c: 1 }] } },
    { a: { b: [{ c: 2 }] } },
    { a: { b: [{ c: 1, d: 1 }] } },
    true,
  ],
  ["a part of what was removed", { env: { A: 1, B: 2 } }, {}, { env: { A: 1 } }, true],
  ["of what was emptied", { env: { A: 1, B: 2 } }, { env: null }, { env: { A: 1 } }, true],
  ["of a list that was removed", { args: ["a", "b"] }, {}, { args: ["b"] }, true],
  ["one thing of a list", { cwd: ["/", "/srv"] }, { cwd: ["/tmp", "/srv"] }, { cwd: ["/", "/opt"] }, true],
  ["a thing that moved", ["rm", "-rf", "build"], ["rm", "-rf"], ["--", "rm", "-rf", "build"], true],
  ["one of two that are the same", ["a", "a"], [], ["a"], true],
  ["another in its place", ["rm", "-rf", "build"], ["rm", "build"], ["rm", "-ri", "build"], false],
  ["what was added to a list", ["git", "push"], ["git", "push", "--dry-run"], ["push", "git"], true],
  ["one of two that were added", ["push"], ["push", "--dry-run", "-v"], ["push", "-v"], true],
  ["something else added", ["git", "push"], ["git", "push", "-n"], ["git", "push", "--dry-run"], false],
  ["a text with a blank more", "rm -rf /", "echo no", " rm  -rf / \n", true],
  ["a text deep below", { a: ["rm -rf /"] }, { a: ["echo no"] }, { a: ["rm -rf  /"] }, true],
  ["a text that was set out otherwise", "if a: b", "if a:\n  b", "if a:\n    b", false],
  ["another text in its place", "rm -rf build", "echo blocked", 'echo "blocked: rm -rf build"', false],
  ["another value altogether", { a: 1 }, { a: 2 }, "a", false],
];

describe("what had been made another than what came is what came again", () => {
  it.each(ROWS)("%s", (_, came, was, is, undone) => expect(isReverted(was, is, came)).toBe(undone));
});
