import type { EventName } from "@belay/engine";
import {
  denied,
  type Expect,
  goesOn,
  goesOnByStderr,
  promptBlocked,
  type Row,
  resultBlockedByStderr,
  rows,
  unnamed,
} from "./row.ts";

/** Seed 002 in the dialect session-hooks: exit codes, hooks of type json and command, the size limit, common patterns. */

const refusedCall: Expect = denied("no");
const blockedStop: Expect = goesOnByStderr("no");
const toAgent: Expect = { action: "error-displayed", messages: ["agent text: no"] };

const EXIT_2: Partial<Record<EventName, Expect>> = {
  PreToolUse: refusedCall,
  PermissionRequest: refusedCall,
  PostToolUse: resultBlockedByStderr("no"),
  UserPromptSubmit: promptBlocked("no"),
  Stop: blockedStop,
  SubagentStop: blockedStop,
  SessionStart: toAgent,
  SessionEnd: toAgent,
  PreCompact: toAgent,
  Notification: toAgent,
};

const EXITS: readonly Row[] = (Object.entries(EXIT_2) as [EventName, Expect][]).flatMap(
  ([event, refused]): Row[] => [
    {
      ref: "seed 002 exit 0",
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
      ref: "seed 002 exit 2",
      says: `stderr of ${event}`,
      event,
      dialect: "session-hooks",
      hook: { out: "not this", err: "no", exit: 2 },
      expect: refused,
    },
    {
      ref: "seed 002 exit other",
      says: `work goes on after ${event}`,
      event,
      dialect: "session-hooks",
      hook: { out: "not this", err: "broken", exit: 1 },
      expect: { action: "error-displayed", messages: ["user error: broken"] },
    },
  ],
);

const BLOCK = { decision: "block", reason: "tests first" };
const blocked: Expect = goesOn("tests first");
const shown = (out: object) => `user text: ${JSON.stringify(out)}`;
const withShown = (expect: Expect, out: object): Expect => ({
  ...expect,
  messages: [...(expect.messages ?? []), shown(out)],
});

const HOOK_TYPES: readonly Row[] = rows({
  "Stop: the json object is the output": [
    "seed 002 json type",
    { json: BLOCK, exitcode: 0 },
    { ...withShown(blocked, BLOCK), facts: [{ exitCode: 0, stdout: JSON.stringify(BLOCK) }] },
    { dialect: "session-hooks" },
  ],
  "Stop: exitcode 2 blocks where the json is silent": [
    ["seed 002 json type", "seed 002 exit 2"],
    { json: {}, exitcode: 2 },
    goesOnByStderr("blocked by hook h: no reason given"),
    { dialect: "session-hooks" },
  ],
  "PreToolUse: exitcode 2 without stderr borrows the systemMessage": [
    ["seed 002 json type", "seed 002 exit 2", "design §4.2 no words"],
    { json: { systemMessage: "not here" }, exitcode: 2 },
    denied("not here"),
    { dialect: "session-hooks" },
  ],
  "PreToolUse: exitcode 1 is shown and work goes on": [
    ["seed 002 json type", "seed 002 exit other"],
    { json: {}, exitcode: 1 },
    { action: "error-displayed", messages: ["user error: hook h exited with 1 and wrote nothing to stderr"] },
    { dialect: "session-hooks" },
  ],
  "Stop: stdout is read as JSON, stderr is only kept": [
    "seed 002 command type",
    { out: BLOCK, err: "a log line" },
    { ...withShown(blocked, BLOCK), facts: [{ stderr: "a log line" }] },
    { dialect: "session-hooks" },
  ],
  "Stop: a json hook without an exitcode": [
    "seed 002 blocking stop",
    { json: BLOCK },
    withShown(blocked, BLOCK),
    { dialect: "session-hooks" },
  ],
  "UserPromptSubmit: a json hook with a systemMessage": [
    "seed 002 context injection",
    { json: { systemMessage: "house style" } },
    withShown(
      { action: "context-injected", messages: ["agent warn: house style"] },
      { systemMessage: "house style" },
    ),
    { dialect: "session-hooks" },
  ],
  "PreToolUse: a json hook that denies": [
    "seed 002 tool permission control",
    { json: unnamed({ permissionDecision: "deny" }, { systemMessage: "not here" }) },
    withShown(denied("not here"), unnamed({ permissionDecision: "deny" }, { systemMessage: "not here" })),
    { dialect: "session-hooks" },
  ],
  "PostToolUse: a hook that keeps its input in a file and prints {}": [
    "seed 002 silent logging",
    { command: "tee -a log.json > /dev/null && test -s log.json && echo '{}'" },
    { runs: ["json"], facts: [{ exitCode: 0, stdout: "{}\n" }] },
    { dialect: "session-hooks" },
  ],
});

const CAP = 102_400;
const fill = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\0' x`;
const cut = { diagnostics: ["output-truncated"], facts: [{ truncated: true }] } as const;

const SIZE: readonly Row[] = rows({
  "UserPromptSubmit: plain stdout just within the limit is kept whole": [
    ["seed 002 100 KB", "design §4.8"],
    { command: fill(CAP) },
    {
      action: "context-injected",
      messages: [`agent text: ${"x".repeat(CAP)}`],
      facts: [{ truncated: false }],
    },
    { dialect: "session-hooks" },
  ],
  "UserPromptSubmit: plain stdout over the limit is cut, and said to be": [
    ["seed 002 100 KB", "design §4.8"],
    { command: fill(CAP + 1) },
    {
      ...cut,
      action: "context-injected",
      messages: [`agent text: ${"x".repeat(CAP)}`, "user warn: <output-truncated>"],
    },
    { dialect: "session-hooks" },
  ],
  "PreToolUse: stderr over the limit is cut and still denies": [
    ["seed 002 100 KB", "design §4.8"],
    { command: `${fill(CAP + 1)} >&2; exit 2` },
    {
      ...cut,
      action: "block-tool",
      kind: "deny",
      reason: "x".repeat(CAP),
      messages: [`agent tool: ${"x".repeat(CAP)}`, "user warn: <output-truncated>"],
    },
    { dialect: "session-hooks" },
  ],
  "PreToolUse: a deny stands when its reason is too long": [
    ["seed 002 100 KB", "design §4.8"],
    {
      command: `printf %s '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"'; ${fill(CAP)}; printf %s '"}}'`,
    },
    denied("blocked by hook h: no reason given", {
      also: [
        "user error: <output-malformed>",
        `user text: ${`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"`.padEnd(CAP, "x")}`,
        "user warn: <output-mixed>",
        "user warn: <output-truncated>",
      ],
      diagnostics: ["output-mixed", "output-malformed", "output-truncated"],
      mentions: ["its output begins like JSON but is not JSON: the cap cut it; only what restricts was read"],
      runs: ["mixed fault output-malformed"],
    }),
    { dialect: "session-hooks" },
  ],
  "PreToolUse: an allow does not stand when what follows is too long": [
    ["seed 002 100 KB", "design §4.8", "design §4.4 never loosens"],
    {
      command: `printf %s '{"suppressOutput":true,"hookSpecificOutput":{"permissionDecision":"allow","permissionDecisionReason":"'; ${fill(CAP)}; printf %s '"}}'; exit 2`,
      err: "",
    },
    denied("blocked by hook h: no reason given", {
      also: ["user error: <output-malformed>", "user warn: <output-mixed>", "user warn: <output-truncated>"],
      diagnostics: ["output-mixed", "output-malformed", "output-truncated"],
      runs: ["mixed fault output-malformed"],
    }),
    { dialect: "session-hooks" },
  ],
});

export const ROWS_002_HOOKS: readonly Row[] = [...EXITS, ...HOOK_TYPES, ...SIZE];
