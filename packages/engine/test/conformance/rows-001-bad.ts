import type { EventName } from "@belay/engine";
import { fixture } from "../scratch.ts";
import { denied, type Expect, faulty, type Row, rows, specific, unnamed } from "./row.ts";

/** Seed 001: output that is malformed or does not suit its event. */

const MALFORMED: Expect = faulty("output-malformed");

/** Each begins like an object and is none. */
const BROKEN: readonly string[] = [
  "{",
  "{]",
  "{{}",
  "{}}",
  '{"decision"}',
  '{"decision":}',
  '{"decision": block}',
  "{'decision': 'block'}",
  '{decision: "block"}',
  '{"decision": "block", }',
  '{"decision": "block" "reason": "x"}',
  '{"decision": "block", "reason": "x"',
  '{"decision": "block", "reason": "x}',
  '{"decision": "a line\nbreak"}',
  '{"decision": "\\x41"}',
  '{"decision": "\\u12"}',
  '{"decision": 01}',
  '{"decision": NaN}',
  '{"decision": undefined}',
  '{"decision": .5}',
  '{"decision": tru}',
  '{"decision": "block"} {',
  "{ shell: syntax error near unexpected token }",
  `{"a":${"[".repeat(5000)}`,
  `${"{".repeat(2000)}`,
];

/** What is wrong with some of them, and where. */
const POSITIONS: readonly (readonly [text: string, problem: string])[] = [
  ["{oops", "unexpected text at character 2 of line 1"],
  ['{"decision": "block"\n "reason": "x"}', "unexpected text at character 2 of line 2"],
  ['{\n\n  "decision": tru}', "unexpected text at character 15 of line 3"],
  ["{}}", "unexpected text at character 3 of line 1"],
  ['{"decision": "block", "reason": "x"', "it ends too early"],
];

export const ROWS_001_BAD: readonly Row[] = [
  ...POSITIONS.map(
    ([text, problem]): Row => ({
      ref: ["seed 001 FR-010", "design §4.3 malformed"],
      says: `where ${JSON.stringify(text)} is broken`,
      event: "PostToolUse",
      hook: { out: text },
      expect: {
        ...MALFORMED,
        mentions: [
          `its output begins like JSON but is not JSON: ${problem}; the exit code decided. Print one JSON object and nothing else`,
        ],
      },
    }),
  ),
  ...BROKEN.filter((text) => text !== '{"decision": "block"} {').map(
    (text): Row => ({
      ref: ["seed 001 SC-005", "seed 001 FR-010", "seed 001 edge: malformed", "design §4.3 malformed"],
      says: `malformed, exit 0: ${text.slice(0, 40)}`,
      event: "PostToolUse",
      hook: { out: text },
      expect: MALFORMED,
    }),
  ),
  ...(["PreToolUse", "UserPromptSubmit", "SessionStart", "Notification"] as const).map(
    (event): Row => ({
      ref: ["seed 001 SC-005", "seed 001 FR-010", "seed 001 edge: malformed", "design §4.3 malformed"],
      says: `malformed on ${event} is never context`,
      event,
      hook: { out: '{"systemMessage": "half' },
      expect: MALFORMED,
    }),
  ),
  ...rows({
    "PostToolUse: malformed, by a program that ends well": [
      ["seed 001 FR-010", "seed 001 edge: malformed", "design §4.3 malformed"],
      { command: fixture("bad-json") },
      MALFORMED,
    ],
    "PreToolUse: malformed with exit 2 blocks by its stderr, and the user is told": [
      ["seed 001 FR-010", "seed 001 edge: malformed", "design §4.3 malformed", "design §4.9 exit 2 stands"],
      { out: '{"decision":', err: "not here", exit: 2 },
      denied("not here", {
        also: ["user error: <output-malformed>"],
        diagnostics: ["output-malformed"],
        runs: ["exit-code fault output-malformed"],
      }),
    ],
    "PreToolUse: malformed with exit 1 shows stderr, and the user is told what was wrong": [
      ["seed 001 FR-010", "seed 001 edge: malformed", "design §4.3 malformed"],
      { out: '{"decision":', err: "traceback", exit: 1 },
      {
        action: "error-displayed",
        messages: ["user error: traceback", "user error: <output-malformed>"],
        diagnostics: ["output-malformed"],
        runs: ["exit-code fault output-malformed"],
      },
    ],
    "UserPromptSubmit: a list is no object and no beginning of one: plain text": [
      ["seed 001 FR-010", "design §4.2 one object"],
      { out: '["decision", "block"]' },
      { action: "context-injected", messages: ['agent text: ["decision", "block"]'] },
    ],
    "PreToolUse: a JSON string is plain text": [
      ["seed 001 FR-010", "design §4.2 one object"],
      { out: '"deny"' },
      {},
    ],
  }),
  ...suits(),
];

/** An answer the event cannot give is ignored, with a diagnostic. */
function suits(): Row[] {
  const refused = (path: string): Expect => ({
    messages: ["user warn: <output-cannot-answer>"],
    diagnostics: [`output-cannot-answer at ${path}`],
  });
  const row = (event: EventName, fields: object, path: string): Row => ({
    ref: ["seed 001 FR-011", "seed 001 edge: fields per event", "design §4.3 cannot answer"],
    says: `${event} cannot answer ${path}`,
    event,
    hook: { out: specific(event, fields) },
    expect: refused(path),
  });
  return [
    row("PostToolUse", { permissionDecision: "deny" }, "hookSpecificOutput.permissionDecision"),
    row("UserPromptSubmit", { permissionDecision: "deny" }, "hookSpecificOutput.permissionDecision"),
    row("Stop", { permissionDecision: "allow" }, "hookSpecificOutput.permissionDecision"),
    row("PostToolUse", { updatedInput: { command: "ls" } }, "hookSpecificOutput.updatedInput"),
    row("PreToolUse", { updatedPrompt: "shorter" }, "hookSpecificOutput.updatedPrompt"),
    row("SessionEnd", { additionalContext: "branch: main" }, "hookSpecificOutput.additionalContext"),
    row("Notification", { additionalContext: "branch: main" }, "hookSpecificOutput.additionalContext"),
    row("PermissionRequest", { additionalContext: "branch: main" }, "hookSpecificOutput.additionalContext"),
    row("SessionStart", { decision: "block", reason: "x" }, "hookSpecificOutput.decision"),
    row("SessionEnd", { decision: "block", reason: "x" }, "hookSpecificOutput.decision"),
    row("PreCompact", { decision: "block", reason: "x" }, "hookSpecificOutput.decision"),
    row("Notification", { decision: "block", reason: "x" }, "hookSpecificOutput.decision"),
    row("PostToolUse", { decision: "approve" }, "hookSpecificOutput.decision"),
    row("UserPromptSubmit", { decision: "approve" }, "hookSpecificOutput.decision"),
    row("PreToolUse", { decision: "approve" }, "hookSpecificOutput.decision"),
    ...rows({
      "PreToolUse: an answer meant for another event is set aside, and said": [
        ["seed 001 FR-011", "seed 001 edge: fields per event", "design §4.3 wrong event"],
        { out: specific("PostToolUse", { permissionDecision: "deny" }) },
        faulty("output-wrong-event", { read: "json", at: "hookSpecificOutput.hookEventName" }),
      ],
      "PreToolUse: what is set aside leaves exit 2 in force": [
        ["seed 001 FR-011", "design §4.3 wrong event"],
        { out: unnamed({ permissionDecision: "allow" }), err: "not here", exit: 2 },
        denied("not here", {
          also: ["user error: <output-wrong-event>"],
          diagnostics: ["output-wrong-event at hookSpecificOutput.hookEventName"],
          runs: ["json fault output-wrong-event"],
        }),
      ],
    }),
  ];
}
