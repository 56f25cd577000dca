import {
  asked,
  denied,
  type Expect,
  faulty,
  goesOnByStderr,
  permission,
  type Row,
  rows,
  specific,
  unnamed,
} from "./row.ts";

/** Seed 000 §1 to §5: the validation rules of its entities. The blocks of §4 and §5 are checked on every row as well. */

const WRONG_EVENT = faulty("output-wrong-event", { read: "json", at: "hookSpecificOutput.hookEventName" });

const invalid = (path: string): Expect => ({
  action: "error-displayed",
  messages: ["user error: <output-invalid>"],
  diagnostics: [`output-invalid at ${path}`],
  runs: ["exit-code fault output-invalid"],
});

const RESULT: readonly Row[] = [
  ...[0, 2, 42, 255].map(
    (exit): Row => ({
      ref: "seed 000 §1 exitCode",
      says: `exit ${exit} is reported as it is`,
      event: "Notification",
      hook: { err: "said", exit },
      expect: {
        ...(exit !== 0 && { action: "error-displayed", messages: ["user error: said"] }),
        facts: [{ exitCode: exit }],
      },
    }),
  ),
  ...rows({
    "Notification: a killed hook has a signal and no exit code": [
      ["seed 000 §1 exitCode", "design §4.9 absent exit code"],
      { after: "kill -KILL $$" },
      faulty("run-killed", { facts: [{ signal: "SIGKILL" }] }),
    ],
    "Stop: both streams are there when both are empty": [
      "seed 000 §1 stdout and stderr",
      {},
      { facts: [{ stdout: "", stderr: "" }] },
    ],
    "Stop: both streams are kept to the byte": [
      "seed 000 §1 stdout and stderr",
      { out: " é \n\n", err: "\t日本\n" },
      { facts: [{ stdout: " é \n\n", stderr: "\t日本\n" }] },
    ],
    "PreCompact: the hook is told its event, and its time is at least what it slept": [
      ["seed 000 §1 executionTime", "seed 000 §1 hookEvent"],
      {
        command: 'sleep 0.05; grep -q \'"hook_event_name":"PreCompact"\' && test "$BELAY_EVENT" = PreCompact',
      },
      { facts: [{ exitCode: 0, timedOut: false }], takesMs: 50 },
    ],
  }),
];

const COMMON: readonly Row[] = rows({
  "PreToolUse: continue:false without a stopReason does not hold: the exit code decides, and the user is told":
    ["seed 000 §2 stopReason", { out: { continue: false } }, faulty("output-missing", { at: "stopReason" })],
  "Stop: an empty stopReason is none": [
    ["seed 000 §2 stopReason", "design §4.2 null and empty"],
    { out: { continue: false, stopReason: "" }, err: "tests first", exit: 2 },
    goesOnByStderr("tests first", {
      also: ["user error: <output-missing>"],
      diagnostics: ["output-missing at stopReason"],
      runs: ["exit-code fault output-missing"],
    }),
  ],
  "SessionEnd: a systemMessage is a warn block with its words": [
    ["seed 000 §2 systemMessage", "seed 000 §4 content"],
    { out: { systemMessage: "disk almost full" } },
    {
      messages: ["user warn: disk almost full"],
      operations: [["addWarnBlock", "disk almost full", "user"]],
      operation: "addWarnBlock",
    },
  ],
  "SessionEnd: an empty systemMessage is no block": [
    ["seed 000 §2 systemMessage", "seed 000 §4 content", "design §4.2 null and empty"],
    { out: { systemMessage: "" } },
    { operations: [] },
  ],
  "SessionEnd: a systemMessage that is no text is invalid, and the user is told": [
    "seed 000 §2 systemMessage",
    { out: { systemMessage: ["a", "b"] } },
    invalid("systemMessage"),
  ],
  "PostToolUse: hookSpecificOutput without a name is set aside": [
    ["seed 000 §2 hookEventName", "seed 000 §3 hookEventName", "design §4.3 wrong event"],
    { out: unnamed({ additionalContext: "650 lines" }) },
    WRONG_EVENT,
  ],
  "PostToolUse: hookSpecificOutput with a name that is no event is set aside": [
    ["seed 000 §2 hookEventName", "seed 000 §3 hookEventName", "design §4.3 wrong event"],
    { out: unnamed({ hookEventName: "AfterTool", additionalContext: "650 lines" }) },
    WRONG_EVENT,
  ],
  "PostToolUse: hookSpecificOutput of another event is set aside, while common fields hold": [
    ["seed 000 §3 hookEventName", "design §4.3 wrong event"],
    { out: specific("PreToolUse", { additionalContext: "650 lines" }, { systemMessage: "mind the tests" }) },
    { ...WRONG_EVENT, messages: ["user warn: mind the tests", "user error: <output-wrong-event>"] },
  ],
  "PostToolUse: hookSpecificOutput that is no object is invalid": [
    "seed 000 §2 hookEventName",
    { out: { hookSpecificOutput: "PostToolUse" } },
    invalid("hookSpecificOutput"),
  ],
});

const SPECIFIC: readonly Row[] = [
  ...(["PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"] as const).flatMap((event) =>
    [undefined, "", null].map(
      (reason): Row => ({
        ref: ["seed 000 §3 block reason", "design §4.2 null and empty"],
        says: `a block on ${event} with the reason ${JSON.stringify(reason)} does not hold`,
        event,
        hook: { out: { decision: "block", reason } },
        expect: faulty("output-missing", { at: "decision" }),
      }),
    ),
  ),
  ...rows({
    "PreToolUse: a new input that fits the tool is used": [
      ["seed 000 §3 updatedInput", "design §4.7"],
      { out: specific("PreToolUse", { updatedInput: { command: "npm test" } }) },
      { updatedInput: { command: "npm test" } },
      { toolTakes: "command" },
    ],
    "PreToolUse: a new input that does not fit denies the call and tells the agent, even beside an allow": [
      ["seed 000 §3 updatedInput", "design §4.7"],
      { out: specific("PreToolUse", { permissionDecision: "allow", updatedInput: { cmd: "npm test" } }) },
      denied("the rewritten input does not fit the tool: command: expected a string; the call was denied", {
        also: ["user warn: <rewrite-refused>"],
        diagnostics: ["rewrite-refused at updatedInput"],
      }),
      { toolTakes: "command" },
    ],
    "PreToolUse: an ask about a new input that does not fit is a deny": [
      ["seed 000 §3 updatedInput", "design §4.7"],
      { out: permission("ask", "sure?", { updatedInput: {} }) },
      {
        action: "block-tool",
        kind: "deny",
        reason: "the rewritten input does not fit the tool: command: expected a string; the call was denied",
        messages: [
          "user text: sure?",
          "agent tool: the rewritten input does not fit the tool: command: expected a string; the call was denied",
          "user warn: <rewrite-refused>",
        ],
        diagnostics: ["rewrite-refused at updatedInput"],
      },
      { toolTakes: "command" },
    ],
  }),
  ...["npm test", ["npm test"], 7, true].map(
    (updatedInput): Row => ({
      ref: "seed 000 §3 updatedInput",
      says: `a new input of ${JSON.stringify(updatedInput)} is no input: nothing is rewritten or allowed`,
      event: "PreToolUse",
      hook: { out: specific("PreToolUse", { permissionDecision: "allow", updatedInput }) },
      expect: faulty("output-invalid", { at: "hookSpecificOutput.updatedInput" }),
    }),
  ),
  {
    ref: "seed 000 §3 ask",
    says: "an ask without words still asks",
    event: "PreToolUse",
    hook: { out: specific("PreToolUse", { permissionDecision: "ask" }) },
    expect: asked("confirmation asked by hook h: no reason given"),
  },
];

export const ROWS_000: readonly Row[] = [...RESULT, ...COMMON, ...SPECIFIC];
