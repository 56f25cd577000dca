import { ALLOW, ASK, asked, DENIED, promptBlocked, type Row, row, rows, specific, stopped } from "./row.ts";

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
