import { ALLOW, ASK, DENY, type Expect, type Row, specific } from "./row.ts";

/** DESIGN §4, rules 1 and 2: one JSON object, in the wave dialect. */

const byExit: Expect = {
  action: "block-tool",
  kind: "deny",
  reason: "not here",
  messages: ["agent tool: not here"],
  runs: ["json"],
};
const denied = byExit;

const SILENT_JSON: readonly [says: string, out: object, messages: readonly string[]][] = [
  ["an empty object", {}, []],
  ["continue:true", { continue: true }, []],
  ["a systemMessage", { systemMessage: "mind it" }, ["user warn: mind it"]],
  ["context", specific("PreToolUse", { additionalContext: "main" }), ["agent hook: main"]],
  ["a new input", specific("PreToolUse", { updatedInput: { command: "ls" } }), []],
  ["suppressOutput", { suppressOutput: true }, []],
];

const ALLOWS = specific("PreToolUse", { permissionDecision: "allow" });

const MEANT_TO_RESTRICT: readonly [says: string, out: object, path: string][] = [
  ["a deny", { permissionDecision: "deny", ...ALLOWS }, "permissionDecision"],
  ["an ask", { permissionDecision: "ask", ...ALLOWS }, "permissionDecision"],
  [
    "a stop",
    specific("PreToolUse", { permissionDecision: "allow", continue: false }),
    "hookSpecificOutput.continue",
  ],
];

const PRECEDENCE: readonly Row[] = [
  ...SILENT_JSON.map(
    ([says, out, messages]): Row => ({
      ref: "DESIGN §4.1 silence is not consent",
      says: `${says} leaves exit 2 in force`,
      event: "PreToolUse",
      hook: { out, err: "not here", exit: 2 },
      expect: { ...byExit, messages: ["agent tool: not here", ...messages] },
    }),
  ),
  ...SILENT_JSON.slice(0, 3).map(
    ([says, out, messages]): Row => ({
      ref: "DESIGN §4.1 silence is not consent",
      says: `${says} leaves exit 1 in force`,
      event: "PreToolUse",
      hook: { out, err: "broken", exit: 1 },
      expect: { action: "error-displayed", messages: [...messages, "user error: broken"], runs: ["json"] },
    }),
  ),
  {
    ref: "DESIGN §4.1 silence is not consent",
    says: "context beside exit 2 does not reach the agent with a blocked prompt",
    event: "UserPromptSubmit",
    hook: { out: specific("UserPromptSubmit", { additionalContext: "main" }), err: "no secrets", exit: 2 },
    expect: {
      action: "block-prompt",
      kind: "block",
      reason: "no secrets",
      messages: ["user error: no secrets"],
      runs: ["json"],
    },
  },
  {
    ref: "DESIGN §4.1 JSON speaks",
    says: "approve with exit 2 lets the agent stop, and is said to be odd",
    event: "Stop",
    hook: { out: { decision: "approve" }, err: "not shown", exit: 2 },
    expect: {
      messages: ["user warn: <exit-2-overruled>"],
      diagnostics: ["exit-2-overruled"],
      runs: ["json"],
    },
  },
  {
    ref: "DESIGN §4.1 JSON speaks",
    says: "an ask with exit 2 asks",
    event: "PreToolUse",
    hook: { out: ASK, err: "not shown", exit: 2 },
    expect: {
      action: "ask-user",
      kind: "ask",
      reason: "sure?",
      messages: ["user text: sure?"],
      runs: ["json"],
    },
  },
  {
    ref: "DESIGN §4.1 stderr to the journal",
    says: "a stop keeps stderr of exit 2 from the user, also where nothing can be blocked",
    event: "SessionStart",
    hook: { out: { continue: false, stopReason: "enough" }, err: "not shown", exit: 2 },
    expect: {
      action: "stop",
      kind: "stop",
      reason: "enough",
      messages: ["user error: enough"],
      runs: ["json"],
    },
  },
  {
    ref: "DESIGN §4.1 stderr to the journal",
    says: "an allow with exit 1 is an allow, and stderr is kept",
    event: "PreToolUse",
    hook: { out: ALLOW, err: "a log line", exit: 1 },
    expect: { kind: "allow", runs: ["json"], facts: [{ exitCode: 1, stderr: "a log line" }] },
  },
];

const pretty = JSON.stringify(DENY, null, 2);

const FORM: readonly Row[] = [
  ...[
    ["a byte order mark", `\uFEFF${JSON.stringify(DENY)}`],
    ["space around", `\n\t  ${JSON.stringify(DENY)}  \n\n`],
    ["several lines", pretty],
    ["CRLF", pretty.replaceAll("\n", "\r\n")],
    ["a byte order mark and space", `\uFEFF\n${pretty}\n`],
    ["escapes", JSON.stringify(DENY).replace("not here", "not\\u0020here")],
  ].map(
    ([says, out]): Row => ({
      ref: "DESIGN §4.2 one object",
      says: `one object with ${says}`,
      event: "PreToolUse",
      hook: { out: out as string },
      expect: denied,
    }),
  ),
  {
    ref: "DESIGN §4.2 one object",
    says: "JSON on stderr is no answer",
    event: "PreToolUse",
    hook: { err: JSON.stringify(DENY) },
    expect: {},
  },
  ...[null, "", " \n\t\u00a0"].flatMap((nothing): Row[] => [
    {
      ref: "DESIGN §4.2 null and empty",
      says: `${JSON.stringify(nothing)} everywhere is silence`,
      event: "PreToolUse",
      hook: {
        out: {
          continue: nothing,
          stopReason: nothing,
          systemMessage: nothing,
          suppressOutput: nothing,
          decision: nothing,
          reason: nothing,
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: nothing,
            permissionDecisionReason: nothing,
            updatedInput: nothing,
            additionalContext: nothing,
          },
        },
      },
      expect: { runs: ["json"] },
    },
    {
      ref: "DESIGN §4.2 null and empty",
      says: `a new prompt of ${JSON.stringify(nothing)} and no words but these are nothing`,
      event: "UserPromptSubmit",
      hook: {
        out: specific(
          "UserPromptSubmit",
          { updatedPrompt: nothing, additionalContext: nothing },
          { reason: nothing, systemMessage: nothing },
        ),
      },
      expect: { runs: ["json"] },
    },
    {
      ref: ["DESIGN §4.2 null and empty", "DESIGN §4.2 no words"],
      says: `a stop whose reason is ${JSON.stringify(nothing)} has no words`,
      event: "Stop",
      dialect: "claude-code",
      hook: { out: { continue: false, stopReason: nothing } },
      expect: {
        action: "stop",
        kind: "stop",
        reason: "stopped by hook h: no reason given",
        messages: ["user error: stopped by hook h: no reason given"],
        runs: ["json"],
      },
    },
    {
      ref: "DESIGN §4.2 null and empty",
      says: `hookSpecificOutput of ${JSON.stringify(nothing)} is none`,
      event: "PreToolUse",
      hook: { out: { hookSpecificOutput: nothing, systemMessage: "mind it" } },
      expect: { messages: ["user warn: mind it"], runs: ["json"] },
    },
    {
      ref: ["DESIGN §4.2 null and empty", "DESIGN §4.2 no words"],
      says: `a deny whose reason is ${JSON.stringify(nothing)} has no words`,
      event: "PreToolUse",
      hook: {
        out: specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: nothing }),
      },
      expect: {
        ...denied,
        reason: "blocked by hook h: no reason given",
        messages: ["agent tool: blocked by hook h: no reason given"],
      },
    },
    {
      ref: "DESIGN §4.2 null and empty",
      says: `the long form with a message of ${JSON.stringify(nothing)} still denies`,
      event: "PermissionRequest",
      hook: {
        out: { decision: { behavior: "deny", message: nothing, updatedInput: nothing, interrupt: nothing } },
      },
      expect: {
        ...denied,
        reason: "blocked by hook h: no reason given",
        messages: ["agent tool: blocked by hook h: no reason given"],
      },
    },
  ]),
  ...(
    [
      [100, { ...denied }],
      [
        101,
        {
          ...denied,
          messages: [
            "agent tool: blocked by hook h; its words went to the user only, because its output was not one sound JSON object",
            "user warn: hook h says: not here",
            "user error: <output-invalid>",
          ],
          diagnostics: ["output-invalid at (all of it)", "output-unknown-field at deep"],
          runs: ["mixed fault output-invalid"],
        },
      ],
    ] as const
  ).map(
    ([levels, expect]): Row => ({
      ref: "DESIGN §4.2 depth",
      says: `a deny beside ${levels} levels`,
      event: "PreToolUse",
      hook: { out: JSON.stringify(DENY).replace("{", `{"deep":${nest(levels - 1)},`) },
      expect: levels === 100 ? { ...expect, diagnostics: ["output-unknown-field at deep"] } : expect,
    }),
  ),
  {
    ref: "DESIGN §4.2 depth",
    says: "an allow beside 101 levels allows nothing",
    event: "PreToolUse",
    hook: { out: JSON.stringify(ALLOW).replace("{", `{"deep":${nest(100)},`) },
    expect: {
      action: "error-displayed",
      messages: ["user error: <output-invalid>"],
      diagnostics: ["output-invalid at (all of it)", "output-unknown-field at deep"],
      runs: ["exit-code fault output-invalid"],
    },
  },
  ...(
    [
      ["PreToolUse", "sytemMessage", "systemMessage"],
      ["PreToolUse", "stop_reason", "stopReason"],
      ["Stop", "desicion", "decision"],
      ["Stop", "hookspecificoutput", "hookSpecificOutput"],
    ] as const
  ).map(
    ([event, field, meant]): Row => ({
      ref: "DESIGN §4.2 unknown fields",
      says: `${field} is ignored, and ${meant} is guessed`,
      event,
      hook: { out: { [field]: "x" } },
      expect: {
        messages: ["user warn: <output-misspelt-field>"],
        diagnostics: [`output-misspelt-field at ${field}`],
        mentions: [`did you mean ${meant}?`],
        runs: ["json"],
      },
    }),
  ),
  {
    ref: "DESIGN §4.2 unknown fields",
    says: "a permission answer at the top level is ignored, and the user is told where it belongs",
    event: "PreToolUse",
    hook: { out: { permissionDecision: "deny", permissionDecisionReason: "not here" } },
    expect: {
      messages: ["user warn: <output-misplaced-field>", "user warn: <output-misplaced-field>"],
      diagnostics: [
        "output-misplaced-field at permissionDecision",
        "output-misplaced-field at permissionDecisionReason",
      ],
      mentions: ["inside hookSpecificOutput"],
      runs: ["json"],
    },
  },
  ...MEANT_TO_RESTRICT.map(
    ([says, out, path]): Row => ({
      ref: "DESIGN §4.2 unknown fields",
      says: `an allow does not hold beside ${says} at the wrong place`,
      event: "PreToolUse",
      hook: { out },
      expect: {
        messages: ["user warn: <output-misplaced-field>"],
        diagnostics: [`output-misplaced-field at ${path}`],
        runs: ["json"],
      },
    }),
  ),
  ...MEANT_TO_RESTRICT.map(
    ([says, out, path]): Row => ({
      ref: "DESIGN §4.2 unknown fields",
      says: `an allow beside ${says} at the wrong place leaves exit 2 in force`,
      event: "PreToolUse",
      hook: { out, err: "not here", exit: 2 },
      expect: {
        ...byExit,
        messages: ["agent tool: not here", "user warn: <output-misplaced-field>"],
        diagnostics: [`output-misplaced-field at ${path}`],
      },
    }),
  ),
  {
    ref: "DESIGN §4.2 unknown fields",
    says: "an allow beside another one at the wrong place holds",
    event: "PreToolUse",
    hook: { out: { permissionDecision: "allow", ...ALLOWS } },
    expect: {
      kind: "allow",
      messages: ["user warn: <output-misplaced-field>"],
      diagnostics: ["output-misplaced-field at permissionDecision"],
      runs: ["json"],
    },
  },
  {
    ref: "DESIGN §4.2 unknown fields",
    says: "a systemMessage inside hookSpecificOutput is ignored, and the user is told where it belongs",
    event: "PreToolUse",
    hook: { out: specific("PreToolUse", { systemMessage: "mind it" }) },
    expect: {
      messages: ["user warn: <output-misplaced-field>"],
      diagnostics: ["output-misplaced-field at hookSpecificOutput.systemMessage"],
      mentions: ["at the top level"],
      runs: ["json"],
    },
  },
];

/** So many levels of lists. */
function nest(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

export const ROWS_READING: readonly Row[] = [...PRECEDENCE, ...FORM];
