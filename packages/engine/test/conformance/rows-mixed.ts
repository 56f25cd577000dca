import {
  ALLOW,
  ASK,
  asked,
  DENY,
  denied,
  type Expect,
  goesOnByStderr,
  promptBlocked,
  type Row,
  row,
  rows,
  specific,
  stopped,
  WITHHELD,
} from "./row.ts";

/** Design §4.4: JSON among other text, and several objects. */

const mixed: Expect = { mixed: true };
const isDenied: Expect = { ...WITHHELD, mixed: true };
const isAsked = asked("sure?", mixed);
const isStopped = stopped("enough", mixed);

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
  ["a deny", DENY, "restricts", isDenied],
  ["an ask", ASK, "restricts", isAsked],
  ["a stop", STOP, "restricts", isStopped],
  ["an allow", ALLOW, "never loosens", mixed],
];

const RESTRICTIONS: readonly Row[] = AROUND.flatMap(([says, wrap]) =>
  ANSWERS.map(([what, object, rule, expect]) =>
    row(`design §4.4 ${rule}`, `PreToolUse: ${says} ${what}`, { out: wrap(object) }, expect),
  ),
);

const noisy = (...objects: object[]) => ["starting", ...objects.map((object) => json(object))].join("\n");
const NOTED = noisy({ systemMessage: "mind it", suppressOutput: true });
/** The systemMessage is the reason of a refusal without words, and stays the user's alone. */
const borrowed = (...more: string[]): Expect => ({
  ...isDenied,
  reason: "mind it",
  messages: [
    ...(WITHHELD.messages?.slice(0, 1) ?? []),
    "user warn: hook h says: mind it",
    "user warn: mind it",
    ...more,
  ],
});

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
      denied("no", mixed),
    ],
    "Stop: an approve does not undo exit 2": [
      "design §4.4 never loosens",
      { out: noisy({ decision: "approve" }), err: "tests first", exit: 2 },
      goesOnByStderr("tests first", mixed),
    ],
    "PreToolUse: a stop among text beats exit 2": [
      "design §4.4 never loosens",
      { out: noisy(STOP), err: "no", exit: 2 },
      isStopped,
    ],
    "UserPromptSubmit: context and a new prompt are not taken, while the text around stays plain stdout": [
      "design §4.4 never loosens, design §4.4 text around",
      {
        out: `  before\n${json(specific("UserPromptSubmit", { additionalContext: "x", updatedPrompt: "y" }))}\nafter`,
      },
      { action: "context-injected", messages: ["agent text:   before\n\nafter"], mixed: true },
    ],
    "UserPromptSubmit: a blocked prompt among text carries none of the text": [
      "design §4.4 text around",
      { out: noisy({ decision: "block", reason: "no secrets" }) },
      promptBlocked("no secrets", mixed),
    ],
    "UserPromptSubmit: an object without an output field is plain text": [
      "design §4.4 text around",
      { out: 'versions: {"node":"20"}' },
      { action: "context-injected", messages: ['agent text: versions: {"node":"20"}'] },
    ],
    "PreToolUse: a borrowed systemMessage among text does not reach the agent either (session-hooks)": [
      "design §4.4 user only",
      {
        out: noisy(specific("PreToolUse", { permissionDecision: "deny" }, { systemMessage: "mind it" })),
        exit: 3,
        err: "x",
      },
      borrowed("user error: x"),
      { dialect: "session-hooks" },
    ],
    "PreToolUse: nor does it as the words of a bare exit 2 (session-hooks)": [
      "design §4.4 user only",
      { out: noisy({ systemMessage: "mind it" }), exit: 2 },
      borrowed(),
      { dialect: "session-hooks" },
    ],
  }),
  ...(["wave", "session-hooks", "pact", "claude-code"] as const).map((dialect) =>
    row(
      "design §4.4 user only",
      `PreToolUse: a systemMessage among text reaches the user only (${dialect})`,
      { out: NOTED },
      { mixed: true, messages: ["user warn: mind it"], ...(dialect === "session-hooks" && { shown: true }) },
      { dialect },
    ),
  ),
];

const SEVERAL: readonly Row[] = (
  [
    [[ALLOW, DENY], isDenied],
    [[DENY, ALLOW], isDenied],
    [[ASK, DENY], isDenied],
    [[DENY, ASK], isDenied],
    [[DENY, STOP], isStopped],
    [[STOP, DENY, ALLOW], isStopped],
    [[ALLOW, ASK], isAsked],
    [[ALLOW, ALLOW], mixed],
  ] as const
).map(([objects, expect]) =>
  row(
    "design §4.4 several objects",
    `PreToolUse: the strictest of ${json(objects)}`,
    { out: objects.map((object) => json(object)).join("\n") },
    expect,
  ),
);

export const ROWS_MIXED: readonly Row[] = [...RESTRICTIONS, ...NEVER, ...SEVERAL];
