import { all, cells, json, shown } from "./dialect-cells.ts";
import { ALLOW, ASK, type Expect, type Row, specific, unnamed } from "./row.ts";

/** DESIGN §7, the table of settings: systemMessage, JSON against exit 2, and what is required. */

const NOTE = { systemMessage: "mind it" };
const userNote: Expect = { ...json, messages: ["user warn: mind it"] };

const SYSTEM_MESSAGE = (["PreToolUse", "PreCompact", "Stop"] as const).flatMap((event) =>
  cells(
    "systemMessage",
    event,
    { out: NOTE },
    {
      wave: userNote,
      "session-hooks": {
        ...json,
        action: "context-injected",
        messages: ["agent warn: mind it", shown(NOTE)],
      },
      pact: { ...json, action: "context-injected", messages: ["user warn: mind it", "agent warn: mind it"] },
      "claude-code": userNote,
    },
  ),
);

const overruled: Expect = {
  ...json,
  messages: ["user warn: <exit-2-overruled>"],
  diagnostics: ["exit-2-overruled"],
};
const won: Expect = {
  ...json,
  action: "block-tool",
  kind: "deny",
  reason: "no",
  messages: ["agent tool: no", "user warn: <exit-2-won>"],
  diagnostics: ["exit-2-won"],
};
const asked: Expect = {
  ...json,
  action: "ask-user",
  kind: "ask",
  reason: "sure?",
  messages: ["user text: sure?"],
};
const stopped: Expect = {
  ...json,
  action: "stop",
  kind: "stop",
  reason: "enough",
  messages: ["user error: enough"],
};
const goesOn: Expect = {
  ...json,
  action: "block-stop",
  kind: "block",
  reason: "no",
  messages: ["agent text: no", "user warn: <exit-2-won>"],
  diagnostics: ["exit-2-won"],
};
const REWRITE = specific("PreToolUse", { permissionDecision: "allow", updatedInput: { command: "ls" } });

const EXIT_2 = [
  ...cells(
    "JSON against exit 2",
    "PreToolUse",
    { out: ALLOW, err: "no", exit: 2 },
    {
      wave: { ...overruled, kind: "allow" },
      "session-hooks": { ...overruled, kind: "allow" },
      pact: won,
      "claude-code": won,
    },
  ),
  ...cells(
    "JSON against exit 2",
    "PreToolUse",
    { out: REWRITE, err: "no", exit: 2 },
    {
      wave: { ...overruled, kind: "allow", updatedInput: { command: "ls" } },
      "session-hooks": { ...overruled, kind: "allow", updatedInput: { command: "ls" } },
      pact: won,
      "claude-code": won,
    },
  ),
  ...cells(
    "JSON against exit 2",
    "PreToolUse",
    { out: ASK, err: "no", exit: 2 },
    {
      wave: asked,
      "session-hooks": asked,
      pact: won,
      "claude-code": won,
    },
  ),
  ...cells(
    "JSON against exit 2",
    "Stop",
    { out: { decision: "approve" }, err: "no", exit: 2 },
    {
      wave: overruled,
      "session-hooks": overruled,
      pact: goesOn,
      "claude-code": goesOn,
    },
  ),
  ...cells(
    "JSON against exit 2",
    "PreToolUse",
    { out: { continue: false, stopReason: "enough" }, err: "no", exit: 2 },
    all(stopped),
  ),
];

const denied: Expect = {
  ...json,
  action: "block-tool",
  kind: "deny",
  reason: "no",
  messages: ["agent tool: no"],
};
const aside: Expect = {
  action: "error-displayed",
  messages: ["user error: <output-wrong-event>"],
  diagnostics: ["output-wrong-event at hookSpecificOutput.hookEventName"],
  runs: ["json fault output-wrong-event"],
};
const UNNAMED = unnamed({ permissionDecision: "deny", permissionDecisionReason: "no" });
const WRONG = specific("Stop", { permissionDecision: "deny" });
const missing = (path: string): Expect => ({
  action: "error-displayed",
  messages: ["user error: <output-missing>"],
  diagnostics: [`output-missing at ${path}`],
  runs: ["exit-code fault output-missing"],
});
const noWords: Expect = {
  ...json,
  action: "stop",
  kind: "stop",
  reason: "stopped by hook h: no reason given",
  messages: ["user error: stopped by hook h: no reason given"],
};
const HALT = { continue: false };
const BLOCK = { decision: "block" };

const REQUIRED_FIELDS = [
  ...cells(
    "hookEventName",
    "PreToolUse",
    { out: UNNAMED },
    {
      wave: aside,
      "session-hooks": { ...denied, messages: ["agent tool: no", shown(UNNAMED)] },
      pact: aside,
      "claude-code": aside,
    },
  ),
  ...cells(
    "hookEventName",
    "PreToolUse",
    { out: WRONG },
    {
      ...all(aside),
      "session-hooks": { ...aside, messages: ["user error: <output-wrong-event>", shown(WRONG)] },
    },
  ),
  ...cells(
    "stopReason",
    "PostToolUse",
    { out: HALT },
    {
      wave: missing("stopReason"),
      "session-hooks": { ...noWords, messages: [...(noWords.messages ?? []), shown(HALT)] },
      pact: noWords,
      "claude-code": noWords,
    },
  ),
  ...cells(
    "reason",
    "PostToolUse",
    { out: BLOCK },
    {
      ...all(missing("decision")),
      "session-hooks": {
        ...json,
        action: "error-displayed",
        kind: "block",
        reason: "blocked by hook h: no reason given",
        messages: ["agent hook: blocked by hook h: no reason given", shown(BLOCK)],
      },
    },
  ),
];

export const ROWS_DIALECTS: readonly Row[] = [...SYSTEM_MESSAGE, ...EXIT_2, ...REQUIRED_FIELDS];
