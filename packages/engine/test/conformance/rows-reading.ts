import { ALLOW, DENIED, DENY, type Row, rows, specific, stopped } from "./row.ts";

/** Design §4.2: one JSON object, in the wave dialect. */

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

const pretty = JSON.stringify(DENY, null, 2);

export const ROWS_READING: readonly Row[] = [
  ...[
    ["a byte order mark", `\uFEFF${JSON.stringify(DENY)}`],
    ["space around", `\n\t  ${JSON.stringify(DENY)}  \n\n`],
    ["several lines", pretty],
    ["CRLF", pretty.replaceAll("\n", "\r\n")],
    ["a byte order mark and space", `\uFEFF\n${pretty}\n`],
    ["escapes", JSON.stringify(DENY).replace("not here", "not\\u0020here")],
  ].map(
    ([says, out]): Row => ({
      ref: "design §4.2 one object",
      says: `one object with ${says}`,
      event: "PreToolUse",
      hook: { out: out as string },
      expect: DENIED,
    }),
  ),
  ...[null, "", " \n\t\u00a0"].flatMap((nothing): Row[] => [
    {
      ref: "design §4.2 null and empty",
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
      expect: {},
    },
    {
      ref: "design §4.2 null and empty",
      says: `a new prompt of ${JSON.stringify(nothing)} and no words but these are nothing`,
      event: "UserPromptSubmit",
      hook: {
        out: specific(
          "UserPromptSubmit",
          { updatedPrompt: nothing, additionalContext: nothing },
          { reason: nothing, systemMessage: nothing },
        ),
      },
      expect: {},
    },
    {
      ref: ["design §4.2 null and empty", "design §4.2 no words"],
      says: `a stop whose reason is ${JSON.stringify(nothing)} has no words`,
      event: "Stop",
      dialect: "claude-code",
      hook: { out: { continue: false, stopReason: nothing } },
      expect: stopped("stopped by hook h: no reason given"),
    },
    {
      ref: "design §4.2 null and empty",
      says: `hookSpecificOutput of ${JSON.stringify(nothing)} is none`,
      event: "PreToolUse",
      hook: { out: { hookSpecificOutput: nothing, systemMessage: "mind it" } },
      expect: { messages: ["user warn: mind it"] },
    },
    {
      ref: ["design §4.2 null and empty", "design §4.2 no words"],
      says: `a deny whose reason is ${JSON.stringify(nothing)} has no words`,
      event: "PreToolUse",
      hook: {
        out: specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: nothing }),
      },
      expect: {
        ...DENIED,
        reason: "blocked by hook h: no reason given",
        messages: ["agent tool: blocked by hook h: no reason given"],
      },
    },
    {
      ref: "design §4.2 null and empty",
      says: `the long form with a message of ${JSON.stringify(nothing)} still denies`,
      event: "PermissionRequest",
      hook: {
        out: { decision: { behavior: "deny", message: nothing, updatedInput: nothing, interrupt: nothing } },
      },
      expect: {
        ...DENIED,
        reason: "blocked by hook h: no reason given",
        messages: ["agent tool: blocked by hook h: no reason given"],
      },
    },
  ]),
  ...(
    [
      [100, { ...DENIED }],
      [
        101,
        {
          ...DENIED,
          messages: [
            "agent tool: blocked by hook h; its words went to the user only, because its output was not one sound answer",
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
      ref: "design §4.2 depth",
      says: `a deny beside ${levels} levels`,
      event: "PreToolUse",
      hook: { out: JSON.stringify(DENY).replace("{", `{"deep":${nest(levels - 1)},`) },
      expect: levels === 100 ? { ...expect, diagnostics: ["output-unknown-field at deep"] } : expect,
    }),
  ),
  {
    ref: "design §4.2 depth",
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
      ref: "design §4.2 unknown fields",
      says: `${field} is ignored, and ${meant} is guessed`,
      event,
      hook: { out: { [field]: "x" } },
      expect: {
        messages: ["user warn: <output-misspelt-field>"],
        diagnostics: [`output-misspelt-field at ${field}`],
        mentions: [`did you mean ${meant}?`],
      },
    }),
  ),
  {
    ref: "design §4.2 unknown fields",
    says: "an allow at the top level is ignored, and the user is told where it belongs",
    event: "PreToolUse",
    hook: { out: { permissionDecision: "allow", permissionDecisionReason: "not here" } },
    expect: {
      messages: ["user warn: <output-misplaced-field>", "user warn: <output-misplaced-field>"],
      diagnostics: [
        "output-misplaced-field at permissionDecision",
        "output-misplaced-field at permissionDecisionReason",
      ],
      mentions: ["inside hookSpecificOutput"],
    },
  },
  ...MEANT_TO_RESTRICT.map(
    ([says, out, path]): Row => ({
      ref: "design §4.2 unknown fields",
      says: `an allow does not hold beside ${says} at the wrong place`,
      event: "PreToolUse",
      dialect: "claude-code",
      hook: { out },
      expect: {
        messages: ["user warn: <output-misplaced-field>"],
        diagnostics: [`output-misplaced-field at ${path}`],
      },
    }),
  ),
  ...MEANT_TO_RESTRICT.map(
    ([says, out, path]): Row => ({
      ref: "design §4.2 unknown fields",
      says: `an allow beside ${says} at the wrong place leaves exit 2 in force`,
      event: "PreToolUse",
      dialect: "claude-code",
      hook: { out, err: "not here", exit: 2 },
      expect: {
        ...DENIED,
        messages: ["agent tool: not here", "user warn: <output-misplaced-field>"],
        diagnostics: [`output-misplaced-field at ${path}`],
      },
    }),
  ),
  ...rows({
    "PreToolUse: an allow beside another one at the wrong place holds": [
      "design §4.2 unknown fields",
      { out: { permissionDecision: "allow", ...ALLOWS } },
      {
        kind: "allow",
        messages: ["user warn: <output-misplaced-field>"],
        diagnostics: ["output-misplaced-field at permissionDecision"],
      },
    ],
    "PreToolUse: a systemMessage inside hookSpecificOutput is ignored, and the user is told where it belongs":
      [
        "design §4.2 unknown fields",
        { out: specific("PreToolUse", { systemMessage: "mind it" }) },
        {
          messages: ["user warn: <output-misplaced-field>"],
          diagnostics: ["output-misplaced-field at hookSpecificOutput.systemMessage"],
          mentions: ["at the top level"],
        },
      ],
  }),
];

/** So many levels of lists. */
function nest(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}
