import { DECISION_KINDS, type DecisionKind, isRefused } from "@belay/core";
import { type Change, differenceOf, isSame, type Settled, waitedFor } from "@belay/core/compare";
import { describe, expect, it } from "vitest";

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
  const CAME = { tool_input: { command: "git commit --no-verify", cwd: ["/"] }, prompt: "as it came" };
  const asItCame = { updatedInput: { cwd: ["/"], command: "git commit --no-verify" } };
  const safe = { updatedInput: { command: "git commit", cwd: ["/"] } };
  const CASES: [name: string, before: Settled, after: Settled, changes: Change[], loosened: boolean][] = [
    ["another reason", settled("deny", deny("a")), settled("deny", deny("b")), ["reason"], false],
    ["it interrupts now", settled("deny", deny("a")), settled("deny", deny("a", true)), ["refusal"], false],
    [
      "it interrupts no more",
      settled("deny", deny("a", true)),
      settled("deny", deny("a")),
      ["refusal"],
      true,
    ],
    [
      "a rewrite that undoes another, and adds something",
      settled("allow", safe),
      settled("allow", { updatedInput: { ...asItCame.updatedInput, description: "d" } }),
      ["rewrite"],
      true,
    ],
    [
      "another rewrite of the same",
      settled("allow", safe),
      settled("allow", { updatedInput: { command: "git commit -v", cwd: ["/"] } }),
      ["rewrite"],
      false,
    ],
    ["a rewrite", settled("none"), settled("none", { updatedInput: {} }), ["rewrite"], false],
    [
      "another rewrite",
      settled("allow", { updatedInput: { a: 1, b: [2] } }),
      settled("allow", { updatedInput: { b: [3], a: 1 } }),
      ["rewrite"],
      false,
    ],
    [
      "the same rewrite, in another order",
      settled("allow", { updatedInput: { a: 1, b: [2] } }),
      settled("allow", { updatedInput: { b: [2], a: 1 } }),
      [],
      false,
    ],
    ["no rewrite any more", settled("ask", { updatedInput: {} }), settled("ask"), ["rewrite"], true],
    ["of a prompt too", settled("none", { updatedPrompt: "x" }), settled("none"), ["rewrite"], true],
    [
      "rewritten to what came, in another order",
      settled("none", safe),
      settled("none", asItCame),
      ["rewrite"],
      true,
    ],
    [
      "a prompt, rewritten to what came",
      settled("none", { updatedPrompt: "x" }),
      settled("none", { updatedPrompt: "as it came" }),
      ["rewrite"],
      true,
    ],
    [
      "rewritten to what came, and denied now",
      settled("none", safe),
      settled("deny", asItCame),
      ["denied"],
      false,
    ],
    [
      "what was rewritten to what came, and is no more",
      settled("none", asItCame),
      settled("none"),
      [],
      false,
    ],
    ["what is rewritten to what came", settled("none"), settled("none", asItCame), [], false],
    [
      "what was rewritten to what came, and is another",
      settled("none", asItCame),
      settled("none", safe),
      ["rewrite"],
      false,
    ],
    [
      "asked now, and no longer rewritten",
      settled("none", { updatedInput: {} }),
      settled("ask"),
      ["asked", "rewrite"],
      true,
    ],
    [
      "denied now, so nothing is rewritten",
      settled("none", { updatedInput: {} }),
      settled("deny"),
      ["denied"],
      false,
    ],
    ["a fault", settled("none"), settled("none", { faults: ["guard"] }), ["fault"], false],
    [
      "a fault as before",
      settled("none", { faults: ["guard"] }),
      settled("none", { faults: ["guard"] }),
      [],
      false,
    ],
    [
      "a fault of another hook of the name",
      settled("none", { faults: ["guard", "lint"] }),
      settled("none", { faults: ["guard", "guard"] }),
      ["fault"],
      false,
    ],
    [
      "a fault fewer",
      settled("none", { faults: ["guard", "guard"] }),
      settled("none", { faults: ["guard"] }),
      [],
      false,
    ],
    [
      "blocked by no decision, and no longer",
      settled("none", { blocked: true }),
      settled("none"),
      ["allowed"],
      true,
    ],
    [
      "blocked although allowed, and no longer",
      settled("allow", { blocked: true }),
      settled("none"),
      ["allowed"],
      true,
    ],
    [
      "blocked by no decision, and asked about",
      settled("none", { blocked: true }),
      settled("ask"),
      ["asked"],
      true,
    ],
    [
      "blocked although asked about, and only asked about",
      settled("ask", { blocked: true }),
      settled("ask"),
      ["asked"],
      true,
    ],
    [
      "blocked by no decision, and denied",
      settled("none", { blocked: true }),
      settled("deny"),
      ["denied"],
      false,
    ],
    ["context for the agent", settled("none"), settled("none", context("x")), ["context"], false],
    ["context is gone", settled("none", context("x")), settled("none"), ["context"], false],
    ["other context", settled("block", context("x")), settled("block", context("y")), ["context"], false],
    ["the same context", settled("none", context("x", "a")), settled("none", context("x", "b")), [], false],
    ["words for the user", settled("none"), settled("none", context("x", "a", "user")), [], false],
    [
      "denied now, so context is no matter",
      settled("none", context("x")),
      settled("deny"),
      ["denied"],
      false,
    ],
    ["the words of a refusal", settled("deny", refusal("x")), settled("deny", refusal("y")), [], false],
    ["no hook before, so nothing to be slower than", noHook, settled("none", { slowest: 900 }), [], false],
    ["no hook any more", settled("none"), noHook, [], false],
    ["slower", settled("none"), settled("none", { slowest: 61 }), ["slower"], false],
    ["slower by little", settled("none"), settled("none", { slowest: 60 }), [], false],
    ["slower by a part", settled("none", { slowest: 100 }), settled("none", { slowest: 200 }), [], false],
    [
      "all at once, the gravest first",
      settled("deny"),
      settled("none", { faults: ["guard"], slowest: 500 }),
      ["allowed", "fault", "slower"],
      true,
    ],
  ];
  it.each(CASES)("%s", (_, before, after, changes, loosened) => {
    expect(differenceOf(before, after, CAME)).toEqual({ changes, loosened });
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
