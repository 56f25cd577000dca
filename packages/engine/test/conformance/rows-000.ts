import {
  asked,
  denied,
  faulty,
  goesOn,
  goesOnByStderr,
  permission,
  type Row,
  row,
  rows,
  specific,
  unnamed,
} from "./row.ts";

/** Seed 000 §1 to §5: the validation rules of its entities. The blocks of §4 and §5 are checked on every row as well. */

const WRONG_EVENT = faulty("output-wrong-event at hookSpecificOutput.hookEventName", { read: "json" });

const MISFIT = "the rewritten input does not fit the tool: command: expected a string; the call was denied";

const RESULT: readonly Row[] = [
  ...[0, 2, 42, 255].map((exit) =>
    row(
      "seed 000 §1 exitCode",
      `Notification: exit ${exit} is reported as it is`,
      { err: "said", exit },
      {
        ...(exit !== 0 && { action: "error-displayed", messages: ["user error: said"] }),
        facts: [{ exitCode: exit }],
      },
    ),
  ),
  ...rows({
    "Notification: a killed hook has a signal and no exit code": [
      "seed 000 §1 exitCode, design §4.9 absent exit code",
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
      "seed 000 §1 executionTime, seed 000 §1 hookEvent",
      {
        command: 'sleep 0.05; grep -q \'"hook_event_name":"PreCompact"\' && test "$BELAY_EVENT" = PreCompact',
      },
      { facts: [{ exitCode: 0, timedOut: false }], takesMs: 50 },
    ],
  }),
];

const COMMON: readonly Row[] = rows({
  "PreToolUse: continue:false without a stopReason does not hold: the exit code decides, and the user is told":
    ["seed 000 §2 stopReason", { out: { continue: false } }, faulty("output-missing at stopReason")],
  "Stop: an empty stopReason is none": [
    "seed 000 §2 stopReason, design §4.2 null and empty",
    { out: { continue: false, stopReason: "" }, err: "tests first", exit: 2 },
    goesOnByStderr("tests first", {
      fault: "output-missing at stopReason",
      read: "exit-code",
    }),
  ],
  "SessionEnd: a systemMessage is a warn block with its words": [
    "seed 000 §2 systemMessage, seed 000 §4 content",
    { out: { systemMessage: "disk almost full" } },
    {
      messages: ["user warn: disk almost full"],
      operations: [["addWarnBlock", "disk almost full", "user"]],
      operation: "addWarnBlock",
    },
  ],
  "SessionEnd: an empty systemMessage is no block": [
    "seed 000 §2 systemMessage, seed 000 §4 content, design §4.2 null and empty",
    { out: { systemMessage: "" } },
    { operations: [] },
  ],
  "SessionEnd: a systemMessage that is no text is invalid, and the user is told": [
    "seed 000 §2 systemMessage",
    { out: { systemMessage: ["a", "b"] } },
    faulty("output-invalid at systemMessage"),
  ],
  "PostToolUse: hookSpecificOutput without a name is set aside": [
    "seed 000 §2 hookEventName, seed 000 §3 hookEventName, design §4.3 wrong event",
    { out: unnamed({ additionalContext: "650 lines" }) },
    WRONG_EVENT,
  ],
  "PostToolUse: hookSpecificOutput with a name that is no event is set aside": [
    "seed 000 §2 hookEventName, seed 000 §3 hookEventName, design §4.3 wrong event",
    { out: unnamed({ hookEventName: "AfterTool", additionalContext: "650 lines" }) },
    WRONG_EVENT,
  ],
  "PostToolUse: hookSpecificOutput of another event is set aside, while common fields hold": [
    "seed 000 §3 hookEventName, design §4.3 wrong event",
    { out: specific("PreToolUse", { additionalContext: "650 lines" }, { systemMessage: "mind the tests" }) },
    { ...WRONG_EVENT, messages: ["user warn: mind the tests"] },
  ],
  "PostToolUse: hookSpecificOutput that is no object is invalid": [
    "seed 000 §2 hookEventName",
    { out: { hookSpecificOutput: "PostToolUse" } },
    faulty("output-invalid at hookSpecificOutput"),
  ],
});

const SPECIFIC: readonly Row[] = [
  ...(["PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"] as const).flatMap((event) =>
    [undefined, "", null].map((reason) =>
      row(
        "seed 000 §3 block reason, design §4.2 null and empty",
        `${event}: a block with the reason ${JSON.stringify(reason)} does not hold`,
        { out: { decision: "block", reason } },
        faulty("output-missing at decision"),
      ),
    ),
  ),
  ...rows({
    "PreToolUse: a new input that fits the tool is used": [
      "seed 000 §3 updatedInput, design §4.7",
      { out: specific("PreToolUse", { updatedInput: { command: "npm test" } }) },
      { updatedInput: { command: "npm test" } },
      { toolTakes: "command" },
    ],
    "PreToolUse: a new input that does not fit denies the call and tells the agent, even beside an allow": [
      "seed 000 §3 updatedInput, design §4.7",
      { out: specific("PreToolUse", { permissionDecision: "allow", updatedInput: { cmd: "npm test" } }) },
      denied(MISFIT, { warns: ["rewrite-refused at updatedInput"] }),
      { toolTakes: "command" },
    ],
    "PreToolUse: an ask about a new input that does not fit is a deny": [
      "seed 000 §3 updatedInput, design §4.7",
      { out: permission("ask", "sure?", { updatedInput: {} }) },
      denied(MISFIT, {
        messages: ["user text: sure?", `agent tool: ${MISFIT}`],
        warns: ["rewrite-refused at updatedInput"],
      }),
      { toolTakes: "command" },
    ],
  }),
  ...["npm test", ["npm test"], 7, true].map((updatedInput) =>
    row(
      "seed 000 §3 updatedInput",
      `PreToolUse: a new input of ${JSON.stringify(updatedInput)} is no input: nothing is rewritten or allowed`,
      { out: specific("PreToolUse", { permissionDecision: "allow", updatedInput }) },
      faulty("output-invalid at hookSpecificOutput.updatedInput"),
    ),
  ),
  row(
    "seed 000 §3 ask",
    "PreToolUse: an ask without words still asks",
    { out: specific("PreToolUse", { permissionDecision: "ask" }) },
    asked("confirmation asked by hook h: no reason given"),
  ),
];

/** Seed 000 §5: the block for the agent, and fields that nobody knows. */
const BLOCKS: readonly Row[] = rows({
  "SubagentStop: a hook block names its event, has words, and may carry more": [
    "seed 000 §5 hookEvent, seed 000 §5 content, seed 000 §5 metadata",
    { out: { decision: "block", reason: "look again" } },
    goesOn("look again", {
      operations: [
        [
          "addHookBlock",
          {
            type: "hook",
            hookEvent: "SubagentStop",
            content: "look again",
            metadata: { kind: "refusal-reason" },
          },
        ],
      ],
      operation: "addHookBlock",
    }),
  ],
  "PostToolUse: empty context is no block": [
    "seed 000 §5 content, design §4.2 null and empty",
    { out: specific("PostToolUse", { additionalContext: "" }) },
    { operations: [] },
  ],
  "PostToolUse: an unknown field is ignored and noted, with a guess": [
    "seed 000 unknown fields",
    { out: { system_message: "lost", zebra: 1 } },
    {
      warns: ["output-misspelt-field at system_message"],
      diagnostics: ["output-unknown-field at zebra"],
      mentions: [
        "unknown field `system_message` was ignored (did you mean systemMessage?). Rename it to `systemMessage`.",
        "unknown field `zebra` was ignored. Remove it.",
      ],
    },
  ],
});

export const ROWS_000: readonly Row[] = [...RESULT, ...COMMON, ...SPECIFIC, ...BLOCKS];
