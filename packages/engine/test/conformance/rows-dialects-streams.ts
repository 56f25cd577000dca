import { all, cells, shown } from "./dialect-cells.ts";
import { context, type Expect, goesOn, type HookSpec, type Row, specific } from "./row.ts";

/** Design §7, the table of settings: stdout, stderr of exit 2, compaction, context on a stop. */

const givenContext: Expect = { action: "context-injected", messages: ["agent text: branch: main"] };
const transcript: Expect = { messages: ["user text: branch: main"] };

const STDOUT = [
  ...cells("plain stdout", "UserPromptSubmit", { out: "branch: main" }, all(givenContext)),
  ...cells(
    "plain stdout",
    "SessionStart",
    { out: "branch: main" },
    { wave: {}, "session-hooks": transcript, pact: givenContext, "claude-code": givenContext },
  ),
  ...(
    ["PreToolUse", "PostToolUse", "Stop", "SubagentStop", "SessionEnd", "PreCompact", "Notification"] as const
  ).flatMap((event) => [
    ...cells("other stdout", event, { out: "branch: main" }, { ...all({}), "session-hooks": transcript }),
    ...cells("other stdout", event, { out: {} }, all({})),
    ...cells("other stdout", event, { out: { suppressOutput: true } }, all({})),
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
const REFUSE = { decision: "block", reason: "no" };
const cannot: Expect = {
  messages: ["user warn: <output-cannot-answer>"],
  diagnostics: ["output-cannot-answer at decision"],
};

const NOTICES = [
  ...(["SessionStart", "SessionEnd", "Notification"] as const).flatMap((event) =>
    cells(
      "stderr of exit 2 without a refusal",
      event,
      { err: "no", exit: 2 },
      { ...all(toUser), "session-hooks": toAgent },
    ),
  ),
  ...cells(
    "PreCompact",
    "PreCompact",
    { err: "no", exit: 2 },
    { wave: toUser, "session-hooks": toAgent, pact: toUser, "claude-code": compactBlocked },
  ),
  ...cells(
    "PreCompact",
    "PreCompact",
    { out: REFUSE },
    {
      wave: cannot,
      "session-hooks": { ...cannot, messages: [shown(REFUSE), ...(cannot.messages ?? [])] },
      pact: cannot,
      "claude-code": { ...compactBlocked },
    },
  ),
];

const CONTEXT_ON_STOP = (["Stop", "SubagentStop"] as const).flatMap((event) => {
  const out = specific(event, { additionalContext: "look again" });
  const block: Expect = goesOn("look again");
  return cells(
    "additionalContext on a stop",
    event,
    { out },
    {
      wave: {
        messages: ["user warn: <output-cannot-answer>"],
        diagnostics: ["output-cannot-answer at hookSpecificOutput.additionalContext"],
      },
      "session-hooks": { ...block, messages: ["agent hook: look again", shown(out)] },
      pact: context("look again"),
      "claude-code": block,
    },
  );
});

const LOOK = specific("Stop", { additionalContext: "look again" });
const LOOK_APPROVED = specific("Stop", { additionalContext: "look again" }, { decision: "approve" });
const LOOK_BLOCKED = specific(
  "Stop",
  { additionalContext: "look again" },
  { decision: "block", reason: "tests first" },
);
const byContext: Expect = { action: "block-stop", kind: "block", reason: "look again" };
const FAILED = "hook h failed and must not (onFailure: block): exited with 1: boom";

/** Context that blocks a stop leaves the exit code in force: says, hook, what comes out. */
const CONTEXT_AND_EXIT: readonly [says: string, hook: HookSpec, expect: Expect][] = [
  [
    "exit 2 blocks with its stderr, and the agent reads the context too",
    { out: LOOK, err: "tests first", exit: 2 },
    { ...byContext, reason: "tests first", messages: ["agent text: tests first", "agent hook: look again"] },
  ],
  [
    "exit 2 without a word takes the context for its words",
    { out: LOOK, exit: 2 },
    { ...byContext, messages: ["agent hook: look again"] },
  ],
  [
    "another exit code shows stderr to the user, and the context still blocks",
    { out: LOOK, err: "boom", exit: 1 },
    { ...byContext, messages: ["agent hook: look again", "user error: boom"] },
  ],
  [
    "onFailure: block counts as it does without an answer, and the agent reads the context too",
    { out: LOOK, err: "boom", exit: 1, onFailure: "block" },
    {
      ...byContext,
      reason: FAILED,
      messages: [
        `agent text: ${FAILED}`,
        "agent hook: look again",
        "user error: hook h: exited with 1: boom",
      ],
      diagnostics: ["run-failure-blocks"],
    },
  ],
  [
    "a block has its own words, and the agent reads the context too; stderr is for the journal",
    { out: LOOK_BLOCKED, err: "boom", exit: 1 },
    { ...byContext, reason: "tests first", messages: ["agent hook: tests first", "agent hook: look again"] },
  ],
  [
    "an approve beside it does not undo the block, and the user is told of the contradiction",
    { out: LOOK_APPROVED, err: "boom", exit: 1 },
    {
      ...byContext,
      messages: ["agent hook: look again", "user warn: <output-approve-and-context>"],
      diagnostics: ["output-approve-and-context"],
    },
  ],
  [
    "context among other text blocks, and its words go to the user only",
    { out: `banner\n${JSON.stringify(LOOK)}`, err: "boom", exit: 1 },
    {
      ...byContext,
      messages: [
        "agent hook: blocked by hook h; its words went to the user only, because its output was not one sound answer",
        "user warn: hook h says: look again",
        "user error: boom",
        "user warn: <output-mixed>",
      ],
      diagnostics: ["output-mixed"],
      runs: ["mixed"],
    },
  ],
];

const CONTEXT_LEAVES_EXIT = (["session-hooks", "claude-code"] as const).flatMap((dialect) =>
  CONTEXT_AND_EXIT.map(
    ([says, hook, expect]): Row => ({
      ref: [`design §7 additionalContext on a stop: ${dialect}`, "design §4.1 silence is not consent"],
      says: `${says} (${dialect})`,
      event: "Stop",
      dialect,
      hook,
      expect,
    }),
  ),
);

export const ROWS_DIALECTS_STREAMS: readonly Row[] = [
  ...STDOUT,
  ...NOTICES,
  ...CONTEXT_ON_STOP,
  ...CONTEXT_LEAVES_EXIT,
];
