import type { EventName } from "@belay/engine";
import {
  denied,
  type Expect,
  goesOnByStderr,
  promptBlocked,
  type Row,
  resultBlockedByStderr,
  rows,
} from "./row.ts";

/** Seed 001, user story 1: what exit codes say, on every event. */

const NOBODY: readonly EventName[] = [
  "PreToolUse",
  "PostToolUse",
  "Stop",
  "SubagentStop",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
  "PermissionRequest",
  "Notification",
];

const EVERY: readonly EventName[] = ["UserPromptSubmit", ...NOBODY];

const refusedCall: Expect = denied("stop it");
const goesOn: Expect = goesOnByStderr("stop it");
const shown: Expect = { action: "error-displayed", messages: ["user error: stop it"] };

/** Exit 2 with words on stderr, as the wave dialect reads it. */
const EXIT_2: Partial<Record<EventName, Expect>> = {
  PreToolUse: refusedCall,
  PermissionRequest: refusedCall,
  PostToolUse: resultBlockedByStderr("stop it"),
  UserPromptSubmit: promptBlocked("stop it"),
  Stop: goesOn,
  SubagentStop: goesOn,
  SessionStart: shown,
  SessionEnd: shown,
  PreCompact: shown,
  Notification: shown,
};

const FOUR: readonly EventName[] = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"];

export const ROWS_001_EXIT: readonly Row[] = [
  ...rows({
    "UserPromptSubmit: plain stdout of a prompt hook is context for the agent": [
      ["seed 001 FR-001", "seed 001 US1.1", "seed 001 FR-015"],
      { out: "branch: main\n" },
      { action: "context-injected", messages: ["agent text: branch: main"] },
    ],
    "UserPromptSubmit: plain stdout of several lines stays as it is, without blank lines before and after": [
      ["seed 001 FR-001", "seed 001 US1.1"],
      { out: "\n  one\n\n  two  \n\n", err: "a log line" },
      { action: "context-injected", messages: ["agent text:   one\n\n  two"] },
    ],
  }),
  ...NOBODY.map(
    (event): Row => ({
      ref: ["seed 001 FR-001", "seed 001 US1.1"],
      says: `plain stdout of ${event} is nobody's`,
      event,
      hook: { out: "all is well\n", err: "a log line" },
      expect: {},
    }),
  ),
  ...Object.entries(EXIT_2).map(
    ([name, expect]): Row => ({
      ref: [
        "seed 001 FR-002",
        "seed 001 US1.2",
        ...(FOUR.includes(name as EventName) ? ["seed 001 FR-013"] : []),
      ],
      says: `exit 2 on ${name}`,
      event: name as EventName,
      hook: { out: "not this", err: "stop it\n", exit: 2 },
      expect,
    }),
  ),
  ...EVERY.flatMap((event) =>
    [1, 3, 255].map(
      (exit): Row => ({
        ref: ["seed 001 FR-003", "seed 001 US1.3"],
        says: `exit ${exit} on ${event} is shown and work goes on`,
        event,
        hook: { out: "not this", err: "could not look\n", exit },
        expect: { action: "error-displayed", messages: ["user error: could not look"] },
      }),
    ),
  ),
  ...EVERY.map(
    (event): Row => ({
      ref: ["seed 001 edge: silence"],
      says: `no output and exit 0 on ${event} is no opinion`,
      event,
      hook: {},
      expect: {},
    }),
  ),
  ...rows({
    "PreToolUse: a silent exit 2 still denies": [
      ["seed 001 edge: silence", "design §4.2 no words"],
      { exit: 2 },
      denied("blocked by hook h: no reason given"),
    ],
    "UserPromptSubmit: a silent exit 2 still erases the prompt": [
      ["seed 001 edge: silence", "design §4.2 no words"],
      { out: " \n", err: " \n", exit: 2 },
      promptBlocked("blocked by hook h: no reason given"),
    ],
    "Stop: a silent exit 2 keeps the agent going": [
      ["seed 001 edge: silence", "design §4.2 no words"],
      { exit: 2 },
      goesOnByStderr("blocked by hook h: no reason given"),
    ],
    "PreToolUse: a silent exit 1 is not silent for the user": [
      "seed 001 edge: silence",
      { exit: 1 },
      {
        action: "error-displayed",
        messages: ["user error: hook h exited with 1 and wrote nothing to stderr"],
      },
    ],
  }),
];
