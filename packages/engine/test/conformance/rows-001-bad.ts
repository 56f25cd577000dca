import { fixture } from "../scratch.ts";
import {
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
  unnamed,
} from "./row.ts";

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
