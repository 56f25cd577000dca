import type { EventName } from "@belay/engine";
import { ALLOW, DENY, denied, type Expect, promptBlocked, type Row, rows, specific, stopped } from "./row.ts";

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

const STOPPED: Expect = stopped("budget spent");

const STOP = { continue: false, stopReason: "budget spent" };
const REWRITE = { command: "npm test -- --bail" };

const COMMON: readonly Row[] = [
  ...EVERY.map(
    (event): Row => ({
      ref: ["seed 001 FR-004", "seed 001 US2.1", "seed 001 SC-002"],
      says: `continue:false stops on ${event}`,
      event,
      hook: { out: STOP },
      expect: STOPPED,
    }),
  ),
  ...EVERY.map(
    (event): Row => ({
      ref: ["seed 001 FR-004", "seed 001 US2.2", "seed 001 SC-002"],
      says: `a systemMessage on ${event} is a warning for the user`,
      event,
      hook: { out: { systemMessage: "mind the tests" } },
      expect: { messages: ["user warn: mind the tests"] },
    }),
  ),
  ...rows({
    "PreToolUse: continue:true says nothing": [
      ["seed 001 FR-004", "seed 001 SC-002"],
      { out: { continue: true, stopReason: "not used" } },
      { diagnostics: ["output-words-unused at stopReason"] },
    ],
    "PostToolUse: a stop and a warning together": [
      ["seed 001 FR-004", "seed 001 US2.1", "seed 001 US2.2"],
      { out: { ...STOP, systemMessage: "mind the tests" } },
      { ...STOPPED, messages: ["user error: budget spent", "user warn: mind the tests"] },
    ],
  }),
];

const PRECEDENCE: readonly Row[] = rows({
  "PreToolUse: an allow with exit 2 is an allow, and said to be odd": [
    [
      "seed 001 FR-005",
      "seed 001 US2.3",
      "seed 001 edge: JSON and exit code",
      "seed 000 §2 precedence",
      "design §4.1 JSON speaks",
    ],
    { out: ALLOW, err: "not shown", exit: 2 },
    { kind: "allow", messages: ["user warn: <exit-2-overruled>"], diagnostics: ["exit-2-overruled"] },
  ],
  "PreToolUse: a deny with exit 0 denies": [
    ["seed 001 FR-005", "seed 001 US2.3", "seed 001 edge: JSON and exit code", "design §4.1 JSON speaks"],
    { out: DENY },
    denied("not here"),
  ],
  "PreToolUse: a deny with exit 1 denies, and stderr is shown to nobody": [
    [
      "seed 001 FR-005",
      "seed 001 US2.3",
      "seed 001 edge: JSON and exit code",
      "design §4.1 stderr to the journal",
    ],
    { out: DENY, err: "trace", exit: 1 },
    denied("not here", { facts: [{ exitCode: 1, stderr: "trace" }] }),
  ],
  "PreToolUse: a deny with exit 2 has its own words, not those of stderr": [
    ["seed 001 FR-005", "seed 001 US2.3", "design §4.1 stderr to the journal"],
    { out: DENY, err: "trace", exit: 2 },
    denied("not here"),
  ],
  "UserPromptSubmit: a blocked prompt with exit 1 is a blocked prompt": [
    ["seed 001 FR-005", "seed 001 US2.3", "seed 001 edge: JSON and exit code"],
    { out: { decision: "block", reason: "no secrets" }, err: "trace", exit: 1 },
    promptBlocked("no secrets"),
  ],
});

const CONFLICTS: readonly Row[] = [
  ...rows({
    "PreToolUse: continue:false beats an allow": [
      ["seed 001 edge: conflict", "design §4.6"],
      { out: { ...ALLOW, ...STOP } },
      STOPPED,
    ],
    "PreToolUse: continue:false beats a deny": [
      ["seed 001 edge: conflict", "seed 001 FR-012", "design §4.6"],
      { out: { ...DENY, ...STOP } },
      STOPPED,
    ],
  }),
  ...(["PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"] as const).flatMap((event): Row[] => [
    {
      ref: ["seed 001 FR-012", "design §4.6"],
      says: `continue:false beats a block at the top level on ${event}`,
      event,
      hook: { out: { decision: "block", reason: "lint failed", ...STOP } },
      expect: STOPPED,
    },
    {
      ref: ["seed 001 FR-012", "design §4.6"],
      says: `continue:false beats a block inside hookSpecificOutput on ${event}`,
      event,
      hook: { out: specific(event, { decision: "block", reason: "lint failed" }, STOP) },
      expect: STOPPED,
    },
  ]),
  ...rows({
    "PreToolUse: continue:false beats exit 2": [
      ["seed 001 FR-012", "design §4.6"],
      { out: STOP, err: "not shown", exit: 2 },
      STOPPED,
    ],
    "PreToolUse: continue:false with context and a rewrite carries neither": [
      ["seed 001 FR-012", "design §4.6"],
      { out: specific("PreToolUse", { updatedInput: REWRITE, additionalContext: "branch: main" }, STOP) },
      STOPPED,
    ],
  }),
];

export const ROWS_001_JSON: readonly Row[] = [...COMMON, ...PRECEDENCE, ...CONFLICTS];
