import { ALLOW, ASK, DENY, type Expect, type Row, rows, specific } from "./row.ts";

/** Design §4.4: JSON among other text, and several objects. */

const WITHHELD =
  "agent tool: blocked by hook h; its words went to the user only, because its output was not one sound answer";

const mixed: Expect = {
  messages: ["user warn: <output-mixed>"],
  diagnostics: ["output-mixed"],
  runs: ["mixed"],
};
const denied: Expect = {
  ...mixed,
  action: "block-tool",
  kind: "deny",
  reason: "not here",
  messages: [WITHHELD, "user warn: hook h says: not here", "user warn: <output-mixed>"],
};
const asked: Expect = {
  ...mixed,
  action: "ask-user",
  kind: "ask",
  reason: "sure?",
  messages: ["user text: sure?", "user warn: <output-mixed>"],
};
const stopped: Expect = {
  ...mixed,
  action: "stop",
  kind: "stop",
  reason: "enough",
  messages: ["user error: enough", "user warn: <output-mixed>"],
};

const json = JSON.stringify;
const STOP = { continue: false, stopReason: "enough" };

/** Ways in which other text comes around an object. */
const AROUND: readonly [says: string, wrap: (object: object) => string][] = [
  ["a banner before", (o) => `Welcome to the shell\n${json(o)}`],
  ["a log line after", (o) => `${json(o)}\ndone in 3 ms\n`],
  ["a code fence around", (o) => `\`\`\`json\n${json(o, null, 2)}\n\`\`\``],
  ["text on the same line", (o) => `result: ${json(o)}.`],
  ["a list around", (o) => `[${json(o)}]`],
  ["a log object before", (o) => `{"level":"info"}\n${json(o)}`],
  ["a stray brace before", (o) => `hello { world\n${json(o)}`],
  ["a stray brace and quote before", (o) => `it said {"oops\n${json(o)}`],
  ["a half object after", (o) => `${json(o)}\n{"half": `],
  ["an ANSI sequence before", (o) => `\u001b[32mok\u001b[0m ${json(o)}`],
];

const ANSWERS: readonly [says: string, object: object, rule: string, expect: Expect][] = [
  ["a deny", DENY, "restricts", denied],
  ["an ask", ASK, "restricts", asked],
  ["a stop", STOP, "restricts", stopped],
  ["an allow", ALLOW, "never loosens", mixed],
];

const RESTRICTIONS: readonly Row[] = AROUND.flatMap(([says, wrap]) =>
  ANSWERS.map(([what, object, rule, expect]) => ({
    ref: `design §4.4 ${rule}`,
    says: `${says} ${what}`,
    event: "PreToolUse",
    hook: { out: wrap(object) },
    expect,
  })),
);

const noisy = (...objects: object[]) => ["starting", ...objects.map((object) => json(object))].join("\n");

const NEVER: readonly Row[] = [
  ...rows({
    "PreToolUse: a new input is not taken": [
      "design §4.4 never loosens",
      { out: noisy(specific("PreToolUse", { updatedInput: { command: "ls" } })) },
      mixed,
    ],
    "PreToolUse: an allow does not undo exit 2": [
      "design §4.4 never loosens",
      { out: noisy(ALLOW), err: "no", exit: 2 },
      {
        ...mixed,
        action: "block-tool",
        kind: "deny",
        reason: "no",
        messages: ["agent tool: no", "user warn: <output-mixed>"],
      },
    ],
    "Stop: an approve does not undo exit 2": [
      "design §4.4 never loosens",
      { out: noisy({ decision: "approve" }), err: "tests first", exit: 2 },
      {
        ...mixed,
        action: "block-stop",
        kind: "block",
        reason: "tests first",
        messages: ["agent text: tests first", "user warn: <output-mixed>"],
      },
    ],
    "PreToolUse: a stop among text beats exit 2": [
      "design §4.4 never loosens",
      { out: noisy(STOP), err: "no", exit: 2 },
      stopped,
    ],
    "UserPromptSubmit: context and a new prompt are not taken, while the text around stays plain stdout": [
      ["design §4.4 never loosens", "design §4.4 text around"],
      {
        out: `  before\n${json(specific("UserPromptSubmit", { additionalContext: "x", updatedPrompt: "y" }))}\nafter`,
      },
      {
        ...mixed,
        action: "context-injected",
        messages: ["agent text:   before\n\nafter", "user warn: <output-mixed>"],
      },
    ],
    "UserPromptSubmit: a blocked prompt among text carries none of the text": [
      "design §4.4 text around",
      { out: noisy({ decision: "block", reason: "no secrets" }) },
      {
        ...mixed,
        action: "block-prompt",
        kind: "block",
        reason: "no secrets",
        messages: ["user error: no secrets", "user warn: <output-mixed>"],
      },
    ],
    "UserPromptSubmit: an object without an output field is plain text": [
      "design §4.4 text around",
      { out: 'versions: {"node":"20"}' },
      { action: "context-injected", messages: ['agent text: versions: {"node":"20"}'] },
    ],
  }),
  ...(["wave", "session-hooks", "pact", "claude-code"] as const).map(
    (dialect): Row => ({
      ref: "design §4.4 user only",
      says: `a systemMessage among text reaches the user only (${dialect})`,
      event: "PreToolUse",
      dialect,
      hook: { out: noisy({ systemMessage: "mind it", suppressOutput: true }), exit: 0 },
      expect: {
        ...mixed,
        messages: [
          "user warn: mind it",
          ...(dialect === "session-hooks"
            ? [`user text: ${noisy({ systemMessage: "mind it", suppressOutput: true })}`]
            : []),
          "user warn: <output-mixed>",
        ],
      },
    }),
  ),
  ...rows({
    "PreToolUse: a borrowed systemMessage among text does not reach the agent either (session-hooks)": [
      "design §4.4 user only",
      {
        out: noisy(specific("PreToolUse", { permissionDecision: "deny" }, { systemMessage: "mind it" })),
        exit: 3,
        err: "x",
      },
      {
        ...denied,
        reason: "mind it",
        messages: [
          WITHHELD,
          "user warn: hook h says: mind it",
          "user warn: mind it",
          "user error: x",
          "user warn: <output-mixed>",
        ],
      },
      { dialect: "session-hooks" },
    ],
    "PreToolUse: nor does it as the words of a bare exit 2 (session-hooks)": [
      "design §4.4 user only",
      { out: noisy({ systemMessage: "mind it" }), exit: 2 },
      {
        ...denied,
        reason: "mind it",
        messages: [
          WITHHELD,
          "user warn: hook h says: mind it",
          "user warn: mind it",
          "user warn: <output-mixed>",
        ],
      },
      { dialect: "session-hooks" },
    ],
  }),
];

const SEVERAL: readonly Row[] = [
  { objects: [ALLOW, DENY], expect: denied },
  { objects: [DENY, ALLOW], expect: denied },
  { objects: [ASK, DENY], expect: denied },
  { objects: [DENY, ASK], expect: denied },
  { objects: [DENY, STOP], expect: stopped },
  { objects: [STOP, DENY, ALLOW], expect: stopped },
  { objects: [ALLOW, ASK], expect: asked },
  { objects: [ALLOW, ALLOW], expect: mixed },
].map(({ objects, expect }) => ({
  ref: "design §4.4 several objects",
  says: `the strictest of ${json(objects)}`,
  event: "PreToolUse",
  hook: { out: objects.map((object) => json(object)).join("\n") },
  expect,
}));

export const ROWS_MIXED: readonly Row[] = [...RESTRICTIONS, ...NEVER, ...(SEVERAL as Row[])];
