import { type Expect, type Row, specific, unnamed } from "./row.ts";

/** Seed 000, §1 to §5: the validation rules of its entities. The blocks of §4 and §5 are checked on every row as well. */

const WRONG_EVENT = {
  action: "error-displayed",
  messages: ["user error: <output-wrong-event>"],
  diagnostics: ["output-wrong-event at hookSpecificOutput.hookEventName"],
  runs: ["json fault output-wrong-event"],
} as const;

const invalid = (path: string): Expect => ({
  action: "error-displayed",
  messages: ["user error: <output-invalid>"],
  diagnostics: [`output-invalid at ${path}`],
  runs: ["exit-code fault output-invalid"],
});

const RESULT: readonly Row[] = [
  ...[0, 2, 42, 255].map(
    (exit): Row => ({
      ref: "000 §1 exitCode",
      says: `exit ${exit} is reported as it is`,
      event: "Notification",
      hook: { err: "said", exit },
      expect: {
        ...(exit !== 0 && { action: "error-displayed", messages: ["user error: said"] }),
        facts: [{ exitCode: exit }],
      },
    }),
  ),
  {
    ref: ["000 §1 exitCode", "DESIGN §4.9 absent exit code"],
    says: "a killed hook has a signal and no exit code",
    event: "Notification",
    hook: { after: "kill -KILL $$" },
    expect: {
      action: "error-displayed",
      messages: ["user error: <run-killed>"],
      diagnostics: ["run-killed"],
      runs: ["exit-code fault run-killed"],
      facts: [{ signal: "SIGKILL" }],
    },
  },
  {
    ref: "000 §1 stdout and stderr",
    says: "both streams are there when both are empty",
    event: "Stop",
    hook: {},
    expect: { facts: [{ stdout: "", stderr: "" }] },
  },
  {
    ref: "000 §1 stdout and stderr",
    says: "both streams are kept to the byte",
    event: "Stop",
    hook: { out: " é \n\n", err: "\t日本\n" },
    expect: { facts: [{ stdout: " é \n\n", stderr: "\t日本\n" }] },
  },
  {
    ref: ["000 §1 executionTime", "000 §1 hookEvent"],
    says: "the hook is told its event, and its time is at least what it slept",
    event: "PreCompact",
    hook: {
      command: 'sleep 0.05; grep -q \'"hook_event_name":"PreCompact"\' && test "$BELAY_EVENT" = PreCompact',
    },
    expect: { facts: [{ exitCode: 0, timedOut: false }], takesMs: 50 },
  },
];

const COMMON: readonly Row[] = [
  {
    ref: "000 §2 stopReason",
    says: "continue:false without a stopReason does not hold: the exit code decides, and the user is told",
    event: "PreToolUse",
    hook: { out: { continue: false } },
    expect: {
      action: "error-displayed",
      messages: ["user error: <output-missing>"],
      diagnostics: ["output-missing at stopReason"],
      runs: ["exit-code fault output-missing"],
    },
  },
  {
    ref: ["000 §2 stopReason", "DESIGN §4.2 null and empty"],
    says: "an empty stopReason is none",
    event: "Stop",
    hook: { out: { continue: false, stopReason: "" }, err: "tests first", exit: 2 },
    expect: {
      action: "block-stop",
      kind: "block",
      reason: "tests first",
      messages: ["agent text: tests first", "user error: <output-missing>"],
      diagnostics: ["output-missing at stopReason"],
      runs: ["exit-code fault output-missing"],
    },
  },
  {
    ref: ["000 §2 systemMessage", "000 §4 content"],
    says: "a systemMessage is a warn block with its words",
    event: "SessionEnd",
    hook: { out: { systemMessage: "disk almost full" } },
    expect: {
      messages: ["user warn: disk almost full"],
      runs: ["json"],
      operations: [["addWarnBlock", "disk almost full", "user"]],
      operation: "addWarnBlock",
    },
  },
  {
    ref: ["000 §2 systemMessage", "000 §4 content", "DESIGN §4.2 null and empty"],
    says: "an empty systemMessage is no block",
    event: "SessionEnd",
    hook: { out: { systemMessage: "" } },
    expect: { runs: ["json"], operations: [] },
  },
  {
    ref: "000 §2 systemMessage",
    says: "a systemMessage that is no text is invalid, and the user is told",
    event: "SessionEnd",
    hook: { out: { systemMessage: ["a", "b"] } },
    expect: invalid("systemMessage"),
  },
  {
    ref: ["000 §2 hookEventName", "000 §3 hookEventName", "DESIGN §4.3 wrong event"],
    says: "hookSpecificOutput without a name is set aside",
    event: "PostToolUse",
    hook: { out: unnamed({ additionalContext: "650 lines" }) },
    expect: WRONG_EVENT,
  },
  {
    ref: ["000 §2 hookEventName", "000 §3 hookEventName", "DESIGN §4.3 wrong event"],
    says: "hookSpecificOutput with a name that is no event is set aside",
    event: "PostToolUse",
    hook: { out: unnamed({ hookEventName: "AfterTool", additionalContext: "650 lines" }) },
    expect: WRONG_EVENT,
  },
  {
    ref: ["000 §3 hookEventName", "DESIGN §4.3 wrong event"],
    says: "hookSpecificOutput of another event is set aside, while common fields hold",
    event: "PostToolUse",
    hook: {
      out: specific("PreToolUse", { additionalContext: "650 lines" }, { systemMessage: "mind the tests" }),
    },
    expect: {
      ...WRONG_EVENT,
      messages: ["user warn: mind the tests", "user error: <output-wrong-event>"],
    },
  },
  {
    ref: "000 §2 hookEventName",
    says: "hookSpecificOutput that is no object is invalid",
    event: "PostToolUse",
    hook: { out: { hookSpecificOutput: "PostToolUse" } },
    expect: invalid("hookSpecificOutput"),
  },
];

const SPECIFIC: readonly Row[] = [
  ...(["PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"] as const).flatMap((event) =>
    [undefined, "", null].map(
      (reason): Row => ({
        ref: ["000 §3 block reason", "DESIGN §4.2 null and empty"],
        says: `a block on ${event} with the reason ${JSON.stringify(reason)} does not hold`,
        event,
        hook: { out: { decision: "block", reason } },
        expect: {
          action: "error-displayed",
          messages: ["user error: <output-missing>"],
          diagnostics: ["output-missing at decision"],
          runs: ["exit-code fault output-missing"],
        },
      }),
    ),
  ),
  {
    ref: ["000 §3 updatedInput", "DESIGN §4.7"],
    says: "a new input that fits the tool is used",
    event: "PreToolUse",
    toolTakes: "command",
    hook: { out: specific("PreToolUse", { updatedInput: { command: "npm test" } }) },
    expect: { updatedInput: { command: "npm test" }, runs: ["json"] },
  },
  {
    ref: ["000 §3 updatedInput", "DESIGN §4.7"],
    says: "a new input that does not fit denies the call and tells the agent, even beside an allow",
    event: "PreToolUse",
    toolTakes: "command",
    hook: { out: specific("PreToolUse", { permissionDecision: "allow", updatedInput: { cmd: "npm test" } }) },
    expect: {
      action: "block-tool",
      kind: "deny",
      reason: "the rewritten input does not fit the tool: command: expected a string; the call was denied",
      messages: [
        "agent tool: the rewritten input does not fit the tool: command: expected a string; the call was denied",
        "user warn: <rewrite-refused>",
      ],
      diagnostics: ["rewrite-refused at updatedInput"],
      runs: ["json"],
    },
  },
  {
    ref: ["000 §3 updatedInput", "DESIGN §4.7"],
    says: "an ask about a new input that does not fit is a deny",
    event: "PreToolUse",
    toolTakes: "command",
    hook: {
      out: specific("PreToolUse", {
        permissionDecision: "ask",
        permissionDecisionReason: "sure?",
        updatedInput: {},
      }),
    },
    expect: {
      action: "block-tool",
      kind: "deny",
      reason: "the rewritten input does not fit the tool: command: expected a string; the call was denied",
      messages: [
        "user text: sure?",
        "agent tool: the rewritten input does not fit the tool: command: expected a string; the call was denied",
        "user warn: <rewrite-refused>",
      ],
      diagnostics: ["rewrite-refused at updatedInput"],
      runs: ["json"],
    },
  },
  ...["npm test", ["npm test"], 7, true].map(
    (updatedInput): Row => ({
      ref: "000 §3 updatedInput",
      says: `a new input of ${JSON.stringify(updatedInput)} is no input: nothing is rewritten or allowed`,
      event: "PreToolUse",
      hook: { out: specific("PreToolUse", { permissionDecision: "allow", updatedInput }) },
      expect: {
        action: "error-displayed",
        messages: ["user error: <output-invalid>"],
        diagnostics: ["output-invalid at hookSpecificOutput.updatedInput"],
        runs: ["exit-code fault output-invalid"],
      },
    }),
  ),
  {
    ref: "000 §3 ask",
    says: "an ask without words still asks",
    event: "PreToolUse",
    hook: { out: specific("PreToolUse", { permissionDecision: "ask" }) },
    expect: {
      action: "ask-user",
      kind: "ask",
      reason: "confirmation asked by hook h: no reason given",
      messages: ["user text: confirmation asked by hook h: no reason given"],
      runs: ["json"],
    },
  },
];

export const ROWS_000: readonly Row[] = [...RESULT, ...COMMON, ...SPECIFIC];
