import type { EventName } from "@belay/engine";
import { type Expect, type Row, unnamed } from "./row.ts";

/** Seed 002 in the dialect session-hooks: exit codes, hooks of type json and command, the size limit, common patterns. */

const denied: Expect = { action: "block-tool", kind: "deny", reason: "no", messages: ["agent tool: no"] };
const goesOn: Expect = { action: "block-stop", kind: "block", reason: "no", messages: ["agent text: no"] };
const toAgent: Expect = { action: "error-displayed", messages: ["agent text: no"] };

const EXIT_2: Partial<Record<EventName, Expect>> = {
  PreToolUse: denied,
  PermissionRequest: denied,
  PostToolUse: { action: "error-displayed", kind: "block", reason: "no", messages: ["agent tool: no"] },
  UserPromptSubmit: { action: "block-prompt", kind: "block", reason: "no", messages: ["user error: no"] },
  Stop: goesOn,
  SubagentStop: goesOn,
  SessionStart: toAgent,
  SessionEnd: toAgent,
  PreCompact: toAgent,
  Notification: toAgent,
};

const EXITS: readonly Row[] = (Object.entries(EXIT_2) as [EventName, Expect][]).flatMap(
  ([event, refused]): Row[] => [
    {
      ref: "002 exit 0",
      says: `plain stdout of ${event}`,
      event,
      dialect: "session-hooks",
      hook: { out: "looked at it\n", err: "a log line" },
      expect:
        event === "UserPromptSubmit"
          ? { action: "context-injected", messages: ["agent text: looked at it"] }
          : { messages: ["user text: looked at it"] },
    },
    {
      ref: "002 exit 2",
      says: `stderr of ${event}`,
      event,
      dialect: "session-hooks",
      hook: { out: "not this", err: "no", exit: 2 },
      expect: refused,
    },
    {
      ref: "002 exit other",
      says: `work goes on after ${event}`,
      event,
      dialect: "session-hooks",
      hook: { out: "not this", err: "broken", exit: 1 },
      expect: { action: "error-displayed", messages: ["user error: broken"] },
    },
  ],
);

const BLOCK = { decision: "block", reason: "tests first" };
const blocked: Expect = {
  action: "block-stop",
  kind: "block",
  reason: "tests first",
  messages: ["agent hook: tests first"],
  runs: ["json"],
};
const shown = (out: object) => `user text: ${JSON.stringify(out)}`;
const withShown = (expect: Expect, out: object): Expect => ({
  ...expect,
  messages: [...(expect.messages ?? []), shown(out)],
});

const HOOK_TYPES: readonly Row[] = [
  {
    ref: "002 json type",
    says: "the json object is the output",
    event: "Stop",
    dialect: "session-hooks",
    hook: { json: BLOCK, exitcode: 0 },
    expect: { ...withShown(blocked, BLOCK), facts: [{ exitCode: 0, stdout: JSON.stringify(BLOCK) }] },
  },
  {
    ref: ["002 json type", "002 exit 2"],
    says: "exitcode 2 blocks where the json is silent",
    event: "Stop",
    dialect: "session-hooks",
    hook: { json: {}, exitcode: 2 },
    expect: {
      action: "block-stop",
      kind: "block",
      reason: "blocked by hook h: no reason given",
      messages: ["agent text: blocked by hook h: no reason given"],
      runs: ["json"],
    },
  },
  {
    ref: ["002 json type", "002 exit 2", "DESIGN §4.2 no words"],
    says: "exitcode 2 without stderr borrows the systemMessage",
    event: "PreToolUse",
    dialect: "session-hooks",
    hook: { json: { systemMessage: "not here" }, exitcode: 2 },
    expect: {
      action: "block-tool",
      kind: "deny",
      reason: "not here",
      messages: ["agent tool: not here"],
      runs: ["json"],
    },
  },
  {
    ref: ["002 json type", "002 exit other"],
    says: "exitcode 1 is shown and work goes on",
    event: "PreToolUse",
    dialect: "session-hooks",
    hook: { json: {}, exitcode: 1 },
    expect: {
      action: "error-displayed",
      messages: ["user error: hook h exited with 1 and wrote nothing to stderr"],
      runs: ["json"],
    },
  },
  {
    ref: "002 command type",
    says: "stdout is read as JSON, stderr is only kept",
    event: "Stop",
    dialect: "session-hooks",
    hook: { out: BLOCK, err: "a log line" },
    expect: { ...withShown(blocked, BLOCK), facts: [{ stderr: "a log line" }] },
  },
  {
    ref: "002 blocking stop",
    says: "a json hook without an exitcode",
    event: "Stop",
    dialect: "session-hooks",
    hook: { json: BLOCK },
    expect: withShown(blocked, BLOCK),
  },
  {
    ref: "002 context injection",
    says: "a json hook with a systemMessage",
    event: "UserPromptSubmit",
    dialect: "session-hooks",
    hook: { json: { systemMessage: "house style" } },
    expect: withShown(
      { action: "context-injected", messages: ["agent warn: house style"], runs: ["json"] },
      { systemMessage: "house style" },
    ),
  },
  {
    ref: "002 tool permission control",
    says: "a json hook that denies",
    event: "PreToolUse",
    dialect: "session-hooks",
    hook: { json: unnamed({ permissionDecision: "deny" }, { systemMessage: "not here" }) },
    expect: withShown(
      {
        action: "block-tool",
        kind: "deny",
        reason: "not here",
        messages: ["agent tool: not here"],
        runs: ["json"],
      },
      unnamed({ permissionDecision: "deny" }, { systemMessage: "not here" }),
    ),
  },
  {
    ref: "002 silent logging",
    says: "a hook that keeps its input in a file and prints {}",
    event: "PostToolUse",
    dialect: "session-hooks",
    hook: { command: "tee -a log.json > /dev/null && test -s log.json && echo '{}'" },
    expect: { runs: ["json"], facts: [{ exitCode: 0, stdout: "{}\n" }] },
  },
];

const CAP = 102_400;
const fill = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\0' x`;
const cut = { diagnostics: ["output-truncated"], facts: [{ truncated: true }] } as const;

const SIZE: readonly Row[] = [
  {
    ref: ["002 100 KB", "DESIGN §4.8"],
    says: "plain stdout just within the limit is kept whole",
    event: "UserPromptSubmit",
    dialect: "session-hooks",
    hook: { command: fill(CAP) },
    expect: {
      action: "context-injected",
      messages: [`agent text: ${"x".repeat(CAP)}`],
      facts: [{ truncated: false }],
    },
  },
  {
    ref: ["002 100 KB", "DESIGN §4.8"],
    says: "plain stdout over the limit is cut, and said to be",
    event: "UserPromptSubmit",
    dialect: "session-hooks",
    hook: { command: fill(CAP + 1) },
    expect: {
      ...cut,
      action: "context-injected",
      messages: [`agent text: ${"x".repeat(CAP)}`, "user warn: <output-truncated>"],
    },
  },
  {
    ref: ["002 100 KB", "DESIGN §4.8"],
    says: "stderr over the limit is cut and still denies",
    event: "PreToolUse",
    dialect: "session-hooks",
    hook: { command: `${fill(CAP + 1)} >&2; exit 2` },
    expect: {
      ...cut,
      action: "block-tool",
      kind: "deny",
      reason: "x".repeat(CAP),
      messages: [`agent tool: ${"x".repeat(CAP)}`, "user warn: <output-truncated>"],
    },
  },
  {
    ref: ["002 100 KB", "DESIGN §4.8"],
    says: "a deny stands when its reason is too long",
    event: "PreToolUse",
    dialect: "session-hooks",
    hook: {
      command: `printf %s '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"'; ${fill(CAP)}; printf %s '"}}'`,
    },
    expect: {
      action: "block-tool",
      kind: "deny",
      reason: "blocked by hook h: no reason given",
      messages: [
        "agent tool: blocked by hook h: no reason given",
        "user error: <output-malformed>",
        `user text: ${`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"`.padEnd(CAP, "x")}`,
        "user warn: <output-mixed>",
        "user warn: <output-truncated>",
      ],
      diagnostics: ["output-mixed", "output-malformed", "output-truncated"],
      mentions: ["its output begins like JSON but is not JSON: the cap cut it; only what restricts was read"],
      runs: ["mixed fault output-malformed"],
    },
  },
  {
    ref: ["002 100 KB", "DESIGN §4.8", "DESIGN §4.4 never loosens"],
    says: "an allow does not stand when what follows is too long",
    event: "PreToolUse",
    dialect: "session-hooks",
    hook: {
      command: `printf %s '{"suppressOutput":true,"hookSpecificOutput":{"permissionDecision":"allow","permissionDecisionReason":"'; ${fill(CAP)}; printf %s '"}}'; exit 2`,
      err: "",
    },
    expect: {
      action: "block-tool",
      kind: "deny",
      reason: "blocked by hook h: no reason given",
      messages: [
        "agent tool: blocked by hook h: no reason given",
        "user error: <output-malformed>",
        "user warn: <output-mixed>",
        "user warn: <output-truncated>",
      ],
      diagnostics: ["output-mixed", "output-malformed", "output-truncated"],
      runs: ["mixed fault output-malformed"],
    },
  },
];

export const ROWS_002_HOOKS: readonly Row[] = [...EXITS, ...HOOK_TYPES, ...SIZE];
