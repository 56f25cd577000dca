import type { EventName } from "@belay/engine";
import { context, type Expect, type Row, row, specific, unnamed } from "./row.ts";

/** Seed 004 in the dialect pact. */

const both: Expect = {
  action: "context-injected",
  messages: ["user warn: write the decision log", "agent warn: write the decision log"],
};
const toAgent: Expect = context("two plans found");
const asideBy = (messages: readonly string[]): Expect => ({
  action: "error-displayed",
  messages: [...messages, "user error: <output-wrong-event>"],
  diagnostics: ["output-wrong-event at hookSpecificOutput.hookEventName"],
  runs: ["json fault output-wrong-event"],
});

function said(ref: string, event: EventName, out: object, expect: Expect): Row {
  return row(ref, `${event}: ${JSON.stringify(out)}`, { out }, expect, { dialect: "pact" });
}

const LOUD = { systemMessage: "write the decision log" };
const QUIET = { additionalContext: "two plans found" };

const NAMED: readonly EventName[] = ["SessionStart", "PreToolUse", "PostToolUse", "SubagentStop", "Stop"];

export const ROWS_004: readonly Row[] = [
  said("seed 004 systemMessage example", "SubagentStop", LOUD, both),
  said("seed 004 additionalContext example", "PostToolUse", specific("PostToolUse", QUIET), toAgent),
  said(
    "seed 004 both",
    "SessionStart",
    specific("SessionStart", QUIET, LOUD),
    context("two plans found", { also: [...(both.messages ?? [])] }),
  ),
  // The decision guide, line by line.
  said("seed 004 guide act now", "Stop", LOUD, both),
  said("seed 004 guide validation failed", "PreToolUse", LOUD, both),
  said("seed 004 guide error occurred", "SessionStart", LOUD, both),
  said("seed 004 guide frequent reminder", "PostToolUse", specific("PostToolUse", QUIET), toAgent),
  said("seed 004 guide background", "SessionStart", specific("SessionStart", QUIET), toAgent),
  said("seed 004 guide status", "PreToolUse", specific("PreToolUse", QUIET), toAgent),
  ...NAMED.flatMap((event) => [
    said(`seed 004 required fields ${event}`, event, specific(event, QUIET), toAgent),
    said(`seed 004 required fields ${event}`, event, unnamed(QUIET), asideBy([])),
    said(
      `seed 004 required fields ${event}`,
      event,
      specific("Notification", QUIET, LOUD),
      asideBy(both.messages ?? []),
    ),
  ]),
  ...NAMED.map((event) => said("seed 004 silent {}", event, {}, {})),
  ...NAMED.map((event) =>
    row("seed 004 silent", `${event}: ${event} without output`, {}, {}, { dialect: "pact" }),
  ),
];
