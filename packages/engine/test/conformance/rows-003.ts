import type { EventName } from "@belay/engine";
import {
  denied,
  type Expect,
  goesOnByStderr,
  promptBlocked,
  type Row,
  resultBlockedByStderr,
  row,
  rows,
  stopped,
} from "./row.ts";

/** Seed 003: four events by three exit codes, and what the processor does to the conversation. */

type Exit = "0" | "2" | "other";

const CODES: Record<Exit, number> = { "0": 0, "2": 2, other: 1 };

const NOTHING: Expect = { operations: [] };
const ERROR: Expect = {
  action: "error-displayed",
  messages: ["user error: err text"],
  operations: [["addErrorBlock", "err text"]],
  operation: "addErrorBlock",
};

const TABLE: Partial<Record<EventName, Record<Exit, Expect>>> = {
  UserPromptSubmit: {
    "0": {
      action: "context-injected",
      messages: ["agent text: out text"],
      operations: [["addUserMessage", "out text"]],
      operation: "addUserMessage",
    },
    "2": promptBlocked("err text", {
      operations: [["removeLastUserMessage"], ["addErrorBlock", "err text"]],
      operation: "addErrorBlock",
    }),
    other: ERROR,
  },
  PreToolUse: {
    "0": NOTHING,
    "2": denied("err text", {
      operations: [["updateToolBlock", { toolId: "t1", result: "err text", success: false }]],
      operation: "updateToolBlock",
    }),
    other: ERROR,
  },
  PostToolUse: {
    "0": NOTHING,
    "2": resultBlockedByStderr("err text", {
      operations: [["updateToolBlock", { toolId: "t1", result: "12 passed\nerr text", success: false }]],
      operation: "updateToolBlock",
    }),
    other: ERROR,
  },
  Stop: {
    "0": NOTHING,
    "2": goesOnByStderr("err text", {
      operations: [["addUserMessage", "err text"]],
      operation: "addUserMessage",
    }),
    other: ERROR,
  },
};

export const ROWS_003: readonly Row[] = [
  ...Object.entries(TABLE).flatMap(([event, exits]) =>
    Object.entries(exits).map(([exit, expect]) =>
      row(
        `seed 003 ${event} exit ${exit}`,
        `${event as EventName}: the operations on the conversation`,
        { out: "out text", err: "err text", exit: CODES[exit as Exit] },
        expect,
      ),
    ),
  ),
  ...rows({
    "PreToolUse: a JSON deny updates the tool block": [
      "seed 003 PreToolUse exit 0",
      {
        out: {
          systemMessage: "mind it",
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason: "not here",
          },
        },
      },
      denied("not here", {
        also: ["user warn: mind it"],
        operations: [
          ["updateToolBlock", { toolId: "t1", result: "not here", success: false }],
          ["addWarnBlock", "mind it", "user"],
        ],
        operation: "updateToolBlock",
      }),
    ],
    "UserPromptSubmit: a JSON block of a prompt erases it before anything is added": [
      "seed 003 UserPromptSubmit exit 0, design §6 blocked prompt",
      { out: { decision: "block", reason: "no secrets", systemMessage: "mind it" } },
      promptBlocked("no secrets", {
        also: ["user warn: mind it"],
        operations: [
          ["removeLastUserMessage"],
          ["addErrorBlock", "no secrets"],
          ["addWarnBlock", "mind it", "user"],
        ],
        operation: "addErrorBlock",
      }),
    ],
    "UserPromptSubmit: a stop erases the prompt as well: it was not processed, and must not slip in with the next one":
      [
        "seed 003 UserPromptSubmit exit 0, design §4.6",
        { out: { continue: false, stopReason: "enough" } },
        stopped("enough", {
          operations: [["removeLastUserMessage"], ["addErrorBlock", "enough"]],
          operation: "addErrorBlock",
        }),
      ],
  }),
  ...(["Stop", "SubagentStop"] as const).map((event) =>
    row(
      "seed 003 agent feedback",
      `${event}: stderr of a blocked ${event} is a message to the agent, beside a warning for the user`,
      { out: { systemMessage: "mind it" }, err: "tests first", exit: 2 },
      goesOnByStderr("tests first", {
        also: ["user warn: mind it"],
        operations: [
          ["addUserMessage", "tests first"],
          ["addWarnBlock", "mind it", "user"],
        ],
        operation: "addUserMessage",
      }),
    ),
  ),
];

/** Seed 003's shouldBlock, value by value. */
export const SHOULD_BLOCK: readonly (readonly [code: number | undefined, blocks: boolean])[] = [
  [0, false],
  [1, false],
  [2, true],
  [3, false],
  [126, false],
  [127, false],
  [255, false],
  [undefined, false],
];
