import { all, cells, json, shown } from "./dialect-cells.ts";
import { type Expect, type Row, specific } from "./row.ts";

/** DESIGN §7, the table of settings: stdout, stderr of exit 2, compaction, context on a stop. */

const context: Expect = { action: "context-injected", messages: ["agent text: branch: main"] };
const transcript: Expect = { messages: ["user text: branch: main"] };

const STDOUT = [
  ...cells("plain stdout", "UserPromptSubmit", { out: "branch: main" }, all(context)),
  ...cells(
    "plain stdout",
    "SessionStart",
    { out: "branch: main" },
    {
      wave: {},
      "session-hooks": transcript,
      pact: context,
      "claude-code": context,
    },
  ),
  ...(
    ["PreToolUse", "PostToolUse", "Stop", "SubagentStop", "SessionEnd", "PreCompact", "Notification"] as const
  ).flatMap((event) => [
    ...cells("other stdout", event, { out: "branch: main" }, { ...all({}), "session-hooks": transcript }),
    ...cells(
      "other stdout",
      event,
      { out: {} },
      {
        ...all(json),
        "session-hooks": { ...json, messages: ["user text: {}"] },
      },
    ),
    ...cells("other stdout", event, { out: { suppressOutput: true } }, all(json)),
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
  ...json,
  messages: ["user warn: <output-cannot-answer>"],
  diagnostics: ["output-cannot-answer at decision"],
};

const NOTICES = [
  ...(["SessionStart", "SessionEnd", "Notification"] as const).flatMap((event) =>
    cells(
      "stderr of exit 2 without a refusal",
      event,
      { err: "no", exit: 2 },
      {
        ...all(toUser),
        "session-hooks": toAgent,
      },
    ),
  ),
  ...cells(
    "PreCompact",
    "PreCompact",
    { err: "no", exit: 2 },
    {
      wave: toUser,
      "session-hooks": toAgent,
      pact: toUser,
      "claude-code": compactBlocked,
    },
  ),
  ...cells(
    "PreCompact",
    "PreCompact",
    { out: REFUSE },
    {
      wave: cannot,
      "session-hooks": { ...cannot, messages: [shown(REFUSE), ...(cannot.messages ?? [])] },
      pact: cannot,
      "claude-code": { ...compactBlocked, ...json },
    },
  ),
];

const CONTEXT_ON_STOP = (["Stop", "SubagentStop"] as const).flatMap((event) => {
  const out = specific(event, { additionalContext: "look again" });
  const block: Expect = {
    ...json,
    action: "block-stop",
    kind: "block",
    reason: "look again",
    messages: ["agent hook: look again"],
  };
  return cells(
    "additionalContext on a stop",
    event,
    { out },
    {
      wave: {
        ...json,
        messages: ["user warn: <output-cannot-answer>"],
        diagnostics: ["output-cannot-answer at hookSpecificOutput.additionalContext"],
      },
      "session-hooks": { ...block, messages: ["agent hook: look again", shown(out)] },
      pact: { ...json, action: "context-injected", messages: ["agent hook: look again"] },
      "claude-code": block,
    },
  );
});

export const ROWS_DIALECTS_STREAMS: readonly Row[] = [...STDOUT, ...NOTICES, ...CONTEXT_ON_STOP];
