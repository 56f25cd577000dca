import type { EventName } from "@belay/engine";
import {
  ALLOW,
  asked,
  DENY,
  denied,
  type Expect,
  faulty,
  goesOn,
  type Row,
  resultBlockedByStderr,
  row,
  rows,
  specific,
  stopped,
  taken,
} from "./row.ts";

/** Design §4.3: invalid objects restrict as far as they are sound, and answers that come close are read as what they mean. */

const NO_WORDS = "blocked by hook h: no reason given";
const IN = "hookSpecificOutput";

/** The outcome of an answer whose only problem is at `path`; one that restricts is read as mixed output is. */
const invalid = (path: string, expect: Expect = {}): Expect =>
  faulty(`output-invalid at ${path}`, { ...(expect.kind && { read: "mixed" }), ...expect });

const unsound = (says: string, event: EventName, out: object, expect: Expect) =>
  row("design §4.3 invalid", `${event}: ${says}`, { out }, expect);
const tool = (fields: object, common?: object) => specific("PreToolUse", fields, common);

const UNSOUND: readonly Row[] = [
  unsound(
    "a deny whose reason is a number denies",
    "PreToolUse",
    tool({ permissionDecision: "deny", permissionDecisionReason: 7 }),
    invalid(`${IN}.permissionDecisionReason`, denied(NO_WORDS)),
  ),
  unsound(
    "a long deny whose message is a number denies",
    "PermissionRequest",
    { decision: { behavior: "deny", message: 7 } },
    invalid("decision.message", denied(NO_WORDS)),
  ),
  unsound(
    "a long allow whose message is a number allows nothing",
    "PermissionRequest",
    specific("PermissionRequest", { decision: { behavior: "allow", message: 7 } }),
    invalid(`${IN}.decision.message`),
  ),
  unsound(
    "a long answer without a behavior says nothing",
    "PermissionRequest",
    { decision: { message: "no" } },
    faulty("output-missing at decision.behavior"),
  ),
  unsound(
    "an ask whose reason is a list asks",
    "PreToolUse",
    tool({ permissionDecision: "ask", permissionDecisionReason: [] }),
    invalid(`${IN}.permissionDecisionReason`, asked("confirmation asked by hook h: no reason given")),
  ),
  unsound(
    "an allow whose reason is a number allows nothing",
    "PreToolUse",
    tool({ permissionDecision: "allow", permissionDecisionReason: 7 }),
    invalid(`${IN}.permissionDecisionReason`),
  ),
  unsound(
    "a block beside an unsound systemMessage blocks, and its words go to the user only",
    "Stop",
    { decision: "block", reason: "tests first", systemMessage: 7 },
    invalid(
      "systemMessage",
      goesOn("tests first", {
        messages: [
          "agent hook: blocked by hook h; its words went to the user only, because its output was not one sound answer",
          "user warn: hook h says: tests first",
        ],
      }),
    ),
  ),
  unsound(
    "a stop beside an unsound field stops",
    "PostToolUse",
    { continue: false, stopReason: "enough", suppressOutput: "yes" },
    invalid("suppressOutput", stopped("enough")),
  ),
  unsound(
    "context beside an unsound field reaches nobody",
    "UserPromptSubmit",
    specific("UserPromptSubmit", { additionalContext: "main", updatedPrompt: 7 }),
    invalid(`${IN}.updatedPrompt`),
  ),
  unsound(
    "a rewrite beside an unsound field is not made",
    "PreToolUse",
    tool({ updatedInput: { command: "ls" } }, { systemMessage: {} }),
    invalid("systemMessage"),
  ),
  unsound(
    "a systemMessage beside an unsound field still reaches the user",
    "PreToolUse",
    { systemMessage: "mind it", continue: "no" },
    invalid("continue", { messages: ["user warn: mind it"] }),
  ),
  ...["DENY", "block", 7, true, [], {}].map((permissionDecision) =>
    unsound(
      `a permissionDecision of ${JSON.stringify(permissionDecision)} is none`,
      "PreToolUse",
      tool({ permissionDecision }),
      invalid(`${IN}.permissionDecision`),
    ),
  ),
  ...["Block", 7, false, []].map((decision) =>
    unsound(`a decision of ${JSON.stringify(decision)} is none`, "Stop", { decision }, invalid("decision")),
  ),
  ...["false", 0, [], {}].map((value) =>
    unsound(
      `continue of ${JSON.stringify(value)} stops nothing`,
      "Stop",
      { continue: value },
      invalid("continue"),
    ),
  ),
  ...(
    [
      [{ systemMessage: 7, suppressOutput: "yes" }, "1 more problem"],
      [{ systemMessage: 7, suppressOutput: "yes", continue: "no" }, "2 more problems"],
    ] as const
  ).map(([out, more]) =>
    unsound(`the user is told the first problem, and of ${more}`, "Stop", out, {
      action: "error-displayed",
      messages: [`user error: hook h: <output-invalid> (and ${more})`],
      diagnostics: Object.keys(out).map((field) => `output-invalid at ${field}`),
      runs: [`exit-code fault output-invalid (and ${more})`],
    }),
  ),
  ...rows({
    "PreToolUse: an invalid allow with exit 2 is a deny": [
      "design §4.3 invalid, design §4.9 exit 2 stands",
      { out: tool({ permissionDecision: "allow", updatedInput: "ls" }), err: "no", exit: 2 },
      invalid(`${IN}.updatedInput`, denied("no", { read: "exit-code" })),
    ],
    "PreToolUse: an invalid object with exit 1 shows stderr, and the user is told what was wrong": [
      "design §4.3 invalid",
      { out: { systemMessage: 7 }, err: "traceback", exit: 1 },
      invalid("systemMessage", { messages: ["user error: traceback"] }),
    ],
  }),
];

const ANY_PERMISSION = '("allow" | "deny" | "ask")';

/** What was wrong, at which path, what is accepted: value by value. */
const WORDS: readonly Row[] = (
  [
    ["PreToolUse", { systemMessage: 7 }, "systemMessage", "string", "7"],
    ["PreToolUse", { continue: "no" }, "continue", "boolean", '"no"'],
    ["PreToolUse", tool({ permissionDecision: "yes" }), `${IN}.permissionDecision`, ANY_PERMISSION, '"yes"'],
    ["PreToolUse", tool({ updatedInput: ["ls"] }), `${IN}.updatedInput`, "an object", "an array"],
    ["PermissionRequest", { decision: { behavior: "no" } }, "decision.behavior", ANY_PERMISSION, '"no"'],
    ["PostToolUse", { hookSpecificOutput: "x" }, IN, "an object", '"x"'],
  ] as const
).map(([event, out, path, expected, got]) =>
  unsound(`the words for ${JSON.stringify(out)}`, event, out, {
    ...invalid(path),
    mentions: [
      `\`${path}\` is not valid: expected ${expected}, got ${got}; only what restricts was read`,
      `Correct \`${path}\`; \`belay schema ${event} --output\` prints what is accepted.`,
    ],
  }),
);

const INSTEAD = `${IN}.permissionDecision instead`;
const ANY = 'Answer with hookSpecificOutput.permissionDecision "allow", "deny" or "ask".';
const ALLOWED = 'Answer with hookSpecificOutput.permissionDecision "allow".';

/** A decision that no event gives: the words are those of this event, and words beside it are not called idle. */
const DECISIONS: readonly Row[] = (
  [
    ["PreToolUse", { decision: "allow", reason: "no rm" }, INSTEAD, ALLOWED],
    ["PreToolUse", { decision: "no", reason: "no rm" }, INSTEAD, ANY],
    ["PreToolUse", { decision: { behavior: "deny" } }, INSTEAD, ANY],
    ["PermissionRequest", { decision: "allow", reason: "sure?" }, INSTEAD, ALLOWED],
    ["PostToolUse", { decision: "deny", reason: "lint" }, '"block"', 'Answer with decision "block".'],
    ["Stop", { decision: "deny" }, '("block" | "approve")', 'Answer with decision "block".'],
    ["Stop", { decision: "allow" }, '("block" | "approve")', "Correct `decision`;"],
    [
      "SessionEnd",
      { decision: "deny", reason: "stay" },
      "no decision on SessionEnd",
      "Use one of: continue, stopReason, systemMessage, suppressOutput.",
    ],
  ] as const
).map(([event, out, expected, fix]) =>
  unsound(`the words for ${JSON.stringify(out)}`, event, out, {
    ...invalid("decision"),
    mentions: [`\`decision\` is not valid: expected ${expected}, got `, fix],
  }),
);

const asDeny = (path: string, reason?: string) => taken("deny", path, reason, "output-block-as-deny");
const WHY = "not here";

const misplaced = (event: EventName): [out: object, expect: Expect][] => [
  [{ decision: "block", reason: WHY }, asDeny("decision", WHY)],
  [specific(event, { decision: "block", reason: WHY }), asDeny(`${IN}.decision`, WHY)],
  [{ decision: "block" }, asDeny("decision")],
  ...(["deny", "ask"] as const).flatMap((word): [object, Expect][] => [
    [{ decision: word, reason: WHY }, taken(word, "decision", WHY)],
    [specific(event, { decision: word, reason: WHY }), taken(word, `${IN}.decision`, WHY)],
    [{ permissionDecision: word, permissionDecisionReason: WHY }, taken(word, "permissionDecision", WHY)],
    [{ permissionDecision: word, reason: WHY }, taken(word, "permissionDecision", WHY)],
    [
      specific(event, { permissionDecision: "allow" }, { permissionDecision: word }),
      taken(word, "permissionDecision"),
    ],
  ]),
];

const MISPLACED: readonly Row[] = (["PreToolUse", "PermissionRequest"] as const).flatMap((event) =>
  misplaced(event).map(([out, expect]) =>
    row("design §4.3 misplaced restriction", `${event}: ${JSON.stringify(out)}`, { out }, expect),
  ),
);

const onStderr: Expect = { warns: ["output-on-stderr"] };

/** An answer on stderr is none; of one that restricts that is said. */
const ON_STDERR: readonly Row[] = rows({
  "PreToolUse: a deny on stderr": [
    "design §4.3 misplaced restriction",
    { err: JSON.stringify(DENY) },
    onStderr,
  ],
  "PreToolUse: a stop among other text on stderr": [
    "design §4.3 misplaced restriction",
    { err: 'log\n{"continue":false,"stopReason":"enough"}' },
    onStderr,
  ],
  "PreToolUse: an allow on stderr": ["design §4.3 misplaced restriction", { err: JSON.stringify(ALLOW) }, {}],
  "PreToolUse: a deny on stderr of a hook that answers": [
    "design §4.3 misplaced restriction",
    { err: JSON.stringify(DENY), out: ALLOW },
    { kind: "allow" },
  ],
});

const cannot = (field: string): Expect => ({ warns: [`output-cannot-answer at ${IN}.${field}`] });

const CANNOT_ANSWER: readonly Row[] = rows({
  "PostToolUse: the reason of an answer the event cannot give is shown to the user": [
    "design §4.3 cannot answer",
    { out: specific("PostToolUse", { permissionDecision: "deny", permissionDecisionReason: "not here" }) },
    { ...cannot("permissionDecision"), mentions: ["not here", "additionalContext"] },
  ],
  "SessionEnd: the context of an event that takes none is shown to the user": [
    "design §4.3 cannot answer",
    { out: specific("SessionEnd", { additionalContext: "two plans found" }) },
    {
      ...cannot("additionalContext"),
      mentions: ['`additionalContext`: "two plans found" was ignored: SessionEnd cannot give that answer'],
    },
  ],
  "PostToolUse: an answer the event cannot give leaves exit 2 in force": [
    "design §4.3 cannot answer",
    { out: specific("PostToolUse", { permissionDecision: "allow" }), err: "lint failed", exit: 2 },
    resultBlockedByStderr("lint failed", cannot("permissionDecision")),
  ],
});

export const ROWS_INVALID: readonly Row[] = [
  ...UNSOUND,
  ...WORDS,
  ...DECISIONS,
  ...MISPLACED,
  ...ON_STDERR,
  ...CANNOT_ANSWER,
];
