import { EVENT_NAMES, type EventName } from "@belay/engine";
import {
  ALLOW,
  ASK,
  asked,
  context,
  DENY,
  denied,
  type Expect,
  goesOn,
  goesOnByStderr,
  permission,
  promptBlocked,
  type Row,
  resultBlocked,
  resultBlockedByStderr,
  row,
  rows,
  specific,
  stopped,
} from "./row.ts";

/** Seed 001, user story 1: what exit codes say, on every event. */

const refusedCall: Expect = denied("stop it");
const blockedStop: Expect = goesOnByStderr("stop it");
const shown: Expect = { action: "error-displayed", messages: ["user error: stop it"] };

/** Exit 2 with words on stderr, as the wave dialect reads it. */
const EXIT_2: Record<EventName, Expect> = {
  PreToolUse: refusedCall,
  PermissionRequest: refusedCall,
  PostToolUse: resultBlockedByStderr("stop it"),
  UserPromptSubmit: promptBlocked("stop it"),
  Stop: blockedStop,
  SubagentStop: blockedStop,
  SessionStart: shown,
  SessionEnd: shown,
  PreCompact: shown,
  Notification: shown,
};

const FOUR: readonly EventName[] = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"];

const EXIT: readonly Row[] = [
  ...rows({
    "UserPromptSubmit: plain stdout of a prompt hook is context for the agent": [
      "seed 001 FR-001, seed 001 US1.1, seed 001 FR-015",
      { out: "branch: main\n" },
      { action: "context-injected", messages: ["agent text: branch: main"] },
    ],
    "UserPromptSubmit: plain stdout of several lines stays as it is, without blank lines before and after": [
      "seed 001 FR-001, seed 001 US1.1",
      { out: "\n  one\n\n  two  \n\n", err: "a log line" },
      { action: "context-injected", messages: ["agent text:   one\n\n  two"] },
    ],
  }),
  ...EVENT_NAMES.filter((event) => event !== "UserPromptSubmit").map((event) =>
    row(
      "seed 001 FR-001, seed 001 US1.1",
      `${event}: plain stdout of ${event} is nobody's`,
      { out: "all is well\n", err: "a log line" },
      {},
    ),
  ),
  ...EVENT_NAMES.map((event) =>
    row(
      `seed 001 FR-002, seed 001 US1.2${FOUR.includes(event) ? ", seed 001 FR-013" : ""}`,
      `${event}: exit 2 on ${event}`,
      { out: "not this", err: "stop it\n", exit: 2 },
      EXIT_2[event],
    ),
  ),
  ...EVENT_NAMES.flatMap((event) =>
    [1, 3, 255].map((exit) =>
      row(
        "seed 001 FR-003, seed 001 US1.3",
        `${event}: exit ${exit} on ${event} is shown and work goes on`,
        { out: "not this", err: "could not look\n", exit },
        { action: "error-displayed", messages: ["user error: could not look"] },
      ),
    ),
  ),
  ...EVENT_NAMES.map((event) =>
    row("seed 001 edge: silence", `${event}: no output and exit 0 on ${event} is no opinion`, {}, {}),
  ),
  ...rows({
    "PreToolUse: a silent exit 2 still denies": [
      "seed 001 edge: silence, design §4.2 no words",
      { exit: 2 },
      denied("blocked by hook h: no reason given"),
    ],
    "UserPromptSubmit: a silent exit 2 still erases the prompt": [
      "seed 001 edge: silence, design §4.2 no words",
      { out: " \n", err: " \n", exit: 2 },
      promptBlocked("blocked by hook h: no reason given"),
    ],
    "Stop: a silent exit 2 keeps the agent going": [
      "seed 001 edge: silence, design §4.2 no words",
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

/** User story 2: the common fields, and JSON against exit codes and against itself, in the wave dialect. */

const STOPPED: Expect = stopped("budget spent");

const STOP = { continue: false, stopReason: "budget spent" };
const REWRITE = { command: "npm test -- --bail" };

const COMMON: readonly Row[] = [
  ...EVENT_NAMES.map((event) =>
    row(
      "seed 001 FR-004, seed 001 US2.1, seed 001 SC-002",
      `${event}: continue:false stops on ${event}`,
      { out: STOP },
      STOPPED,
    ),
  ),
  ...EVENT_NAMES.map((event) =>
    row(
      "seed 001 FR-004, seed 001 US2.2, seed 001 SC-002",
      `${event}: a systemMessage on ${event} is a warning for the user`,
      { out: { systemMessage: "mind the tests" } },
      { messages: ["user warn: mind the tests"] },
    ),
  ),
  ...rows({
    "PreToolUse: continue:true says nothing": [
      "seed 001 FR-004, seed 001 SC-002",
      { out: { continue: true, stopReason: "not used" } },
      { diagnostics: ["output-words-unused at stopReason"] },
    ],
    "PostToolUse: a stop and a warning together": [
      "seed 001 FR-004, seed 001 US2.1, seed 001 US2.2",
      { out: { ...STOP, systemMessage: "mind the tests" } },
      { ...STOPPED, messages: ["user error: budget spent", "user warn: mind the tests"] },
    ],
  }),
];

const PRECEDENCE: readonly Row[] = rows({
  "PreToolUse: an allow with exit 2 is an allow, and said to be odd": [
    "seed 001 FR-005, seed 001 US2.3, seed 001 edge: JSON and exit code, seed 000 §2 precedence, design §4.1 JSON speaks",
    { out: ALLOW, err: "not shown", exit: 2 },
    { kind: "allow", warns: ["exit-2-overruled"] },
  ],
  "PreToolUse: a deny with exit 0 denies": [
    "seed 001 FR-005, seed 001 US2.3, seed 001 edge: JSON and exit code, design §4.1 JSON speaks",
    { out: DENY },
    denied("not here"),
  ],
  "PreToolUse: a deny with exit 1 denies, and stderr is shown to nobody": [
    "seed 001 FR-005, seed 001 US2.3, seed 001 edge: JSON and exit code, design §4.1 stderr to the journal",
    { out: DENY, err: "trace", exit: 1 },
    denied("not here", { facts: [{ exitCode: 1, stderr: "trace" }] }),
  ],
  "PreToolUse: a deny with exit 2 has its own words, not those of stderr": [
    "seed 001 FR-005, seed 001 US2.3, design §4.1 stderr to the journal",
    { out: DENY, err: "trace", exit: 2 },
    denied("not here"),
  ],
  "UserPromptSubmit: a blocked prompt with exit 1 is a blocked prompt": [
    "seed 001 FR-005, seed 001 US2.3, seed 001 edge: JSON and exit code",
    { out: { decision: "block", reason: "no secrets" }, err: "trace", exit: 1 },
    promptBlocked("no secrets"),
  ],
});

const CONFLICTS: readonly Row[] = [
  ...rows({
    "PreToolUse: continue:false beats an allow": [
      "seed 001 edge: conflict, design §4.6",
      { out: { ...ALLOW, ...STOP } },
      STOPPED,
    ],
    "PreToolUse: continue:false beats a deny": [
      "seed 001 edge: conflict, seed 001 FR-012, design §4.6",
      { out: { ...DENY, ...STOP } },
      STOPPED,
    ],
  }),
  ...(["PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"] as const).flatMap((event): Row[] => [
    row(
      "seed 001 FR-012, design §4.6",
      `${event}: continue:false beats a block at the top level on ${event}`,
      { out: { decision: "block", reason: "lint failed", ...STOP } },
      STOPPED,
    ),
    row(
      "seed 001 FR-012, design §4.6",
      `${event}: continue:false beats a block inside hookSpecificOutput on ${event}`,
      { out: specific(event, { decision: "block", reason: "lint failed" }, STOP) },
      STOPPED,
    ),
  ]),
  ...rows({
    "PreToolUse: continue:false beats exit 2": [
      "seed 001 FR-012, design §4.6",
      { out: STOP, err: "not shown", exit: 2 },
      STOPPED,
    ],
    "PreToolUse: continue:false with context and a rewrite carries neither": [
      "seed 001 FR-012, design §4.6",
      { out: specific("PreToolUse", { updatedInput: REWRITE, additionalContext: "branch: main" }, STOP) },
      STOPPED,
    ],
  }),
];

/** User stories 3 to 5: what each event may answer, in the wave dialect. */

const PERMISSION: readonly Row[] = rows({
  "PreToolUse: an allow's reason is for the user alone": [
    "seed 001 FR-006, seed 001 US3.1, seed 001 FR-014, seed 001 SC-002, design §6 allow and ask",
    { out: permission("allow", "read only") },
    { kind: "allow", reason: "read only", messages: ["user text: read only"] },
  ],
  "PreToolUse: a deny's reason is for the agent alone": [
    "seed 001 FR-006, seed 001 US3.2, seed 001 FR-014, seed 001 SC-002, design §6 deny",
    { out: DENY },
    denied("not here"),
  ],
  "PreToolUse: an ask shows its reason to the user and is not blocked": [
    "seed 001 FR-006, seed 001 US3.3, seed 001 FR-014, seed 001 SC-002, seed 000 §3 ask, design §6 allow and ask",
    { out: ASK },
    asked("sure?"),
  ],
  "PreToolUse: an allow with a new input runs the new input": [
    "seed 001 FR-006, seed 001 US3.4, seed 001 SC-002",
    { out: specific("PreToolUse", { permissionDecision: "allow", updatedInput: REWRITE }) },
    { kind: "allow", updatedInput: REWRITE },
  ],
  "PreToolUse: a new input alone rewrites without allowing": [
    "seed 001 US3.4, seed 001 SC-002, design §4.2 optional fields",
    { out: specific("PreToolUse", { updatedInput: REWRITE }) },
    { updatedInput: REWRITE },
  ],
  "PreToolUse: an ask with a new input asks about the new input": [
    "seed 001 US3.3, seed 001 US3.4, seed 000 §3 ask",
    { out: permission("ask", "sure?", { updatedInput: REWRITE }) },
    asked("sure?", { updatedInput: REWRITE }),
  ],
});

const FEEDBACK: readonly Row[] = rows({
  "PostToolUse: a PostToolUse block prompts the agent with its reason": [
    "seed 001 FR-007, seed 001 US4.1, seed 001 SC-002, design §6 reason of a block",
    { out: { decision: "block", reason: "lint failed" } },
    resultBlocked("lint failed"),
  ],
  "PostToolUse: PostToolUse context reaches the agent": [
    "seed 001 FR-007, seed 001 US4.2, seed 001 SC-002, design §6 additionalContext",
    { out: specific("PostToolUse", { additionalContext: "650 lines" }) },
    context("650 lines"),
  ],
  "PostToolUse: a PostToolUse block may carry context as well": [
    "seed 001 FR-007, seed 001 US4.1, seed 001 US4.2",
    {
      out: specific(
        "PostToolUse",
        { additionalContext: "650 lines" },
        { decision: "block", reason: "lint failed" },
      ),
    },
    resultBlocked("lint failed", { also: ["agent hook: 650 lines"] }),
  ],
  "PostToolUse: a PostToolUse hook without a decision prompts nobody": [
    "seed 001 FR-007, seed 001 US4.3",
    { out: specific("PostToolUse", {}, { reason: "not used" }) },
    { diagnostics: ["output-words-unused at reason"] },
  ],
  "UserPromptSubmit: a blocked prompt's reason is for the user alone": [
    "seed 001 FR-008, seed 001 US5.1, seed 001 SC-002, design §6 blocked prompt",
    { out: { decision: "block", reason: "no secrets" } },
    promptBlocked("no secrets"),
  ],
  "UserPromptSubmit: a blocked prompt carries no context": [
    "seed 001 FR-008, seed 001 US5.1, seed 001 US5.2",
    {
      out: specific(
        "UserPromptSubmit",
        { additionalContext: "branch: main" },
        { decision: "block", reason: "no secrets" },
      ),
    },
    promptBlocked("no secrets"),
  ],
  "UserPromptSubmit: context of a prompt that goes through reaches the agent": [
    "seed 001 FR-008, seed 001 US5.2, seed 001 FR-015, seed 001 SC-002",
    { out: specific("UserPromptSubmit", { additionalContext: "branch: main" }) },
    context("branch: main"),
  ],
  "Stop: a blocked stop hands its reason to the agent": [
    "seed 001 FR-009, seed 001 US5.3, seed 001 SC-002, design §6 reason of a block",
    { out: { decision: "block", reason: "tests first" } },
    goesOn("tests first"),
  ],
  "Stop: words beside an approve say nothing, and the author can see it": [
    "seed 001 FR-009, seed 001 SC-002",
    { out: { decision: "approve", reason: "all passed" } },
    {
      diagnostics: ["output-words-unused at reason"],
      mentions: [
        "`reason` was ignored: it says nothing with an approve. Leave it out, or say it in systemMessage",
      ],
    },
  ],
  "Stop: a stop hook without a decision lets the agent stop": [
    "seed 001 FR-009, seed 001 SC-002",
    { out: specific("Stop", {}) },
    {},
  ],
});

export const ROWS_001: readonly Row[] = [
  ...EXIT,
  ...COMMON,
  ...PRECEDENCE,
  ...CONFLICTS,
  ...PERMISSION,
  ...FEEDBACK,
];
