import { PERMISSION_MODES, type PermissionRule } from "@belay/core";
import { expect, test } from "vitest";
import type { Ruling } from "../../src/permissions/rules.ts";
import { type Claim, type Settled, settle } from "../../src/permissions/settle.ts";

const rule: PermissionRule = {
  text: "Bash",
  tool: "Bash",
  source: { file: "s.json", layer: "user", line: 1, path: "" },
};

/** Every kind of ruling there is. */
const RULINGS: Record<string, Ruling | undefined> = {
  none: undefined,
  deny: { kind: "deny", rule, reason: "denied" },
  ask: { kind: "ask", by: "rule", rule, reason: "asked" },
  doubt: { kind: "ask", by: "unreadable", rule, reason: "in doubt" },
  allow: { kind: "allow", rule, namesPaths: false },
  paths: { kind: "allow", rule, namesPaths: true },
  unread: { kind: "unread", reason: "unread" },
};
const ALL = {
  hook: ["allow", "ask", "none"],
  ruling: Object.keys(RULINGS),
  kind: ["read", "edit", "execute", "agent"],
  mode: [...PERMISSION_MODES],
  outside: ["inside", "outside"],
} as const;

const asks = (by: string, mayHooksAllow: boolean, reason: unknown) => ({
  kind: "ask",
  by,
  mayHooksAllow,
  reason,
});
const ALLOW = { kind: "allow" };
const PLAN = { kind: "deny", reason: expect.stringContaining("only tools that read may run") };
const OUTSIDE = asks(
  "outside",
  true,
  "it reaches outside of the working folder, or changes settings, a plugin or what a hook runs",
);
const HOOK = asks("hook", true, "a hook wants you to be asked");

/** Columns as in `ALL`; `*` is any, `a|b` is a choice. Each combination is in exactly one row. */
const ROWS: [hook: string, ruling: string, kind: string, mode: string, outside: string, settled: object][] = [
  // The user's deny, and plan.
  ["*", "deny", "*", "*", "*", { kind: "deny", reason: "denied" }],
  ["*", "none|ask|doubt|allow|paths|unread", "edit|execute", "plan", "*", PLAN],
  // The user's questions: no hook and no mode answers them.
  ["*", "ask", "read|agent", "*", "*", asks("rule", false, "asked")],
  ["*", "ask", "edit|execute", "default|acceptEdits|bypass", "*", asks("rule", false, "asked")],
  ["*", "doubt", "read|agent", "*", "*", asks("unreadable", false, "in doubt")],
  ["*", "doubt", "edit|execute", "default|acceptEdits|bypass", "*", asks("unreadable", false, "in doubt")],
  // A hook's word: its ask tightens any allow, its allow spares modes and folders.
  ["ask", "none|allow|paths|unread", "read|agent", "*", "*", HOOK],
  ["ask", "none|allow|paths|unread", "edit|execute", "default|acceptEdits|bypass", "*", HOOK],
  ["allow", "none|allow|paths|unread", "read|agent", "*", "*", ALLOW],
  ["allow", "none|allow|paths|unread", "edit|execute", "default|acceptEdits|bypass", "*", ALLOW],
  // What asks nothing by itself.
  ["none", "none|allow|paths|unread", "agent", "*", "*", ALLOW],
  ["none", "none|allow|paths|unread", "read|edit|execute", "bypass", "*", ALLOW],
  // Outside: only a rule about these very paths is enough.
  ["none", "none|allow|unread", "read", "default|acceptEdits|plan", "outside", OUTSIDE],
  ["none", "paths", "read", "default|acceptEdits|plan", "outside", ALLOW],
  ["none", "none|allow|unread", "edit|execute", "default|acceptEdits", "outside", OUTSIDE],
  ["none", "paths", "edit|execute", "default|acceptEdits", "outside", ALLOW],
  // Inside.
  ["none", "none|allow|paths|unread", "read", "default|acceptEdits|plan", "inside", ALLOW],
  ["none", "allow|paths", "edit|execute", "default|acceptEdits", "inside", ALLOW],
  ["none", "none|unread", "edit", "acceptEdits", "inside", ALLOW],
  ["none", "none", "edit", "default", "inside", asks("mode", true, "it changes files")],
  ["none", "none", "execute", "default|acceptEdits", "inside", asks("mode", true, "it runs a command")],
  ["none", "unread", "edit", "default", "inside", asks("mode", true, "unread")],
  ["none", "unread", "execute", "default|acceptEdits", "inside", asks("mode", true, "unread")],
];

type Combination = [hook: string, ruling: string, kind: string, mode: string, outside: string];

const COMBINATIONS: Combination[] = ALL.hook.flatMap((hook) =>
  ALL.ruling.flatMap((ruling) =>
    ALL.kind.flatMap((kind) =>
      ALL.mode.flatMap((mode) =>
        ALL.outside.map((outside): Combination => [hook, ruling, kind, mode, outside]),
      ),
    ),
  ),
);

function isOf(row: readonly unknown[], combination: Combination): boolean {
  return combination.every(
    (value, index) => row[index] === "*" || String(row[index]).split("|").includes(value),
  );
}

function settled([hook, ruling, toolKind, mode, outside]: Combination): Settled {
  return settle({ hook, ruling: RULINGS[ruling], toolKind, mode, isOutside: outside === "outside" } as Claim);
}

test("the table has every combination, each once", () => {
  expect(COMBINATIONS.length).toBe(3 * 7 * 4 * 4 * 2);
  expect(COMBINATIONS.filter((one) => ROWS.filter((row) => isOf(row, one)).length !== 1)).toEqual([]);
});

test.each(ROWS)("hook %s, rule %s, %s tool, mode %s, %s", (...row) => {
  const mine = COMBINATIONS.filter((one) => isOf(row, one));
  expect(mine.length).toBeGreaterThan(0);
  for (const one of mine) expect([one, settled(one)]).toEqual([one, row[5]]);
});
