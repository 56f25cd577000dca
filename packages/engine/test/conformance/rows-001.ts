import { COMMON_EVENT_NAMES } from "@belay/core/internal";
import type { EventName } from "@belay/engine";
import { fixture } from "../scratch.ts";
import {
  ALLOW,
  ASK,
  asked,
  context,
  DENY,
  denied,
  type Expect,
  faulty,
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
  unnamed,
} from "./row.ts";

/** Seed 001, user story 1: what exit codes say, on every event. */

const refusedCall: Expect = denied("stop it");
const blockedStop: Expect = goesOnByStderr("stop it");
const shown: Expect = { action: "error-displayed", messages: ["user error: stop it"] };

/** Exit 2 with words on stderr, as the wave dialect reads it. */
const EXIT_2: Record<(typeof COMMON_EVENT_NAMES)[number], Expect> = {
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
  ...COMMON_EVENT_NAMES.filter((event) => event !== "UserPromptSubmit").map((event) =>
    row(
      "seed 001 FR-001, seed 001 US1.1",
      `${event}: plain stdout of ${event} is nobody's`,
      { out: "all is well\n", err: "a log line" },
      {},
    ),
  ),
  ...COMMON_EVENT_NAMES.map((event) =>
    row(
      `seed 001 FR-002, seed 001 US1.2${FOUR.includes(event) ? ", seed 001 FR-013" : ""}`,
      `${event}: exit 2 on ${event}`,
      { out: "not this", err: "stop it\n", exit: 2 },
      EXIT_2[event],
    ),
  ),
  ...COMMON_EVENT_NAMES.flatMap((event) =>
    [1, 3, 255].map((exit) =>
      row(
        "seed 001 FR-003, seed 001 US1.3",
        `${event}: exit ${exit} on ${event} is shown and work goes on`,
        { out: "not this", err: "could not look\n", exit },
        { action: "error-displayed", messages: ["user error: could not look"] },
      ),
    ),
  ),
  ...COMMON_EVENT_NAMES.map((event) =>
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
  ...COMMON_EVENT_NAMES.map((event) =>
    row(
      "seed 001 FR-004, seed 001 US2.1, seed 001 SC-002",
      `${event}: continue:false stops on ${event}`,
      { out: STOP },
      STOPPED,
    ),
  ),
  ...COMMON_EVENT_NAMES.map((event) =>
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

/** Seed 001: output that is malformed or does not suit its event. */

const MALFORMED: Expect = faulty("output-malformed");

/** Each begins like an object and is none. */
const BROKEN: readonly string[] = [
  "{",
  "{]",
  "{{}",
  "{}}",
  '{"decision"}',
  '{"decision":}',
  '{"decision": block}',
  "{'decision': 'block'}",
  '{decision: "block"}',
  '{"decision": "block", }',
  '{"decision": "block" "reason": "x"}',
  '{"decision": "block", "reason": "x"',
  '{"decision": "block", "reason": "x}',
  '{"decision": "a line\nbreak"}',
  '{"decision": "\\x41"}',
  '{"decision": "\\u12"}',
  '{"decision": 01}',
  '{"decision": NaN}',
  '{"decision": undefined}',
  '{"decision": .5}',
  '{"decision": tru}',
  "{ shell: syntax error near unexpected token }",
  `{"a":${"[".repeat(5000)}`,
  `${"{".repeat(2000)}`,
];

/** What is wrong with some of them, and where. */
const POSITIONS: readonly (readonly [text: string, problem: string])[] = [
  ["{oops", "unexpected text at character 2 of line 1"],
  ['{"decision": "block"\n "reason": "x"}', "unexpected text at character 2 of line 2"],
  ['{\n\n  "decision": tru}', "unexpected text at character 15 of line 3"],
  ["{}}", "unexpected text at character 3 of line 1"],
  ['{"decision": "block", "reason": "x"', "it ends too early"],
];

/** An answer the event cannot give is ignored, with a diagnostic. */
const SUITS: readonly Row[] = (
  [
    ["permissionDecision", "deny", ["PostToolUse", "UserPromptSubmit"]],
    ["permissionDecision", "allow", ["Stop"]],
    ["updatedInput", { command: "ls" }, ["PostToolUse"]],
    ["updatedPrompt", "shorter", ["PreToolUse"]],
    ["additionalContext", "branch: main", ["SessionEnd", "Notification", "PermissionRequest"]],
    ["decision", "block", ["SessionStart", "SessionEnd", "PreCompact", "Notification"]],
    ["decision", "approve", ["PostToolUse", "UserPromptSubmit", "PreToolUse"]],
  ] as const
).flatMap(([field, value, events]) =>
  events.map((event) =>
    row(
      "seed 001 FR-011, seed 001 edge: fields per event, design §4.3 cannot answer",
      `${event}: ${event} cannot answer ${field} ${JSON.stringify(value)}`,
      { out: specific(event, { [field]: value, ...(value === "block" && { reason: "x" }) }) },
      { warns: [`output-cannot-answer at hookSpecificOutput.${field}`] },
    ),
  ),
);

/**
 * Seed 001 SC-003 and SC-004: the worst outputs within the cap, and every combination of exit code and output. SC-003's
 * 100 ms are held by bench/, where the machine is quiet; here a multiple of what JSON.parse takes for as much.
 */

const repeat = (text: string, bytes = 102_400) => `yes '${text}' | tr -d '\\n' | head -c ${bytes}`;

const WORST: readonly [says: string, command: string, expect: Expect][] = [
  ["opening braces", repeat("{"), MALFORMED],
  ["objects within objects", repeat('{"a":'), MALFORMED],
  ["objects within lists", repeat('{"a":[').concat("; true"), MALFORMED],
  ["braces in prose", repeat("a {b"), {}],
  ["quotes and braces in prose", repeat('x{"'), {}],
  ["objects that break off", repeat('a{"b":1,'), {}],
  ["half strings", repeat('a{"b'), {}],
  ["backslashes in a string", `printf '{"a":"'; ${repeat("\\\\", 100_000)}`, MALFORMED],
  [
    "thousands of answers",
    `yes '{"systemMessage":"x"}' | head -n 4600`,
    { mixed: true, messages: [`user warn: ${Array.from({ length: 4600 }, () => "x").join("\n")}`] },
  ],
];

const SCALE: readonly Row[] = WORST.map(([says, command, expect]) =>
  row(
    "seed 001 SC-003, seed 001 SC-005",
    `PreToolUse: 100 KB of ${says}`,
    { command },
    { ...expect, isQuick: true },
  ),
);

const BLOCK = { decision: "block", reason: "json" };

const COMBINATIONS = {
  PreToolUse: [permission("deny", "json"), denied("json"), denied("err"), {}],
  PostToolUse: [BLOCK, resultBlocked("json"), resultBlockedByStderr("err"), {}],
  UserPromptSubmit: [
    BLOCK,
    promptBlocked("json"),
    promptBlocked("err"),
    { action: "context-injected", messages: ["agent text: plain"] },
  ],
  Stop: [BLOCK, goesOn("json"), goesOnByStderr("err"), {}],
} as const;
const error: Expect = { action: "error-displayed", messages: ["user error: err"] };

const COMBINED: readonly Row[] = Object.entries(COMBINATIONS).flatMap(
  ([event, [out, byJson, byExit, plain]]) =>
    (
      [
        [0, "plain", plain],
        [0, {}, {}],
        [0, out, byJson],
        [2, "plain", byExit],
        [2, {}, byExit],
        [2, out, byJson],
        [1, "plain", error],
        [1, {}, error],
        [1, out, byJson],
      ] as const
    ).map(([exit, printed, expect]) =>
      row(
        "seed 001 SC-004",
        `${event as keyof typeof COMBINATIONS}: exit ${exit} with ${JSON.stringify(printed)}`,
        { out: printed, err: "err", exit },
        expect,
      ),
    ),
);

export const ROWS_001_BAD: readonly Row[] = [
  ...POSITIONS.map(([text, problem]) =>
    row(
      "seed 001 FR-010, design §4.3 malformed",
      `PostToolUse: where ${JSON.stringify(text)} is broken`,
      { out: text },
      {
        ...MALFORMED,
        mentions: [
          `its output begins like JSON but is not JSON: ${problem}; the exit code decided. Print one JSON object and nothing else`,
        ],
      },
    ),
  ),
  ...BROKEN.map((text) =>
    row(
      "seed 001 SC-005, seed 001 FR-010, seed 001 edge: malformed, design §4.3 malformed",
      `PostToolUse: malformed, exit 0: ${text.slice(0, 40)}`,
      { out: text },
      MALFORMED,
    ),
  ),
  ...(["PreToolUse", "UserPromptSubmit", "SessionStart", "Notification"] as const).map((event) =>
    row(
      "seed 001 SC-005, seed 001 FR-010, seed 001 edge: malformed, design §4.3 malformed",
      `${event}: malformed is never context`,
      { out: '{"systemMessage": "half' },
      MALFORMED,
    ),
  ),
  ...rows({
    "PostToolUse: malformed, by a program that ends well": [
      "seed 001 FR-010, seed 001 edge: malformed, design §4.3 malformed",
      { command: fixture("bad-json") },
      MALFORMED,
    ],
    "PreToolUse: malformed with exit 2 blocks by its stderr, and the user is told": [
      "seed 001 FR-010, seed 001 edge: malformed, design §4.3 malformed, design §4.9 exit 2 stands",
      { out: '{"decision":', err: "not here", exit: 2 },
      denied("not here", {
        fault: "output-malformed",
        read: "exit-code",
      }),
    ],
    "PreToolUse: malformed with exit 1 shows stderr, and the user is told what was wrong": [
      "seed 001 FR-010, seed 001 edge: malformed, design §4.3 malformed",
      { out: '{"decision":', err: "traceback", exit: 1 },
      { ...MALFORMED, messages: ["user error: traceback"] },
    ],
    "UserPromptSubmit: a list is no object and no beginning of one: plain text": [
      "seed 001 FR-010, design §4.2 one object",
      { out: '["decision", "block"]' },
      { action: "context-injected", messages: ['agent text: ["decision", "block"]'] },
    ],
    "PreToolUse: a JSON string is plain text": [
      "seed 001 FR-010, design §4.2 one object",
      { out: '"deny"' },
      {},
    ],

    "PreToolUse: an answer meant for another event is set aside, and said": [
      "seed 001 FR-011, seed 001 edge: fields per event, design §4.3 wrong event",
      { out: specific("PostToolUse", { permissionDecision: "deny" }) },
      faulty("output-wrong-event at hookSpecificOutput.hookEventName", { read: "json" }),
    ],
    "PreToolUse: what is set aside leaves exit 2 in force": [
      "seed 001 FR-011, design §4.3 wrong event",
      { out: unnamed({ permissionDecision: "allow" }), err: "not here", exit: 2 },
      denied("not here", {
        fault: "output-wrong-event at hookSpecificOutput.hookEventName",
        read: "json",
      }),
    ],
  }),
  ...SUITS,
  ...SCALE,
  ...COMBINED,
];
