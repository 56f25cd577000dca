import type { EventName } from "@belay/engine";
import { ALLOW, DENY, type Expect, type Row, specific } from "./row.ts";

/** Seed 001, user story 2: the common fields, and JSON against exit codes and against itself, in the wave dialect. */

const EVERY: readonly EventName[] = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
  "PermissionRequest",
  "Notification",
];

const STOPPED: Expect = {
  action: "stop",
  kind: "stop",
  reason: "budget spent",
  messages: ["user error: budget spent"],
  runs: ["json"],
};

const STOP = { continue: false, stopReason: "budget spent" };
const REWRITE = { command: "npm test -- --bail" };

const COMMON: readonly Row[] = [
  ...EVERY.map(
    (event): Row => ({
      ref: ["001 FR-004", "001 US2.1", "001 SC-002"],
      says: `continue:false stops on ${event}`,
      event,
      hook: { out: STOP },
      expect: STOPPED,
    }),
  ),
  ...EVERY.map(
    (event): Row => ({
      ref: ["001 FR-004", "001 US2.2", "001 SC-002"],
      says: `a systemMessage on ${event} is a warning for the user`,
      event,
      hook: { out: { systemMessage: "mind the tests" } },
      expect: { messages: ["user warn: mind the tests"], runs: ["json"] },
    }),
  ),
  {
    ref: ["001 FR-004", "001 SC-002"],
    says: "continue:true says nothing",
    event: "PreToolUse",
    hook: { out: { continue: true, stopReason: "not used" } },
    expect: { diagnostics: ["output-words-unused at stopReason"], runs: ["json"] },
  },
  {
    ref: ["001 FR-004", "001 US2.1", "001 US2.2"],
    says: "a stop and a warning together",
    event: "PostToolUse",
    hook: { out: { ...STOP, systemMessage: "mind the tests" } },
    expect: { ...STOPPED, messages: ["user error: budget spent", "user warn: mind the tests"] },
  },
];

const PRECEDENCE: readonly Row[] = [
  {
    ref: [
      "001 FR-005",
      "001 US2.3",
      "001 edge: JSON and exit code",
      "000 §2 precedence",
      "DESIGN §4.1 JSON speaks",
    ],
    says: "an allow with exit 2 is an allow, and said to be odd",
    event: "PreToolUse",
    hook: { out: ALLOW, err: "not shown", exit: 2 },
    expect: {
      kind: "allow",
      messages: ["user warn: <exit-2-overruled>"],
      diagnostics: ["exit-2-overruled"],
      runs: ["json"],
    },
  },
  {
    ref: ["001 FR-005", "001 US2.3", "001 edge: JSON and exit code", "DESIGN §4.1 JSON speaks"],
    says: "a deny with exit 0 denies",
    event: "PreToolUse",
    hook: { out: DENY },
    expect: {
      action: "block-tool",
      kind: "deny",
      reason: "not here",
      messages: ["agent tool: not here"],
      runs: ["json"],
    },
  },
  {
    ref: ["001 FR-005", "001 US2.3", "001 edge: JSON and exit code", "DESIGN §4.1 stderr to the journal"],
    says: "a deny with exit 1 denies, and stderr is shown to nobody",
    event: "PreToolUse",
    hook: { out: DENY, err: "trace", exit: 1 },
    expect: {
      action: "block-tool",
      kind: "deny",
      reason: "not here",
      messages: ["agent tool: not here"],
      runs: ["json"],
      facts: [{ exitCode: 1, stderr: "trace" }],
    },
  },
  {
    ref: ["001 FR-005", "001 US2.3", "DESIGN §4.1 stderr to the journal"],
    says: "a deny with exit 2 has its own words, not those of stderr",
    event: "PreToolUse",
    hook: { out: DENY, err: "trace", exit: 2 },
    expect: {
      action: "block-tool",
      kind: "deny",
      reason: "not here",
      messages: ["agent tool: not here"],
      runs: ["json"],
    },
  },
  {
    ref: ["001 FR-005", "001 US2.3", "001 edge: JSON and exit code"],
    says: "a blocked prompt with exit 1 is a blocked prompt",
    event: "UserPromptSubmit",
    hook: { out: { decision: "block", reason: "no secrets" }, err: "trace", exit: 1 },
    expect: {
      action: "block-prompt",
      kind: "block",
      reason: "no secrets",
      messages: ["user error: no secrets"],
      runs: ["json"],
    },
  },
];

const CONFLICTS: readonly Row[] = [
  {
    ref: ["001 edge: conflict", "DESIGN §4.6"],
    says: "continue:false beats an allow",
    event: "PreToolUse",
    hook: { out: { ...ALLOW, ...STOP } },
    expect: STOPPED,
  },
  {
    ref: ["001 edge: conflict", "001 FR-012", "DESIGN §4.6"],
    says: "continue:false beats a deny",
    event: "PreToolUse",
    hook: { out: { ...DENY, ...STOP } },
    expect: STOPPED,
  },
  ...(["PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"] as const).flatMap((event): Row[] => [
    {
      ref: ["001 FR-012", "DESIGN §4.6"],
      says: `continue:false beats a block at the top level on ${event}`,
      event,
      hook: { out: { decision: "block", reason: "lint failed", ...STOP } },
      expect: STOPPED,
    },
    {
      ref: ["001 FR-012", "DESIGN §4.6"],
      says: `continue:false beats a block inside hookSpecificOutput on ${event}`,
      event,
      hook: { out: specific(event, { decision: "block", reason: "lint failed" }, STOP) },
      expect: STOPPED,
    },
  ]),
  {
    ref: ["001 FR-012", "DESIGN §4.6"],
    says: "continue:false beats exit 2",
    event: "PreToolUse",
    hook: { out: STOP, err: "not shown", exit: 2 },
    expect: STOPPED,
  },
  {
    ref: ["001 FR-012", "DESIGN §4.6"],
    says: "continue:false with context and a rewrite carries neither",
    event: "PreToolUse",
    hook: { out: specific("PreToolUse", { updatedInput: REWRITE, additionalContext: "branch: main" }, STOP) },
    expect: STOPPED,
  },
];

export const ROWS_001_JSON: readonly Row[] = [...COMMON, ...PRECEDENCE, ...CONFLICTS];
