import { all, cells, shown } from "./dialect-cells.ts";
import {
  ALLOW,
  ASK,
  asked,
  denied,
  type Expect,
  faulty,
  goesOnByStderr,
  type Row,
  resultBlocked,
  specific,
  stopped,
  unnamed,
} from "./row.ts";

/** Design §7, the table of settings: systemMessage, JSON against exit 2, and what is required. */

const NOTE = { systemMessage: "mind it" };
const userNote: Expect = { messages: ["user warn: mind it"] };

const SYSTEM_MESSAGE = (["PreToolUse", "PreCompact", "Stop"] as const).flatMap((event) =>
  cells(
    "systemMessage",
    event,
    { out: NOTE },
    {
      wave: userNote,
      "session-hooks": { action: "context-injected", messages: ["agent warn: mind it", shown(NOTE)] },
      pact: { action: "context-injected", messages: ["user warn: mind it", "agent warn: mind it"] },
      "claude-code": userNote,
    },
  ),
);

const overruled: Expect = { messages: ["user warn: <exit-2-overruled>"], diagnostics: ["exit-2-overruled"] };
const won: Expect = denied("no", { also: ["user warn: <exit-2-won>"], diagnostics: ["exit-2-won"] });
const askedUser: Expect = asked("sure?");
const stoppedTurn: Expect = stopped("enough");
const goesOn: Expect = goesOnByStderr("no", {
  also: ["user warn: <exit-2-won>"],
  diagnostics: ["exit-2-won"],
});
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
    { wave: askedUser, "session-hooks": askedUser, pact: won, "claude-code": won },
  ),
  ...cells(
    "JSON against exit 2",
    "Stop",
    { out: { decision: "approve" }, err: "no", exit: 2 },
    { wave: overruled, "session-hooks": overruled, pact: goesOn, "claude-code": goesOn },
  ),
  ...cells(
    "JSON against exit 2",
    "PreToolUse",
    { out: { continue: false, stopReason: "enough" }, err: "no", exit: 2 },
    all(stoppedTurn),
  ),
];

const refusedCall: Expect = denied("no");
const aside: Expect = faulty("output-wrong-event", { read: "json", at: "hookSpecificOutput.hookEventName" });
const UNNAMED = unnamed({ permissionDecision: "deny", permissionDecisionReason: "no" });
const WRONG = specific("Stop", { permissionDecision: "deny" });
const missing = (path: string): Expect => ({
  action: "error-displayed",
  messages: ["user error: <output-missing>"],
  diagnostics: [`output-missing at ${path}`],
  runs: ["exit-code fault output-missing"],
});
const noWords: Expect = stopped("stopped by hook h: no reason given");
const HALT = { continue: false };
const BLOCK = { decision: "block" };

const REQUIRED_FIELDS = [
  ...cells(
    "hookEventName",
    "PreToolUse",
    { out: UNNAMED },
    {
      wave: aside,
      "session-hooks": { ...refusedCall, messages: ["agent tool: no", shown(UNNAMED)] },
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
      "session-hooks": resultBlocked("blocked by hook h: no reason given", { also: [shown(BLOCK)] }),
    },
  ),
];

export const ROWS_DIALECTS: readonly Row[] = [...SYSTEM_MESSAGE, ...EXIT_2, ...REQUIRED_FIELDS];
