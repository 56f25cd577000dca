import { type HookTerms, match, parse, type Run, readConfig, ruleFor } from "@belay/core";
import { describe, expect, it } from "vitest";
import { runOf } from "./arbitraries.ts";

/* Ways in which a guard was talked out of its answer, each as a row that must not come back. */

const HOOK: HookTerms = { name: "guard", onFailure: "continue", mode: "enforce" };
const QUIET = runOf({ exitCode: 0 }, "", "");
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

const utf16 = (text: string) => text.replaceAll(/./g, "\0$&");
const DENIAL = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}';
const ALLOWED = DENIAL.replace("deny", "allow");
const COLOURED =
  '\u001b[1;39m{\u001b[0m\u001b[34;1m"decision"\u001b[0m:\u001b[0;32m"block"\u001b[0m}\u001b[0m';
const ASKED = DENIAL.replace("deny", "ask");

describe("an answer that is lost on its way is a failure of a hook that must not fail", () => {
  const rows: [what: string, run: Partial<Run>, code?: string][] = [
    ["behind padding, cut", { stdout: `checking ${long}`, ...CUT }, "output-truncated"],
    ["with all that was printed", CUT, "output-truncated"],
    ["that a child owes, with all that was printed", { leftOpen: true }, "output-left-open"],
    ["of which only an allow is left", { stdout: `${ALLOWED}\n${long}`, ...CUT }, "output-mixed"],
    ["of which only another's ask is left", { stdout: `${ASKED}\n${long}`, ...CUT }, "output-mixed"],
    ["that a child still owes", { stdout: "checking\n", leftOpen: true }, "output-left-open"],
    ["in UTF-16", { stdout: utf16(DENIAL) }, "output-not-utf8"],
    ["in no known encoding", { stdout: "\uFFFD", notUtf8: ["stdout"] }, "output-not-utf8"],
    ["encoded twice", { stdout: JSON.stringify(DENIAL) }, "output-no-object"],
    [
      "encoded twice, behind another's words",
      { stdout: `{"systemMessage":"hi"}\n${JSON.stringify(DENIAL)}` },
      "output-no-object",
    ],
    ["broken, behind a banner", { stdout: `hi\n${DENIAL.slice(0, -1)},}` }, "output-no-object"],
    ["in colours, as jq -C prints it", { stdout: COLOURED }, "output-no-object"],
    ["as YAML, which a hook that may fail may mean as words", { stdout: "decision: block" }],
    ["without quotes", { stdout: 'x {permissionDecision: "deny"}' }, "output-no-object"],
    ["broken, with an escape", { stdout: String.raw`x {"\u0064ecision":"block",}` }, "output-no-object"],
    [
      "encoded twice, with an escape",
      { stdout: JSON.stringify(String.raw`{"de\u0063ision":"block"}`) },
      "output-no-object",
    ],
  ];
  it.each(rows)("%s", (_what, facts, code) => {
    const run = { ...QUIET, ...facts } as Run;
    const rule = ruleFor("PreToolUse", "wave");
    const { kind, fault, diagnostics } = parse(HOOK, run, rule);
    expect(fault).toBe(undefined);
    expect(["abstain", "ask"]).toContain(kind);
    expect(diagnostics.map((one) => one.code)).toEqual(code ? expect.arrayContaining([code]) : []);
    const guard = parse({ ...HOOK, onFailure: "block" }, run, rule);
    expect([guard.kind, guard.fault]).toEqual(["deny", expect.any(String)]);
  });

  it.each<[what: string, event: "PreToolUse" | "Notification", run: Partial<Run>, kind: string]>([
    ["an answer is there", "PreToolUse", { stdout: ALLOWED, leftOpen: true }, "allow"],
    ["the exit code is one", "PreToolUse", { exitCode: 2, stdout: long, ...CUT }, "deny"],
    ["nothing can be refused", "Notification", { stdout: long, ...CUT }, "abstain"],
    ["words of a log are all", "PreToolUse", { stdout: "ls {a,b}: no decision, continue\n" }, "abstain"],
    ["stderr was cut", "PreToolUse", { truncated: true, cut: ["stderr"] }, "abstain"],
  ])("but not where %s", (_what, event, facts, kind) => {
    const guard = parse({ ...HOOK, onFailure: "block" }, { ...QUIET, ...facts }, ruleFor(event, "wave"));
    expect([guard.kind, guard.fault]).toEqual([kind, undefined]);
  });
});

describe("a field that stands twice is no answer: the last one may be someone else's", () => {
  const specific = (fields: string, event = "PreToolUse") =>
    `{"hookSpecificOutput":{"hookEventName":"${event}",${fields}}}`;
  const twice = '"permissionDecision":"deny","permissionDecision":"allow"';
  const behavior = '"decision":{"behavior":"deny","behavior":"allow"}';
  const rows: [what: string, event: "PreToolUse" | "PermissionRequest" | "Stop", stdout: string][] = [
    ["one", "PreToolUse", specific(twice)],
    ["a foreign one before it", "PreToolUse", specific(`"a":1,"a":1,${twice}`)],
    ["a foreign one on the level above", "PreToolUse", `{"a":1,"a":1,${specific(twice).slice(1)}`],
    [
      "one of them with an escape",
      "PreToolUse",
      specific(String.raw`"permissionDecision":"deny","permission\u0044ecision":"allow"`),
    ],
    [
      "the whole part",
      "PreToolUse",
      `${specific('"permissionDecision":"deny"').slice(0, -1)},${specific('"permissionDecision":"allow"').slice(1)}`,
    ],
    ["in a decision object", "PermissionRequest", specific(behavior, "PermissionRequest")],
    [
      "the decision object",
      "PermissionRequest",
      specific('"decision":{"behavior":"deny"},"decision":{"behavior":"allow"}', "PermissionRequest"),
    ],
    ["at the top", "Stop", '{"decision":"block","reason":"r","decision":"approve"}'],
  ];
  it.each(rows)("%s", (_what, event, stdout) => {
    const rule = ruleFor(event, "wave");
    expect(parse(HOOK, { ...QUIET, stdout }, rule)).toMatchObject({
      kind: "abstain",
      fault: expect.any(String),
    });
    const guard = { ...HOOK, onFailure: "block" } as const;
    expect(["deny", "block"]).toContain(parse(guard, { ...QUIET, stdout }, rule).kind);
  });

  it.each([
    [
      "in another's object, deeper",
      specific('"permissionDecision":"allow","updatedInput":{"a":{"reason":1,"reason":2}}'),
    ],
    ["that is not ours", specific('"permissionDecision":"allow","updatedInput":{"a":1,"a":2}')],
  ])("but may stand twice %s", (_what, stdout) => {
    const verdict = parse(HOOK, { ...QUIET, stdout }, ruleFor("PreToolUse", "wave"));
    expect(verdict.kind).toBe("allow");
  });

  it("also inside something broken", () => {
    const stdout = `{"log":${specific(twice)} oops`;
    const { diagnostics } = parse(HOOK, { ...QUIET, stdout }, ruleFor("PreToolUse", "wave"));
    expect(diagnostics.map(({ code }) => code)).toContain("output-invalid");
  });
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

it("a run without a word still tells of the variables that its headers lacked", () => {
  const { diagnostics } = parse(HOOK, { ...QUIET, unset: ["TOKEN"] }, ruleFor("PreToolUse", "wave"));
  expect(diagnostics.map(({ code }) => code)).toEqual(["http-variable-unset"]);
});
