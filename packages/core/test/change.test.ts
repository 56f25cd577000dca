import { DECISION_KINDS, type DecisionKind, isRefused } from "@belay/core";
import { type Change, differenceOf, isSame, type Settled, waitedFor } from "@belay/core/compare";
import { describe, expect, it } from "vitest";
import { isReverted } from "../src/compare/change.ts";

const settled = (kind: DecisionKind, more: Partial<Settled> = {}): Settled => ({
  decision: { kind },
  blocked: isRefused(kind),
  messages: [],
  faults: [],
  slowest: 10,
  ...more,
});

/** From row to column: what changed, and "!" where it loosened. Whoever changes a cell changes what CI gates on. */
const TABLE: Record<DecisionKind, Record<DecisionKind, Change | `${Change}!` | "">> = {
  none: { none: "", allow: "allowed!", ask: "asked", deny: "denied", block: "denied", stop: "denied" },
  allow: { none: "undecided", allow: "", ask: "asked", deny: "denied", block: "denied", stop: "denied" },
  ask: { none: "allowed!", allow: "allowed!", ask: "", deny: "denied", block: "denied", stop: "denied" },
  deny: { none: "allowed!", allow: "allowed!", ask: "asked!", deny: "", block: "", stop: "refusal" },
  block: { none: "allowed!", allow: "allowed!", ask: "asked!", deny: "", block: "", stop: "refusal" },
  stop: { none: "allowed!", allow: "allowed!", ask: "asked!", deny: "refusal!", block: "refusal!", stop: "" },
};

describe("what became of a decision", () => {
  const pairs = DECISION_KINDS.flatMap((from) => DECISION_KINDS.map((to) => [from, to] as const));
  it.each(pairs)("%s → %s", (from, to) => {
    const { changes, loosened } = differenceOf(settled(from), settled(to), {});
    expect(changes.join() + (loosened ? "!" : "")).toBe(TABLE[from][to]);
  });
});

describe("what became of the rest", () => {
  const deny = (reason: string, interrupt?: true): Partial<Settled> => ({
    decision: { kind: "deny", reason, ...(interrupt && { interrupt }) },
  });
  const context = (content: string, hook = "a", to: "agent" | "user" = "agent"): Partial<Settled> => ({
    messages: [{ to, hook, block: { type: "hook", content, metadata: { kind: "context" } } }],
  });
  const refusal = (content: string): Partial<Settled> => ({
    messages: [
      { to: "agent", hook: "a", block: { type: "tool", content, success: false } },
      { to: "agent", hook: "a", block: { type: "hook", content, metadata: { kind: "refusal-reason" } } },
    ],
  });
  const { slowest: _, ...noHook } = settled("none");
  const CAME = {
    tool_input: { command: "git commit --no-verify", cwd: ["/"] },
    prompt: "as it came",
    tool_response: "1 passed",
  };
  const asItCame = { updatedInput: { cwd: ["/"], command: "git commit --no-verify" } };
  const safe = { updatedInput: { command: "git commit", cwd: ["/"] } };
  const [none, allow, ask, denied] = [settled("none"), settled("allow"), settled("ask"), settled("deny")];
  const blocked = { blocked: true };
  const input = (updatedInput: Record<string, unknown>) => ({ updatedInput });
  const ab = { a: 1, b: [2] };
  const undone = input({ ...asItCame.updatedInput, description: "d" });
  /** Before and after, each with what it adds to its decision; "!" where it loosened. */
  type Side = Settled | [kind: Settled, more: Partial<Settled>];
  const CASES: [name: string, before: Side, after: Side, changes: string][] = [
    ["another reason", [denied, deny("a")], [denied, deny("b")], "reason"],
    ["it interrupts now", [denied, deny("a")], [denied, deny("a", true)], "refusal"],
    ["it interrupts no more", [denied, deny("a", true)], [denied, deny("a")], "refusal!"],
    ["a rewrite that undoes another, and adds something", [allow, safe], [allow, undone], "rewrite!"],
    ["another rewrite of the same", [allow, safe], [allow, input({ command: "ls", cwd: ["/"] })], "rewrite"],
    ["a rewrite", none, [none, input({})], "rewrite"],
    ["another rewrite", [allow, input(ab)], [allow, input({ b: [3], a: 1 })], "rewrite"],
    ["the same rewrite, in another order", [allow, input(ab)], [allow, input({ b: [2], a: 1 })], ""],
    ["no rewrite any more", [ask, input({})], ask, "rewrite!"],
    ["of a prompt too", [none, { updatedPrompt: "x" }], none, "rewrite!"],
    ["rewritten to what came, in another order", [none, safe], [none, asItCame], "rewrite!"],
    [
      "a prompt to what came",
      [none, { updatedPrompt: "x" }],
      [none, { updatedPrompt: CAME.prompt }],
      "rewrite!",
    ],
    ["rewritten to what came, and denied now", [none, safe], [denied, asItCame], "denied"],
    ["what was rewritten to what came, and is no more", [none, asItCame], none, ""],
    ["what is rewritten to what came", none, [none, asItCame], ""],
    ["what was rewritten to what came, and is another", [none, asItCame], [none, safe], "rewrite"],
    ["asked now, and no longer rewritten", [none, input({})], ask, "asked,rewrite!"],
    ["denied now, so nothing is rewritten", [none, input({})], denied, "denied"],
    ["a result no longer replaced", [none, { updatedToolOutput: "x" }], none, "rewrite!"],
    [
      "nor beside a block, where the agent reads it too",
      [settled("block"), { updatedToolOutput: "x" }],
      settled("block"),
      "rewrite!",
    ],
    [
      "a result replaced in another way",
      [none, { updatedToolOutput: "x" }],
      [none, { updatedToolOutput: "y" }],
      "rewrite",
    ],
    ["a result replaced by itself", none, [none, { updatedToolOutput: CAME.tool_response }], ""],
    ["a fault", none, [none, { faults: ["guard"] }], "fault"],
    ["a fault as before", [none, { faults: ["guard"] }], [none, { faults: ["guard"] }], ""],
    ["of another hook of the name", [none, { faults: ["a", "b"] }], [none, { faults: ["a", "a"] }], "fault"],
    ["a fault fewer", [none, { faults: ["a", "a"] }], [none, { faults: ["a"] }], ""],
    ["blocked by no decision, and no longer", [none, blocked], none, "allowed!"],
    ["blocked although allowed, and no longer", [allow, blocked], none, "allowed!"],
    ["blocked by no decision, and asked about", [none, blocked], ask, "asked!"],
    ["blocked although asked about, and only asked about", [ask, blocked], ask, "asked!"],
    ["blocked by no decision, and denied", [none, blocked], denied, "denied"],
    ["context for the agent", none, [none, context("x")], "context"],
    ["context is gone", [none, context("x")], none, "context"],
    ["other context", [settled("block"), context("x")], [settled("block"), context("y")], "context"],
    ["the same context", [none, context("x", "a")], [none, context("x", "b")], ""],
    ["words for the user", none, [none, context("x", "a", "user")], ""],
    ["denied now, so context is no matter", [none, context("x")], denied, "denied"],
    ["the words of a refusal", [denied, refusal("x")], [denied, refusal("y")], ""],
    ["no hook before, so nothing to be slower than", noHook, [none, { slowest: 900 }], ""],
    ["no hook any more", none, noHook, ""],
    ["slower", none, [none, { slowest: 61 }], "slower"],
    ["slower by little", none, [none, { slowest: 60 }], ""],
    ["slower by a part", [none, { slowest: 100 }], [none, { slowest: 200 }], ""],
    ["all, the gravest first", denied, [none, { faults: ["a"], slowest: 500 }], "allowed,fault,slower!"],
  ];
  const side = (given: Side): Settled => (Array.isArray(given) ? { ...given[0], ...given[1] } : given);
  it.each(CASES)("%s", (_, before, after, expected) => {
    const { changes, loosened } = differenceOf(side(before), side(after), CAME);
    expect(changes.join() + (loosened ? "!" : "")).toBe(expected);
  });
});

describe("isSame", () => {
  const CASES: [a: unknown, b: unknown, same: boolean][] = [
    [{ a: undefined }, {}, true],
    [{ a: null }, {}, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [JSON.parse('{"__proto__":1}'), {}, false],
    [{ a: { b: [{ c: "x" }] } }, { a: { b: [{ c: "x" }] } }, true],
  ];
  it.each(CASES)("%j, %j", (a, b, same) => {
    expect([isSame(a, b), isSame(b, a)]).toEqual([same, same]);
  });
});

describe("what an event waited for", () => {
  const hook = (executionTime: number, after?: number) => ({
    run: { stdout: "", stderr: "", executionTime, timedOut: false, truncated: false },
    ...(after !== undefined && { after }),
  });
  const CASES: [name: string, hooks: ReturnType<typeof hook>[], total: number, which: number[]][] = [
    ["no hook", [], 0, []],
    ["the slowest of those that run at once", [hook(5), hook(20), hook(7)], 20, [1]],
    ["a group, one after another", [hook(5), hook(20, 5), hook(7, 25)], 32, [2, 1, 0]],
    ["the longer of a hook and a group", [hook(5), hook(20), hook(30, 5)], 35, [2, 0]],
    ["a record that names a time at which nothing ended", [hook(5), hook(20, 7)], 27, [1]],
  ];
  it.each(CASES)("%s", (_, hooks, total, which) => {
    expect(waitedFor(hooks)).toEqual({ total, hooks: which });
  });
});

/** What came, what it had been made, what it is made now; a change of a policy is held against this. */
const REVERTED: [what: string, came: unknown, was: unknown, is: unknown, undone: boolean][] = [
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
  it.each(REVERTED)("%s", (_, came, was, is, undone) => expect(isReverted(was, is, came)).toBe(undone));
});
