import type { DialectName, EventName } from "@belay/engine";
import {
  ALLOW,
  ASK,
  asked,
  context,
  denied,
  type Expect,
  faulty,
  goesOn,
  goesOnByStderr,
  type HookSpec,
  permission,
  type Row,
  resultBlocked,
  row,
  specific,
  stopped,
  taken,
  unnamed,
} from "./row.ts";

/** Design §7, the table of settings, each dialect's cell. */

const DIALECTS: readonly DialectName[] = ["wave", "session-hooks", "pact", "claude-code"];

/** One hook, read by each dialect in this order; one expectation is that of all four. */
function cells(
  setting: string,
  event: EventName,
  hook: HookSpec,
  expected: Expect | readonly [wave: Expect, sessionHooks: Expect, pact: Expect, claudeCode: Expect],
): Row[] {
  return DIALECTS.map((dialect, index) =>
    row(
      `design §7 ${setting}: ${dialect}`,
      `${event}: ${JSON.stringify(hook)}`,
      hook,
      "at" in expected ? (expected[index] ?? {}) : expected,
      { dialect },
    ),
  );
}

/** Raw stdout of exit 0 is shown in the transcript of session-hooks. */
const shown = (expect: Expect): Expect => ({ ...expect, shown: true });

const userNote: Expect = { messages: ["user warn: mind it"] };

const SYSTEM_MESSAGE = (["PreToolUse", "PreCompact", "Stop"] as const).flatMap((event) =>
  cells("systemMessage", event, { out: { systemMessage: "mind it" } }, [
    userNote,
    shown({ action: "context-injected", messages: ["agent warn: mind it"] }),
    { action: "context-injected", messages: ["user warn: mind it", "agent warn: mind it"] },
    userNote,
  ]),
);

const overruled: Expect = { warns: ["exit-2-overruled"] };
const allowed: Expect = { ...overruled, kind: "allow" };
const updatedInput = { command: "ls" };
const won = denied("no", { warns: ["exit-2-won"] });
const goesOnInstead = goesOnByStderr("no", { warns: ["exit-2-won"] });
const REFUSED = { err: "no", exit: 2 };

const EXIT_2 = [
  ...cells("JSON against exit 2", "PreToolUse", { out: ALLOW, ...REFUSED }, [allowed, allowed, won, won]),
  ...cells(
    "JSON against exit 2",
    "PreToolUse",
    { out: specific("PreToolUse", { permissionDecision: "allow", updatedInput }), ...REFUSED },
    [{ ...allowed, updatedInput }, { ...allowed, updatedInput }, won, won],
  ),
  ...cells("JSON against exit 2", "PreToolUse", { out: ASK, ...REFUSED }, [
    asked("sure?"),
    asked("sure?"),
    won,
    won,
  ]),
  ...cells("JSON against exit 2", "Stop", { out: { decision: "approve" }, ...REFUSED }, [
    overruled,
    overruled,
    goesOnInstead,
    goesOnInstead,
  ]),
  ...cells(
    "JSON against exit 2",
    "PreToolUse",
    { out: { continue: false, stopReason: "enough" }, ...REFUSED },
    stopped("enough"),
  ),
];

const aside = faulty("output-wrong-event at hookSpecificOutput.hookEventName", { read: "json" });
const UNNAMED = unnamed({ permissionDecision: "deny", permissionDecisionReason: "no" });
const noWords = stopped("stopped by hook h: no reason given");
const noReason = faulty("output-missing at decision");

const REQUIRED_FIELDS = [
  ...cells("hookEventName", "PreToolUse", { out: UNNAMED }, [aside, shown(denied("no")), aside, aside]),
  ...cells("hookEventName", "PreToolUse", { out: specific("Stop", { permissionDecision: "deny" }) }, [
    aside,
    shown(aside),
    aside,
    aside,
  ]),
  ...cells("stopReason", "PostToolUse", { out: { continue: false } }, [
    faulty("output-missing at stopReason"),
    shown(noWords),
    noWords,
    noWords,
  ]),
  ...cells("reason", "PostToolUse", { out: { decision: "block" } }, [
    noReason,
    shown(resultBlocked("blocked by hook h: no reason given")),
    noReason,
    noReason,
  ]),
];

const misplaced = taken("deny", "permissionDecision");
const wrongWord = taken("deny", "decision");

/** A system that is not ours is read as it reads. */
const MISPLACED = [
  ...cells("misplaced restriction", "PreToolUse", { out: { permissionDecision: "deny" } }, [
    misplaced,
    shown(misplaced),
    misplaced,
    { warns: ["output-misplaced-field at permissionDecision"] },
  ]),
  ...cells("misplaced restriction", "PreToolUse", { out: { decision: "deny" } }, [
    wrongWord,
    shown(wrongWord),
    wrongWord,
    faulty("output-invalid at decision"),
  ]),
];

const PLAIN = { out: "branch: main" };
const given: Expect = { action: "context-injected", messages: ["agent text: branch: main"] };

const STDOUT = [
  ...cells("plain stdout", "UserPromptSubmit", PLAIN, given),
  ...cells("plain stdout", "SessionStart", PLAIN, [{}, shown({}), given, given]),
  ...(
    ["PreToolUse", "PostToolUse", "Stop", "SubagentStop", "SessionEnd", "PreCompact", "Notification"] as const
  ).flatMap((event) => [
    ...cells("other stdout", event, PLAIN, [{}, shown({}), {}, {}]),
    ...cells("other stdout", event, { out: {} }, {}),
    ...cells("other stdout", event, { out: { suppressOutput: true } }, {}),
  ]),
];

const toUser: Expect = { action: "error-displayed", messages: ["user error: no"] };
const toAgent: Expect = { action: "error-displayed", messages: ["agent text: no"] };
const compactBlocked: Expect = {
  action: "block-compact",
  kind: "block",
  reason: "no",
  messages: ["user error: no"],
};
const cannot: Expect = { warns: ["output-cannot-answer at decision"] };

const NOTICES = [
  ...(["SessionStart", "SessionEnd", "Notification"] as const).flatMap((event) =>
    cells("stderr of exit 2 without a refusal", event, REFUSED, [toUser, toAgent, toUser, toUser]),
  ),
  ...cells("PreCompact", "PreCompact", REFUSED, [toUser, toAgent, toUser, compactBlocked]),
  ...cells("PreCompact", "PreCompact", { out: { decision: "block", reason: "no" } }, [
    cannot,
    shown(cannot),
    cannot,
    compactBlocked,
  ]),
];

const looksAgain = goesOn("look again");
const look = (event: EventName, common?: object) =>
  specific(event, { additionalContext: "look again" }, common);

const CONTEXT_ON_STOP = (["Stop", "SubagentStop"] as const).flatMap((event) =>
  cells("additionalContext on a stop", event, { out: look(event) }, [
    { warns: ["output-cannot-answer at hookSpecificOutput.additionalContext"] },
    shown(looksAgain),
    context("look again"),
    looksAgain,
  ]),
);

const FAILED = "hook h failed and must not (onFailure: block): exited with 1: boom";
const FAILS = { err: "boom", exit: 1 };
const AGAIN = "agent hook: look again";

/** Context that blocks a stop leaves the exit code in force: says, hook, what comes out. */
const CONTEXT_AND_EXIT: readonly [says: string, hook: HookSpec, expect: Expect][] = [
  [
    "exit 2 blocks with its stderr, and the agent reads the context too",
    { out: look("Stop"), err: "tests first", exit: 2 },
    goesOnByStderr("tests first", { also: [AGAIN] }),
  ],
  ["exit 2 without a word takes the context for its words", { out: look("Stop"), exit: 2 }, looksAgain],
  [
    "another exit code shows stderr to the user, and the context still blocks",
    { out: look("Stop"), ...FAILS },
    goesOn("look again", { also: ["user error: boom"] }),
  ],
  [
    "onFailure: block counts as it does without an answer, and the agent reads the context too",
    { out: look("Stop"), ...FAILS, onFailure: "block" },
    goesOnByStderr(FAILED, {
      also: [AGAIN, "user error: hook h: exited with 1: boom"],
      diagnostics: ["run-failure-blocks"],
    }),
  ],
  [
    "a block has its own words, and the agent reads the context too; stderr is for the journal",
    { out: look("Stop", { decision: "block", reason: "tests first" }), ...FAILS },
    goesOn("tests first", { also: [AGAIN] }),
  ],
  [
    "an approve beside it does not undo the block, and the user is told of the contradiction",
    { out: look("Stop", { decision: "approve" }), ...FAILS },
    goesOn("look again", { warns: ["output-approve-and-context"] }),
  ],
  [
    "context among other text blocks, and its words go to the user only",
    { out: `banner\n${JSON.stringify(look("Stop"))}`, ...FAILS },
    goesOn("look again", {
      messages: [
        "agent hook: blocked by hook h; its words went to the user only, because its output was not one sound answer",
        "user warn: hook h says: look again",
        "user error: boom",
      ],
      mixed: true,
    }),
  ],
];

const CONTEXT_LEAVES_EXIT = (["session-hooks", "claude-code"] as const).flatMap((dialect) =>
  CONTEXT_AND_EXIT.map(([says, hook, expect]) =>
    row(
      `design §7 additionalContext on a stop: ${dialect}, design §4.1 silence is not consent`,
      `Stop: ${says} (${dialect})`,
      hook,
      expect,
      { dialect },
    ),
  ),
);

const IN = "hookSpecificOutput";
const deferral = faulty(`output-invalid at ${IN}.permissionDecision`);
const unknown = (...paths: readonly string[]): Expect => ({
  diagnostics: paths.map((path) => `output-unknown-field at ${path}`),
});
const idle = (...paths: readonly string[]): Expect => ({
  diagnostics: paths.map((path) => `output-not-acted-on at ${path}`),
});

/** What Claude Code's documentation has besides, by event; the values are right. Nothing comes of them here. */
const IDLE: readonly [event: EventName, fields: Readonly<Record<string, unknown>>][] = [
  [
    "SessionStart",
    { initialUserMessage: "go", sessionTitle: "parser", watchPaths: ["/a/.env"], reloadSkills: true },
  ],
  ["UserPromptSubmit", { sessionTitle: "parser", suppressOriginalPrompt: true }],
  ["MessageDisplay", { displayContent: "[hidden]" }],
  ["PostToolUse", { classifierContext: "a dry run" }],
  ["PermissionDenied", { retry: true }],
  ["CwdChanged", { watchPaths: ["/a/.env"] }],
  ["FileChanged", { watchPaths: ["/a/.env"] }],
  ["WorktreeCreate", { worktreePath: "/a/tree" }],
  ["Elicitation", { action: "accept", content: { ticket: "22" } }],
  ["ElicitationResult", { action: "accept", content: { ticket: "22" } }],
];

const redacted = { stdout: "[redacted]", stderr: "" };
const grant = { type: "setMode", mode: "acceptEdits", destination: "session" };
const allows = (fields: object) =>
  specific("PermissionRequest", { decision: { behavior: "allow", ...fields } });

/** A name that the seeds' dialects do not know is unknown there, and has no effect. */
const FURTHER = [
  ...IDLE.flatMap(([event, fields]) => {
    const paths = Object.keys(fields).map((name) => `${IN}.${name}`);
    const other = unknown(...paths);
    const hook = { out: specific(event, fields) };
    return cells("further fields", event, hook, [other, shown(other), other, idle(...paths)]);
  }),
  ...(["Stop", "Notification", "SessionEnd"] as const).flatMap((event) => {
    const other = unknown("terminalSequence");
    const hook = { out: { terminalSequence: "\u0007" } };
    return cells("further fields", event, hook, [other, shown(other), other, idle("terminalSequence")]);
  }),
  ...cells(
    "further fields",
    "PermissionRequest",
    { out: allows({ updatedPermissions: [grant] }) },
    [unknown, (path: string) => shown(unknown(path)), unknown, idle].map((said) => ({
      kind: "allow",
      ...said(`${IN}.decision.updatedPermissions`),
    })) as [Expect, Expect, Expect, Expect],
  ),
  ...cells(
    "further fields",
    "PostToolUse",
    { out: specific("PostToolUse", { updatedToolOutput: redacted }) },
    [
      unknown(`${IN}.updatedToolOutput`),
      shown(unknown(`${IN}.updatedToolOutput`)),
      unknown(`${IN}.updatedToolOutput`),
      { updatedToolOutput: redacted },
    ],
  ),
  ...cells("further fields", "PreToolUse", { out: permission("defer", "later") }, [
    deferral,
    shown(deferral),
    deferral,
    stopped("later", { diagnostics: [`output-read-as at ${IN}.permissionDecision`] }),
  ]),
  ...cells("further fields", "Elicitation", { out: specific("Elicitation", { action: "decline" }) }, [
    unknown(`${IN}.action`),
    shown(unknown(`${IN}.action`)),
    unknown(`${IN}.action`),
    {
      action: "block-step",
      kind: "block",
      reason: "blocked by hook h: no reason given",
      messages: ["user error: blocked by hook h: no reason given"],
      diagnostics: [`output-read-as at ${IN}.action`],
    },
  ]),
];

const claudeCode = (says: string, one: Partial<Row> & Pick<Row, "event">): Row => ({
  ref: "design §7 further fields: claude-code",
  says,
  dialect: "claude-code",
  ...one,
});
const replaces = (value: unknown, common?: object) =>
  specific("PostToolUse", { updatedToolOutput: value }, common);
const ofServer = { out: specific("PostToolUse", { updatedMCPToolOutput: "[redacted]" }) };
const LATER = "rewrite-lost";

const TOOL_OUTPUT: Row[] = [
  claudeCode("updatedMCPToolOutput is for tools of MCP servers", {
    event: "PostToolUse",
    hook: ofServer,
    payload: { tool_name: "mcp__tickets__read" },
    expect: { updatedToolOutput: "[redacted]", read: "json" },
  }),
  claudeCode("updatedMCPToolOutput of another tool is ignored, and the user is told", {
    event: "PostToolUse",
    hook: ofServer,
    expect: { warns: [`output-for-mcp-tools at ${IN}.updatedMCPToolOutput`], read: "json" },
  }),
  claudeCode("a block beside it adds its words; the agent still reads the new result", {
    event: "PostToolUse",
    hook: { out: replaces("[redacted]", { decision: "block", reason: "a secret" }) },
    expect: resultBlocked("a secret", { updatedToolOutput: "[redacted]", read: "json" }),
  }),
  claudeCode("mixed output replaces nothing", {
    event: "PostToolUse",
    hook: { out: `log line\n${JSON.stringify(replaces("[redacted]"))}` },
    expect: { mixed: true },
  }),
  claudeCode("of two new results the later configured counts, and both are told", {
    event: "PostToolUse",
    hooks: [
      { name: "a", out: replaces("one") },
      { name: "b", out: replaces("two") },
    ],
    expect: {
      updatedToolOutput: "two",
      warns: [`${LATER} (a) at updatedToolOutput`, `${LATER} (b) at updatedToolOutput`],
      runs: ["json (a)", "json (b)"],
    },
  }),
  claudeCode("in a sequential group the next hook reads the new result", {
    event: "PostToolUse",
    groups: [
      {
        sequential: true,
        hooks: [
          { name: "a", out: replaces("one") },
          {
            name: "b",
            command: `grep -q '"tool_response":"one"' && printf '%s' '${JSON.stringify(replaces("two"))}'`,
          },
        ],
      },
    ],
    expect: { updatedToolOutput: "two", runs: ["json (a)", "json (b)"] },
  }),
];

export const ROWS_DIALECTS: readonly Row[] = [
  ...SYSTEM_MESSAGE,
  ...EXIT_2,
  ...REQUIRED_FIELDS,
  ...MISPLACED,
  ...STDOUT,
  ...NOTICES,
  ...CONTEXT_ON_STOP,
  ...CONTEXT_LEAVES_EXIT,
  ...FURTHER,
  ...TOOL_OUTPUT,
];
