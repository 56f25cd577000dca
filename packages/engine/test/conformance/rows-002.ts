import { COMMON_EVENT_NAMES } from "@belay/core/internal";
import type { EventName } from "@belay/engine";
import {
  asked,
  denied,
  type Expect,
  goesOn,
  goesOnByStderr,
  promptBlocked,
  type Row,
  resultBlockedByStderr,
  row,
  rows,
  stopped,
  unnamed,
} from "./row.ts";

/** Seed 002 in the dialect session-hooks: raw stdout of exit 0 is shown in the user's transcript. */

const dialect = "session-hooks";

function said(ref: string, event: EventName, out: object, expect: Expect): Row {
  const shown = Object.keys(out).length > 0 && ({ shown: true } as const);
  return row(
    `seed 002 ${ref}`,
    `${event}: ${JSON.stringify(out)}`,
    { out },
    { ...expect, ...shown },
    { dialect },
  );
}

const NOTE = "keep the tests green";
const note = { systemMessage: NOTE };
const noted: Expect = { action: "context-injected", messages: [`agent warn: ${NOTE}`] };

const GENERAL: readonly Row[] = [
  ...COMMON_EVENT_NAMES.flatMap((event) => [
    said("general", event, { continue: true, suppressOutput: false, ...note }, noted),
    row(
      "seed 002 suppressOutput, design §6 suppressOutput",
      `${event}: suppressOutput keeps stdout out of the transcript, not the systemMessage`,
      { out: { suppressOutput: true, ...note } },
      noted,
      { dialect },
    ),
    said("empty object", event, {}, {}),
  ]),
  said("continue", "PostToolUse", { continue: false }, stopped("stopped by hook h: no reason given")),
  said("continue", "PreToolUse", { continue: false, stopReason: "enough" }, stopped("enough")),
];

const BLOCK = { decision: "block", reason: "tests first" };
const APPROVE = { decision: "approve", reason: "all passed" };
/** An approve has no use for words; their author can see it. */
const unused: Expect = { diagnostics: ["output-words-unused at reason"] };
const blocked = goesOn("tests first");

const STOPS: readonly Row[] = (["Stop", "SubagentStop"] as const).flatMap((event) => [
  said(`${event} block`, event, BLOCK, blocked),
  said(
    `${event} block`,
    event,
    { ...BLOCK, ...note },
    goesOn("tests first", { also: [`agent warn: ${NOTE}`] }),
  ),
  said(`${event} block`, event, { decision: "block", ...note }, goesOn(NOTE)),
  said(`${event} block`, event, { decision: "block" }, goesOn("blocked by hook h: no reason given")),
  said(`${event} approve`, event, APPROVE, unused),
  said(`${event} approve`, event, { ...APPROVE, ...note }, { ...noted, ...unused }),
]);

const INPUT = { file_path: "/safe/notes.txt", content: "clean" };
const refusedCall = denied(NOTE);
const askedUser = asked(NOTE, { also: [`agent warn: ${NOTE}`] });
const answers = (permissionDecision: string, fields: object = {}, common: object = note) =>
  unnamed({ permissionDecision, ...fields }, common);
const EMPTY = { updatedInput: {} };

const PERMISSIONS: readonly Row[] = (["PreToolUse", "PermissionRequest"] as const).flatMap((event) => [
  said(`${event} allow`, event, answers("allow", EMPTY), { ...noted, kind: "allow", ...EMPTY }),
  said(`${event} allow`, event, answers("allow"), { ...noted, kind: "allow" }),
  said(`${event} deny`, event, answers("deny"), refusedCall),
  said(`${event} deny`, event, answers("deny", EMPTY), refusedCall),
  said(`${event} ask`, event, answers("ask"), askedUser),
  said(`${event} ask`, event, answers("ask", EMPTY), { ...askedUser, ...EMPTY }),
]);

const FORMATS: readonly Row[] = [
  said("PreToolUse deny example", "PreToolUse", answers("deny"), refusedCall),
  said("PreToolUse allow example", "PreToolUse", answers("allow", { updatedInput: INPUT }, {}), {
    kind: "allow",
    updatedInput: INPUT,
  }),
  said("PreToolUse ask example", "PreToolUse", answers("ask"), askedUser),
  said("PostToolUse", "PostToolUse", { ...note, suppressOutput: false }, noted),
  said("PostToolUse example", "PostToolUse", note, noted),
  said("UserPromptSubmit", "UserPromptSubmit", unnamed({ updatedPrompt: "shorter" }, note), {
    ...noted,
    updatedPrompt: "shorter",
  }),
  said("UserPromptSubmit example", "UserPromptSubmit", note, noted),
  said("SessionStart", "SessionStart", note, noted),
  said("SessionEnd", "SessionEnd", note, noted),
  said("PreCompact", "PreCompact", note, noted),
  said("Notification", "Notification", note, noted),
  ...(
    [
      ["SessionStart", "one\ntwo\nthree"],
      ["PreCompact", "to keep:\n- the task\n- the next step"],
    ] as const
  ).map(([event, systemMessage]) =>
    said(
      `${event} example`,
      event,
      { systemMessage },
      {
        action: "context-injected",
        messages: [`agent warn: ${systemMessage}`],
      },
    ),
  ),
];

const refused = denied("no");
const blockedStop = goesOnByStderr("no");
const toAgent: Expect = { action: "error-displayed", messages: ["agent text: no"] };

const EXIT_2: Record<(typeof COMMON_EVENT_NAMES)[number], Expect> = {
  PreToolUse: refused,
  PermissionRequest: refused,
  PostToolUse: resultBlockedByStderr("no"),
  UserPromptSubmit: promptBlocked("no"),
  Stop: blockedStop,
  SubagentStop: blockedStop,
  SessionStart: toAgent,
  SessionEnd: toAgent,
  PreCompact: toAgent,
  Notification: toAgent,
};

const EXITS: readonly Row[] = COMMON_EVENT_NAMES.flatMap((event): Row[] => [
  row(
    "seed 002 exit 0",
    `${event}: plain stdout`,
    { out: "looked at it\n", err: "a log line" },
    event === "UserPromptSubmit"
      ? { action: "context-injected", messages: ["agent text: looked at it"] }
      : { shown: "looked at it" },
    { dialect },
  ),
  row("seed 002 exit 2", `${event}: stderr`, { out: "not this", err: "no", exit: 2 }, EXIT_2[event], {
    dialect,
  }),
  row(
    "seed 002 exit other",
    `${event}: work goes on`,
    { out: "not this", err: "broken", exit: 1 },
    { action: "error-displayed", messages: ["user error: broken"] },
    { dialect },
  ),
]);

const HOOK_TYPES: readonly Row[] = rows(
  {
    "Stop: the json object is the output": [
      "seed 002 json type",
      { json: BLOCK, exitcode: 0 },
      { ...blocked, shown: true, facts: [{ exitCode: 0, stdout: JSON.stringify(BLOCK) }] },
    ],
    "Stop: exitcode 2 blocks where the json is silent": [
      "seed 002 json type, seed 002 exit 2",
      { json: {}, exitcode: 2 },
      goesOnByStderr("blocked by hook h: no reason given"),
    ],
    "PreToolUse: exitcode 2 without stderr borrows the systemMessage": [
      "seed 002 json type, seed 002 exit 2, design §4.2 no words",
      { json: { systemMessage: "not here" }, exitcode: 2 },
      denied("not here"),
    ],
    "PreToolUse: exitcode 1 is shown and work goes on": [
      "seed 002 json type, seed 002 exit other",
      { json: {}, exitcode: 1 },
      {
        action: "error-displayed",
        messages: ["user error: hook h exited with 1 and wrote nothing to stderr"],
      },
    ],
    "Stop: stdout is read as JSON, stderr is only kept": [
      "seed 002 command type",
      { out: BLOCK, err: "a log line" },
      { ...blocked, shown: true, facts: [{ stderr: "a log line" }] },
    ],
    "Stop: a json hook without an exitcode": [
      "seed 002 blocking stop",
      { json: BLOCK },
      { ...blocked, shown: true },
    ],
    "UserPromptSubmit: a json hook with a systemMessage": [
      "seed 002 context injection",
      { json: note },
      { ...noted, shown: true },
    ],
    "PreToolUse: a json hook that denies": [
      "seed 002 tool permission control",
      { json: answers("deny") },
      { ...refusedCall, shown: true },
    ],
    "PostToolUse: a hook that keeps its input in a file and prints {}": [
      "seed 002 silent logging",
      { command: "tee -a log.json > /dev/null && test -s log.json && echo '{}'" },
      { read: "json", facts: [{ exitCode: 0, stdout: "{}\n" }] },
    ],
  },
  { dialect },
);

const CAP = 102_400;
const fill = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\0' x`;
const cut = { warns: ["output-truncated"], facts: [{ truncated: true }] } as const;
const ALL = "x".repeat(CAP);
const DENIES = '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"';
const ALLOWS =
  '{"suppressOutput":true,"hookSpecificOutput":{"permissionDecision":"allow","permissionDecisionReason":"';
const tooLong = (start: string) => `printf %s '${start}'; ${fill(CAP)}; printf %s '"}}'`;
const half: Expect = denied("blocked by hook h: no reason given", {
  fault: "output-malformed",
  mixed: true,
  warns: ["output-truncated"],
});

const SIZE: readonly Row[] = rows(
  {
    "UserPromptSubmit: plain stdout just within the limit is kept whole": [
      "seed 002 100 KB, design §4.8",
      { command: fill(CAP) },
      { action: "context-injected", messages: [`agent text: ${ALL}`], facts: [{ truncated: false }] },
    ],
    "UserPromptSubmit: plain stdout over the limit is cut, and said to be": [
      "seed 002 100 KB, design §4.8",
      { command: fill(CAP + 1) },
      { ...cut, action: "context-injected", messages: [`agent text: ${ALL}`] },
    ],
    "PreToolUse: stderr over the limit is cut and still denies": [
      "seed 002 100 KB, design §4.8",
      { command: `${fill(CAP + 1)} >&2; exit 2` },
      denied(ALL, cut),
    ],
    "PreToolUse: a deny stands when its reason is too long": [
      "seed 002 100 KB, design §4.8",
      { command: tooLong(DENIES) },
      {
        ...half,
        shown: DENIES.padEnd(CAP, "x"),
        mentions: [
          "its output begins like JSON but is not JSON: the cap cut it; only what restricts was read",
        ],
      },
    ],
    "PreToolUse: an allow does not stand when what follows is too long": [
      "seed 002 100 KB, design §4.8, design §4.4 never loosens",
      { command: `${tooLong(ALLOWS)}; exit 2` },
      half,
    ],
  },
  { dialect },
);

export const ROWS_002: readonly Row[] = [
  ...GENERAL,
  ...STOPS,
  ...PERMISSIONS,
  ...FORMATS,
  ...EXITS,
  ...HOOK_TYPES,
  ...SIZE,
];
