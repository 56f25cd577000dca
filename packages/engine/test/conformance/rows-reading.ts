import {
  ALLOW,
  ASK,
  asked,
  DENIED,
  DENY,
  denied,
  type Expect,
  faulty,
  goesOnByStderr,
  promptBlocked,
  type Row,
  row,
  rows,
  specific,
  stopped,
  WITHHELD,
} from "./row.ts";

/** Design §4.2: one JSON object, in the wave dialect. */

const MEANT_TO_RESTRICT: readonly [says: string, out: object, path: string][] = [
  ["a deny", { permissionDecision: "deny", ...ALLOW }, "permissionDecision"],
  ["an ask", { permissionDecision: "ask", ...ALLOW }, "permissionDecision"],
  [
    "a stop",
    specific("PreToolUse", { permissionDecision: "allow", continue: false }),
    "hookSpecificOutput.continue",
  ],
];

const TOP = ["continue", "stopReason", "systemMessage", "suppressOutput", "decision", "reason"];
const INSIDE = ["permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"];
const all = (value: unknown, fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, value]));

const DEEP: Expect = { diagnostics: ["output-unknown-field at deep"] };
const TOO_DEEP = "output-invalid at (all of it)";
/** So many levels of lists. */
const nest = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

const pretty = JSON.stringify(DENY, null, 2);

export const ROWS_READING: readonly Row[] = [
  ...[
    ["a byte order mark", `\uFEFF${JSON.stringify(DENY)}`],
    ["space around", `\n\t  ${JSON.stringify(DENY)}  \n\n`],
    ["several lines", pretty],
    ["CRLF", pretty.replaceAll("\n", "\r\n")],
    ["a byte order mark and space", `\uFEFF\n${pretty}\n`],
    ["escapes", JSON.stringify(DENY).replace("not here", "not\\u0020here")],
  ].map(([says, out]) =>
    row("design §4.2 one object", `PreToolUse: one object with ${says}`, { out: out as string }, DENIED),
  ),
  ...[null, "", " \n\t\u00a0"].flatMap((nothing): Row[] => [
    row(
      "design §4.2 null and empty",
      `PreToolUse: ${JSON.stringify(nothing)} everywhere is silence`,
      { out: specific("PreToolUse", all(nothing, INSIDE), all(nothing, TOP)) },
      {},
    ),
    row(
      "design §4.2 null and empty",
      `UserPromptSubmit: a new prompt of ${JSON.stringify(nothing)} and no words but these are nothing`,
      {
        out: specific(
          "UserPromptSubmit",
          all(nothing, ["updatedPrompt", "additionalContext"]),
          all(nothing, ["reason", "systemMessage"]),
        ),
      },
      {},
    ),
    row(
      "design §4.2 null and empty, design §4.2 no words",
      `Stop: a stop whose reason is ${JSON.stringify(nothing)} has no words`,
      { out: { continue: false, stopReason: nothing } },
      stopped("stopped by hook h: no reason given"),
      { dialect: "claude-code" },
    ),
    row(
      "design §4.2 null and empty",
      `PreToolUse: hookSpecificOutput of ${JSON.stringify(nothing)} is none`,
      { out: { hookSpecificOutput: nothing, systemMessage: "mind it" } },
      { messages: ["user warn: mind it"] },
    ),
    row(
      "design §4.2 null and empty, design §4.2 no words",
      `PreToolUse: a deny whose reason is ${JSON.stringify(nothing)} has no words`,
      { out: specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: nothing }) },
      denied("blocked by hook h: no reason given"),
    ),
    row(
      "design §4.2 null and empty",
      `PermissionRequest: the long form with a message of ${JSON.stringify(nothing)} still denies`,
      { out: { decision: { behavior: "deny", ...all(nothing, ["message", "updatedInput", "interrupt"]) } } },
      denied("blocked by hook h: no reason given"),
    ),
  ]),
  ...(
    [
      ["a deny beside 100 levels", DENY, 100, { ...DENIED, ...DEEP }],
      ["a deny beside 101 levels", DENY, 101, { ...WITHHELD, fault: TOO_DEEP, read: "mixed", ...DEEP }],
      ["an allow beside 101 levels allows nothing", ALLOW, 101, faulty(TOO_DEEP, DEEP)],
    ] as const
  ).map(([says, answer, levels, expect]) =>
    row(
      "design §4.2 depth",
      `PreToolUse: ${says}`,
      { out: JSON.stringify(answer).replace("{", `{"deep":${nest(levels - 1)},`) },
      expect,
    ),
  ),
  ...(
    [
      ["PreToolUse", "sytemMessage", "systemMessage"],
      ["PreToolUse", "stop_reason", "stopReason"],
      ["Stop", "desicion", "decision"],
      ["Stop", "hookspecificoutput", "hookSpecificOutput"],
    ] as const
  ).map(([event, field, meant]) =>
    row(
      "design §4.2 unknown fields",
      `${event}: ${field} is ignored, and ${meant} is guessed`,
      { out: { [field]: "x" } },
      { warns: [`output-misspelt-field at ${field}`], mentions: [`did you mean ${meant}?`] },
    ),
  ),
  ...MEANT_TO_RESTRICT.flatMap(([says, out, path]) => {
    const warns = [`output-misplaced-field at ${path}`];
    return [
      row(
        "design §4.2 unknown fields",
        `PreToolUse: an allow does not hold beside ${says} at the wrong place`,
        { out },
        { warns },
        { dialect: "claude-code" },
      ),
      row(
        "design §4.2 unknown fields",
        `PreToolUse: an allow beside ${says} at the wrong place leaves exit 2 in force`,
        { out, err: "not here", exit: 2 },
        { ...DENIED, warns },
        { dialect: "claude-code" },
      ),
    ];
  }),
  ...rows({
    "PreToolUse: an allow at the top level is ignored, and the user is told where it belongs": [
      "design §4.2 unknown fields",
      { out: { permissionDecision: "allow", permissionDecisionReason: "not here" } },
      {
        warns: [
          "output-misplaced-field at permissionDecision",
          "output-misplaced-field at permissionDecisionReason",
        ],
        mentions: ["inside hookSpecificOutput"],
      },
    ],
    "PreToolUse: an allow beside another one at the wrong place holds": [
      "design §4.2 unknown fields",
      { out: { permissionDecision: "allow", ...ALLOW } },
      {
        kind: "allow",
        warns: ["output-misplaced-field at permissionDecision"],
      },
    ],
    "PreToolUse: a systemMessage inside hookSpecificOutput is ignored, and the user is told where it belongs":
      [
        "design §4.2 unknown fields",
        { out: specific("PreToolUse", { systemMessage: "mind it" }) },
        {
          warns: ["output-misplaced-field at hookSpecificOutput.systemMessage"],
          mentions: ["at the top level"],
        },
      ],
  }),
];

/** Design §4.1: JSON against the exit code, in the wave dialect. */

const SILENT_JSON: readonly [says: string, out: object, messages: readonly string[]][] = [
  ["an empty object", {}, []],
  ["continue:true", { continue: true }, []],
  ["a systemMessage", { systemMessage: "mind it" }, ["user warn: mind it"]],
  ["context", specific("PreToolUse", { additionalContext: "main" }), ["agent hook: main"]],
  ["a new input", specific("PreToolUse", { updatedInput: { command: "ls" } }), []],
  ["suppressOutput", { suppressOutput: true }, []],
];

export const ROWS_PRECEDENCE: readonly Row[] = [
  ...SILENT_JSON.map(([says, out, messages]) =>
    row(
      "design §4.1 silence is not consent",
      `PreToolUse: ${says} leaves exit 2 in force`,
      { out, err: "not here", exit: 2 },
      { ...DENIED, messages: ["agent tool: not here", ...messages] },
    ),
  ),
  ...SILENT_JSON.slice(0, 3).map(([says, out, messages]) =>
    row(
      "design §4.1 silence is not consent",
      `PreToolUse: ${says} leaves exit 1 in force`,
      { out, err: "broken", exit: 1 },
      { action: "error-displayed", messages: [...messages, "user error: broken"] },
    ),
  ),
  ...rows({
    "UserPromptSubmit: context beside exit 2 does not reach the agent with a blocked prompt": [
      "design §4.1 silence is not consent",
      { out: specific("UserPromptSubmit", { additionalContext: "main" }), err: "no secrets", exit: 2 },
      promptBlocked("no secrets"),
    ],
    "Stop: approve with exit 2 lets the agent stop, and is said to be odd": [
      "design §4.1 JSON speaks",
      { out: { decision: "approve" }, err: "not shown", exit: 2 },
      { warns: ["exit-2-overruled"] },
    ],
    "PreToolUse: an ask with exit 2 asks": [
      "design §4.1 JSON speaks",
      { out: ASK, err: "not shown", exit: 2 },
      asked("sure?"),
    ],
    "SessionStart: a stop keeps stderr of exit 2 from the user, also where nothing can be blocked": [
      "design §4.1 stderr to the journal",
      { out: { continue: false, stopReason: "enough" }, err: "not shown", exit: 2 },
      stopped("enough"),
    ],
    "PreToolUse: an allow with exit 1 is an allow, and stderr is kept": [
      "design §4.1 stderr to the journal",
      { out: ALLOW, err: "a log line", exit: 1 },
      { kind: "allow", facts: [{ exitCode: 1, stderr: "a log line" }] },
    ],
  }),
];

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
