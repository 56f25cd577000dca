import type { EventName } from "@belay/engine";
import { all, cells, shown } from "./dialect-cells.ts";
import { DENY, denied, type Expect, faulty, type Row, resultBlockedByStderr, rows, specific } from "./row.ts";
import { invalid, WORDS } from "./rows-invalid-words.ts";

/** Design §4.3: invalid objects restrict as far as they are sound, and answers that come close are read as what they mean. */

const NO_WORDS = "blocked by hook h: no reason given";
const WITHHELD =
  "blocked by hook h; its words went to the user only, because its output was not one sound answer";

function row(says: string, event: EventName, out: object, expect: Expect): Row {
  return { ref: "design §4.3 invalid", says, event, hook: { out }, expect };
}

const restricts: Expect = { runs: ["mixed fault output-invalid"] };
const IN = "hookSpecificOutput";

const UNSOUND: readonly Row[] = [
  row(
    "a deny whose reason is a number denies",
    "PreToolUse",
    specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: 7 }),
    invalid(`${IN}.permissionDecisionReason`, {
      ...restricts,
      action: "block-tool",
      kind: "deny",
      reason: NO_WORDS,
      messages: [`agent tool: ${NO_WORDS}`],
    }),
  ),
  row(
    "a long deny whose message is a number denies",
    "PermissionRequest",
    { decision: { behavior: "deny", message: 7 } },
    invalid("decision.message", {
      ...restricts,
      action: "block-tool",
      kind: "deny",
      reason: NO_WORDS,
      messages: [`agent tool: ${NO_WORDS}`],
    }),
  ),
  row(
    "a long allow whose message is a number allows nothing",
    "PermissionRequest",
    specific("PermissionRequest", { decision: { behavior: "allow", message: 7 } }),
    invalid(`${IN}.decision.message`),
  ),
  row(
    "a long answer without a behavior says nothing",
    "PermissionRequest",
    { decision: { message: "no" } },
    faulty("output-missing", { at: "decision.behavior" }),
  ),
  row(
    "an ask whose reason is a list asks",
    "PreToolUse",
    specific("PreToolUse", { permissionDecision: "ask", permissionDecisionReason: [] }),
    invalid(`${IN}.permissionDecisionReason`, {
      ...restricts,
      action: "ask-user",
      kind: "ask",
      reason: "confirmation asked by hook h: no reason given",
      messages: ["user text: confirmation asked by hook h: no reason given"],
    }),
  ),
  row(
    "an allow whose reason is a number allows nothing",
    "PreToolUse",
    specific("PreToolUse", { permissionDecision: "allow", permissionDecisionReason: 7 }),
    invalid(`${IN}.permissionDecisionReason`),
  ),
  row(
    "a block beside an unsound systemMessage blocks, and its words go to the user only",
    "Stop",
    { decision: "block", reason: "tests first", systemMessage: 7 },
    invalid("systemMessage", {
      ...restricts,
      action: "block-stop",
      kind: "block",
      reason: "tests first",
      messages: [`agent hook: ${WITHHELD}`, "user warn: hook h says: tests first"],
    }),
  ),
  row(
    "a stop beside an unsound field stops",
    "PostToolUse",
    { continue: false, stopReason: "enough", suppressOutput: "yes" },
    invalid("suppressOutput", {
      ...restricts,
      action: "stop",
      kind: "stop",
      reason: "enough",
      messages: ["user error: enough"],
    }),
  ),
  row(
    "context beside an unsound field reaches nobody",
    "UserPromptSubmit",
    specific("UserPromptSubmit", { additionalContext: "main", updatedPrompt: 7 }),
    invalid(`${IN}.updatedPrompt`),
  ),
  row(
    "a rewrite beside an unsound field is not made",
    "PreToolUse",
    specific("PreToolUse", { updatedInput: { command: "ls" } }, { systemMessage: {} }),
    invalid("systemMessage"),
  ),
  row(
    "a systemMessage beside an unsound field still reaches the user",
    "PreToolUse",
    { systemMessage: "mind it", continue: "no" },
    invalid("continue", { messages: ["user warn: mind it"] }),
  ),
  ...["yes", "DENY", "block", 7, true, [], {}].map((value) =>
    row(
      `a permissionDecision of ${JSON.stringify(value)} is none`,
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: value }),
      invalid(`${IN}.permissionDecision`),
    ),
  ),
  ...["deny", "Block", 7, false, []].map((value) =>
    row(`a decision of ${JSON.stringify(value)} is none`, "Stop", { decision: value }, invalid("decision")),
  ),
  ...["false", 0, [], {}].map((value) =>
    row(
      `continue of ${JSON.stringify(value)} stops nothing`,
      "Stop",
      { continue: value },
      invalid("continue"),
    ),
  ),
  ...(
    [
      [2, { systemMessage: 7, suppressOutput: "yes" }, "1 more problem"],
      [3, { systemMessage: 7, suppressOutput: "yes", continue: "no" }, "2 more problems"],
    ] as const
  ).map(([count, out, more]) =>
    row(`of ${count} problems the user is told the first, and how many more there are`, "Stop", out, {
      action: "error-displayed",
      messages: [`user error: hook h: <output-invalid> (and ${more})`],
      diagnostics: Object.keys(out).map((field) => `output-invalid at ${field}`),
      runs: [`exit-code fault output-invalid (and ${more})`],
    }),
  ),
  ...rows({
    "PreToolUse: an invalid allow with exit 2 is a deny": [
      ["design §4.3 invalid", "design §4.9 exit 2 stands"],
      {
        out: specific("PreToolUse", { permissionDecision: "allow", updatedInput: "ls" }),
        err: "no",
        exit: 2,
      },
      invalid(`${IN}.updatedInput`, denied("no")),
    ],
    "PreToolUse: an invalid object with exit 1 shows stderr, and the user is told what was wrong": [
      "design §4.3 invalid",
      { out: { systemMessage: 7 }, err: "traceback", exit: 1 },
      invalid("systemMessage", { messages: ["user error: traceback"] }),
    ],
  }),
];

const WORDS_OF = {
  deny: "blocked by hook h: no reason given",
  ask: "confirmation asked by hook h: no reason given",
};

/** A restriction in the wrong place: taken as what it says, at the place that the diagnostic names. */
function taken(
  kind: "deny" | "ask",
  path: string,
  reason = WORDS_OF[kind],
  code = "output-misplaced-restriction",
): Expect {
  const [action, told] =
    kind === "deny" ? (["block-tool", "agent tool"] as const) : (["ask-user", "user text"] as const);
  return {
    action,
    kind,
    reason,
    messages: [`${told}: ${reason}`, `user warn: <${code}>`],
    diagnostics: [`${code} at ${path}`],
  };
}
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
  misplaced(event).map(
    ([out, expect]): Row => ({
      ref: "design §4.3 misplaced restriction",
      says: `${JSON.stringify(out)} on ${event}`,
      event,
      hook: { out },
      expect,
    }),
  ),
);

const ignored: Expect = {
  messages: ["user warn: <output-misplaced-field>"],
  diagnostics: ["output-misplaced-field at permissionDecision"],
};
const DENIES = { permissionDecision: "deny" };

/** A system that is not ours is read as it reads. */
const BY_DIALECT: readonly Row[] = [
  ...cells(
    "misplaced restriction",
    "PreToolUse",
    { out: DENIES },
    {
      ...all(taken("deny", "permissionDecision")),
      "session-hooks": withTranscript(taken("deny", "permissionDecision"), DENIES),
      "claude-code": ignored,
    },
  ),
  ...cells(
    "misplaced restriction",
    "PreToolUse",
    { out: { decision: "deny" } },
    {
      ...all(taken("deny", "decision")),
      "session-hooks": withTranscript(taken("deny", "decision"), { decision: "deny" }),
      "claude-code": invalid("decision"),
    },
  ),
];

/** In session-hooks raw stdout is shown behind the hook's words. */
function withTranscript(expect: Expect, out: object): Expect {
  const [words = "", ...rest] = expect.messages ?? [];
  return { ...expect, messages: [words, shown(out), ...rest] };
}

const onStderr: Expect = { messages: ["user warn: <output-on-stderr>"], diagnostics: ["output-on-stderr"] };
const ALLOWS = specific("PreToolUse", { permissionDecision: "allow" });

/** An answer on stderr is none; of one that restricts that is said. */
const ON_STDERR: readonly Row[] = (
  [
    ["a deny", { err: DENY }, onStderr],
    ["a stop among other text", { err: 'log\n{"continue":false,"stopReason":"enough"}' }, onStderr],
    ["an allow", { err: ALLOWS }, {}],
    ["a deny of a hook that answers", { err: DENY, out: ALLOWS }, { kind: "allow" }],
  ] as const
).map(([says, { err, ...hook }, expect]) => ({
  ref: "design §4.3 misplaced restriction",
  says: `${says} on stderr`,
  event: "PreToolUse",
  hook: { ...hook, err: typeof err === "string" ? err : JSON.stringify(err) },
  expect,
}));

const CANNOT_ANSWER: readonly Row[] = rows({
  "PostToolUse: the reason of an answer the event cannot give is shown to the user": [
    "design §4.3 cannot answer",
    { out: specific("PostToolUse", { permissionDecision: "deny", permissionDecisionReason: "not here" }) },
    {
      messages: ["user warn: <output-cannot-answer>"],
      diagnostics: ["output-cannot-answer at hookSpecificOutput.permissionDecision"],
      mentions: ["not here", "additionalContext"],
    },
  ],
  "SessionEnd: the context of an event that takes none is shown to the user": [
    "design §4.3 cannot answer",
    { out: specific("SessionEnd", { additionalContext: "two plans found" }) },
    {
      messages: ["user warn: <output-cannot-answer>"],
      diagnostics: ["output-cannot-answer at hookSpecificOutput.additionalContext"],
      mentions: ['`additionalContext`: "two plans found" was ignored: SessionEnd cannot give that answer'],
    },
  ],
  "PostToolUse: an answer the event cannot give leaves exit 2 in force": [
    "design §4.3 cannot answer",
    { out: specific("PostToolUse", { permissionDecision: "allow" }), err: "lint failed", exit: 2 },
    resultBlockedByStderr("lint failed", {
      also: ["user warn: <output-cannot-answer>"],
      diagnostics: ["output-cannot-answer at hookSpecificOutput.permissionDecision"],
    }),
  ],
});

export const ROWS_INVALID: readonly Row[] = [
  ...UNSOUND,
  ...WORDS,
  ...MISPLACED,
  ...BY_DIALECT,
  ...ON_STDERR,
  ...CANNOT_ANSWER,
];
