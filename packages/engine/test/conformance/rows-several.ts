import { DECISION, MESSAGE, OUT, READ, rewrite, STRICTEST } from "./kinds.ts";
import { ALLOW, type Expect, type Row, specific } from "./row.ts";

/** Design §5: the strictest wins, and what of the others is kept. */

const STRICTNESS: readonly Row[] = STRICTEST.flatMap((first) =>
  STRICTEST.map((second): Row => {
    const firstWins = STRICTEST.indexOf(first) <= STRICTEST.indexOf(second);
    return {
      ref: "design §5 the strictest wins, design §5 configured order",
      says: `${first} configured first but finished last, then ${second}`,
      event: "PreToolUse",
      hooks: [
        { name: "a", out: OUT[first], delay: 0.05 },
        { name: "b", out: OUT[second] },
      ],
      expect: {
        ...DECISION[firstWins ? first : second],
        by: firstWins ? "a" : "b",
        messages: [...MESSAGE[first]("a"), ...MESSAGE[second]("b")],
        runs: READ,
      },
    };
  }),
);

function pair(ref: string, says: string, a: object, b: object, expect: Expect): Row {
  return {
    ref: `design §5 ${ref}`,
    says,
    event: "PreToolUse",
    hooks: [
      { name: "a", out: a },
      { name: "b", out: b },
    ],
    expect: { runs: READ, ...expect },
  };
}

const LOST = {
  messages: ["user warn (a): <rewrite-lost>", "user warn (b): <rewrite-lost>"],
  diagnostics: ["rewrite-lost (a) at updatedInput", "rewrite-lost (b) at updatedInput"],
} as const;
const VOIDED = (hook: string) =>
  ({ messages: [`user warn (${hook}): <allow-voided>`], diagnostics: [`allow-voided (${hook})`] }) as const;

const REWRITES: readonly Row[] = [
  pair("a deny carries no rewrite", "a rewrite beside another hook's deny", rewrite("ls"), OUT.deny, {
    ...DECISION.deny,
    by: "b",
    messages: MESSAGE.deny("b"),
  }),
  pair(
    "a deny carries no rewrite",
    "a rewrite beside another hook's stop",
    rewrite("ls", "allow"),
    OUT.stop,
    { ...DECISION.stop, by: "b", messages: MESSAGE.stop("b") },
  ),
  pair("an allow is for its input", "an allow, then a rewrite", ALLOW, rewrite("ls"), {
    ...VOIDED("a"),
    updatedInput: { command: "ls" },
  }),
  pair("an allow is for its input", "a rewrite, then an allow", rewrite("ls"), ALLOW, {
    ...VOIDED("b"),
    updatedInput: { command: "ls" },
  }),
  pair(
    "an allow is for its input",
    "an allow, then a rewrite that allows too",
    ALLOW,
    rewrite("ls", "allow"),
    { kind: "allow", by: "a", updatedInput: { command: "ls" } },
  ),
  pair("an allow is for its input", "an allow beside an ask about a rewrite", ALLOW, rewrite("ls", "ask"), {
    action: "ask-user",
    kind: "ask",
    by: "b",
    reason: "confirmation asked by hook b: no reason given",
    updatedInput: { command: "ls" },
    messages: ["user text (b): confirmation asked by hook b: no reason given"],
  }),
  pair(
    "two rewrites",
    "the later configured one wins and both authors are told",
    rewrite("ls"),
    rewrite("pwd"),
    { ...LOST, updatedInput: { command: "pwd" } },
  ),
  pair(
    "two rewrites",
    "of two allowed ones the later is allowed",
    rewrite("ls", "allow"),
    rewrite("pwd", "allow"),
    { ...LOST, kind: "allow", by: "a", updatedInput: { command: "pwd" } },
  ),
  pair("two rewrites", "an allowed one that lost allows nothing", rewrite("ls", "allow"), rewrite("pwd"), {
    updatedInput: { command: "pwd" },
    messages: [...LOST.messages, ...VOIDED("a").messages],
    diagnostics: [...LOST.diagnostics, ...VOIDED("a").diagnostics],
  }),
];

const prompt = (fields: object, common: object = {}) => specific("UserPromptSubmit", fields, common);

const CARRIED: readonly Row[] = [
  {
    ref: "design §5 a blocked prompt carries nothing",
    says: "context, a rewrite and messages to the agent of other hooks are dropped",
    event: "UserPromptSubmit",
    dialect: "pact",
    hooks: [
      {
        name: "a",
        out: prompt({ additionalContext: "main", updatedPrompt: "x" }, { systemMessage: "mind it" }),
      },
      { name: "b", out: { decision: "block", reason: "no secrets" } },
      { name: "c", out: "plain context" },
    ],
    expect: {
      action: "block-prompt",
      kind: "block",
      by: "b",
      reason: "no secrets",
      messages: ["user warn (a): mind it", "user error (b): no secrets"],
      runs: ["json (a)", "json (b)", "exit-code (c)"],
    },
  },
  {
    ref: "design §5 a stop carries no context",
    says: "context of another hook is dropped",
    event: "PostToolUse",
    hooks: [
      { name: "a", out: specific("PostToolUse", { additionalContext: "650 lines" }) },
      { name: "b", out: OUT.stop },
    ],
    expect: { ...DECISION.stop, by: "b", messages: MESSAGE.stop("b"), runs: READ },
  },
  {
    ref: "design §5 configured order",
    says: "contexts of several hooks, each under its name, whichever finished first",
    event: "UserPromptSubmit",
    hooks: [
      { name: "a", out: "one", delay: 0.1 },
      { name: "b", out: prompt({ additionalContext: "two" }), delay: 0.05 },
      { name: "c", out: "three" },
    ],
    expect: {
      action: "context-injected",
      messages: ["agent text (a): one", "agent hook (b): two", "agent text (c): three"],
      runs: ["exit-code (a)", "json (b)", "exit-code (c)"],
    },
  },
];

export const ROWS_SEVERAL: readonly Row[] = [...STRICTNESS, ...REWRITES, ...CARRIED];
