import { compileMatcher, type HookPolicy, match, parse, type Run, readConfig, ruleFor } from "@belay/core";
import { describe, expect, it } from "vitest";

/* Ways in which a guard was talked out of its answer, each as a row that must not come back. */

const HOOK: HookPolicy = { name: "guard", onFailure: "continue", mode: "enforce" };
const QUIET: Run = {
  exitCode: 0,
  stdout: "",
  stderr: "",
  executionTime: 1,
  timedOut: false,
  truncated: false,
};
const CUT = { truncated: true, cut: ["stdout"] as const, cap: 102_400 };
const long = "x".repeat(200);

describe("an answer that the cap cut", () => {
  const rows: [what: string, event: "Stop" | "PreToolUse", stdout: string, kind: string][] = [
    ["a block with a long reason", "Stop", `{"decision":"block","reason":"${long}`, "block"],
    ["a stop with a long reason", "PreToolUse", `{"continue":false,"stopReason":"${long}`, "stop"],
    [
      "a deny without its event's name",
      "PreToolUse",
      `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"${long}`,
      "deny",
    ],
    ["an allow", "PreToolUse", `{"hookSpecificOutput":{"permissionDecision":"allow","x":"${long}`, "abstain"],
  ];
  it.each(rows)("%s", (_what, event, stdout, kind) => {
    expect(parse(HOOK, { ...QUIET, ...CUT, stdout }, ruleFor(event, "wave")).kind).toBe(kind);
  });

  it("is a failure of a hook that must not fail, whatever came first in it", () => {
    const stdout = `{"hookSpecificOutput":{"permissionDecisionReason":"${long}`;
    const run = { ...QUIET, ...CUT, stdout };
    const verdict = parse({ ...HOOK, onFailure: "block" }, run, ruleFor("PreToolUse", "wave"));
    expect(verdict).toMatchObject({ kind: "deny", fault: expect.stringContaining("the cap cut it") });
  });
});

it("a field that stands twice is no answer: the last one may be someone else's", () => {
  const stdout =
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecision":"allow"}}';
  const rule = ruleFor("PreToolUse", "wave");
  expect(parse(HOOK, { ...QUIET, stdout }, rule)).toMatchObject({
    kind: "abstain",
    fault: expect.any(String),
  });
  expect(parse({ ...HOOK, onFailure: "block" }, { ...QUIET, stdout }, rule).kind).toBe("deny");
});

const hooksOf = (groups: unknown) =>
  readConfig({ file: "f", layer: "config", text: JSON.stringify({ hooks: { PreToolUse: groups } }) }).hooks;

it("a list of pairs is not the object it looks like", () => {
  const entry = (json: unknown) => ({ hooks: [{ type: "json", json: { hookSpecificOutput: json } }] });
  const [list, object] = hooksOf([entry([["a", 1]]), entry({ a: 1 })]);
  expect(list?.identity).not.toBe(object?.identity);
});

it("a copy elsewhere does not stand in for a hook of a sequential group", () => {
  const guard = { type: "command", command: "true" };
  const other = { type: "command", command: "false" };
  const hooks = hooksOf([{ hooks: [guard] }, { sequential: true, hooks: [other, guard] }]);
  expect(match(hooks, "PreToolUse", { tool_name: "Bash" })).toHaveLength(3);
});

it("a matcher that names nothing is an error, not a hook that never fires", () => {
  expect(() => compileMatcher(" | , ", undefined)).toThrow("it names nothing");
});

it("a broken answer behind a banner is said", () => {
  const stdout = 'nvm: using node 20\n{"hookSpecificOutput":{"permissionDecision":"deny",}}';
  const { kind, diagnostics } = parse(HOOK, { ...QUIET, stdout }, ruleFor("PreToolUse", "wave"));
  expect([kind, ...diagnostics.map(({ code }) => code)]).toEqual(["abstain", "output-no-object"]);
});
