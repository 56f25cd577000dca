import { ALLOW, type Expect, type HookSpec, permission, type Row, specific } from "./row.ts";

/** Every kind of answer to a tool call, strictest first, with its words and who reads them. */
type Kind = "stop" | "deny" | "ask" | "allow" | "none";

const STRICTEST: readonly Kind[] = ["stop", "deny", "ask", "allow", "none"];

const OUT: Record<Kind, object> = {
  stop: { continue: false, stopReason: "enough" },
  deny: permission("deny", "not here"),
  ask: permission("ask", "sure?"),
  allow: permission("allow", "fine"),
  none: {},
};

const MESSAGE: Record<Kind, (hook: string) => readonly string[]> = {
  stop: (hook) => [`user error (${hook}): enough`],
  deny: (hook) => [`agent tool (${hook}): not here`],
  ask: (hook) => [`user text (${hook}): sure?`],
  allow: (hook) => [`user text (${hook}): fine`],
  none: () => [],
};

const DECISION: Record<Kind, Expect> = {
  stop: { action: "stop", kind: "stop", reason: "enough" },
  deny: { action: "block-tool", kind: "deny", reason: "not here" },
  ask: { action: "ask-user", kind: "ask", reason: "sure?" },
  allow: { action: "continue", kind: "allow", reason: "fine" },
  none: {},
};

const READ = ["json (a)", "json (b)"];

const rewrite = (command: string, permissionDecision?: string) =>
  specific("PreToolUse", { updatedInput: { command }, ...(permissionDecision && { permissionDecision }) });

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

/** Design §5: sequential groups, and the same handler in several places. */

/** Exits with 2 when the payload on stdin holds this command. */
const refusesCommand = (name: string, command: string): HookSpec => ({
  name,
  command: `if grep -q '"command":"${command}"'; then echo "saw ${command}" >&2; exit 2; fi`,
});

export const ROWS_GROUPS: readonly Row[] = [
  {
    ref: "design §5 sequential",
    says: "each hook sees the input as the previous one left it",
    event: "PreToolUse",
    groups: [{ sequential: true, hooks: [{ name: "a", out: rewrite("ls") }, refusesCommand("b", "ls")] }],
    expect: {
      action: "block-tool",
      kind: "deny",
      by: "b",
      reason: "saw ls",
      messages: ["agent tool (b): saw ls"],
      runs: ["json (a)", "exit-code (b)"],
    },
  },
  {
    ref: "design §5 sequential",
    says: "in a parallel group it sees the original",
    event: "PreToolUse",
    groups: [{ hooks: [{ name: "a", out: rewrite("ls") }, refusesCommand("b", "ls")] }],
    expect: { updatedInput: { command: "ls" }, runs: ["json (a)", "exit-code (b)"] },
  },
  {
    ref: "design §5 sequential, design §5 two rewrites",
    says: "a rewrite of a rewrite loses nothing, and an allow of what it saw stands",
    event: "PreToolUse",
    groups: [
      {
        sequential: true,
        hooks: [
          { name: "a", out: rewrite("ls") },
          { name: "b", out: rewrite("ls -l") },
          { name: "c", out: ALLOW },
        ],
      },
    ],
    expect: {
      kind: "allow",
      by: "c",
      updatedInput: { command: "ls -l" },
      runs: ["json (a)", "json (b)", "json (c)"],
    },
  },
  ...(["deny", "stop"] as const).map(
    (kind): Row => ({
      ref: "design §5 sequential",
      says: `a ${kind} skips the rest of its group, not of others`,
      event: "PreToolUse",
      groups: [
        {
          sequential: true,
          hooks: [
            { name: "a", out: OUT[kind] },
            { name: "b", out: OUT.ask },
          ],
        },
        { hooks: [{ name: "c", out: OUT.allow }] },
      ],
      expect: {
        ...DECISION[kind],
        by: "a",
        messages: [...MESSAGE[kind]("a"), ...MESSAGE.allow("c")],
        runs: ["json (a)", "json (c)"],
      },
    }),
  ),
  {
    ref: "design §5 sequential",
    says: "an ask does not skip the rest",
    event: "PreToolUse",
    groups: [
      {
        sequential: true,
        hooks: [
          { name: "a", out: OUT.ask },
          { name: "b", out: OUT.deny },
        ],
      },
    ],
    expect: { ...DECISION.deny, by: "b", messages: [...MESSAGE.ask("a"), ...MESSAGE.deny("b")], runs: READ },
  },
  {
    ref: "design §5 sequential",
    says: "neither a fault nor a hook that only observes ends it or hands anything on",
    event: "PreToolUse",
    groups: [
      {
        sequential: true,
        hooks: [
          { name: "a", err: "broken", exit: 3 },
          { name: "b", out: OUT.deny, mode: "observe" },
          { name: "c", out: rewrite("ls"), mode: "observe" },
          refusesCommand("d", "ls"),
          { name: "e", out: OUT.deny },
        ],
      },
    ],
    expect: {
      ...DECISION.deny,
      by: "e",
      messages: ["user error (a): broken", ...MESSAGE.deny("e")],
      warns: ["observed (b)", "observed (c)"],
      runs: ["exit-code (a)", "json (b)", "json (c)", "exit-code (d)", "json (e)"],
    },
  },
  {
    ref: "design §5 sequential, design §5 an allow is for its input",
    says: "an allow before a rewrite is not for the new input",
    event: "PreToolUse",
    groups: [
      {
        sequential: true,
        hooks: [
          { name: "a", out: ALLOW },
          { name: "b", out: rewrite("ls") },
        ],
      },
    ],
    expect: { warns: ["allow-voided (a)"], updatedInput: { command: "ls" }, runs: READ },
  },
  {
    ref: "design §5 the same handler once",
    says: "equal in all fields, in two groups",
    event: "PreToolUse",
    groups: [{ hooks: [{ out: OUT.deny }] }, { matcher: "Bash", hooks: [{ out: OUT.deny }] }],
    expect: { ...DECISION.deny, messages: ["agent tool: not here"], runs: ["json"] },
  },
  {
    ref: "design §5 the same handler once",
    says: "another timeout is another handler",
    event: "PreToolUse",
    groups: [{ hooks: [{ out: OUT.deny }, { out: OUT.deny, timeout: 30 }] }],
    expect: {
      ...DECISION.deny,
      messages: ["agent tool: not here", "agent tool: not here"],
      runs: ["json", "json"],
    },
  },
];
