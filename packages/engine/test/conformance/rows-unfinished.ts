import { ALLOW, DENY, type Expect, type Row } from "./row.ts";

/** DESIGN §4.4 and §4.8: what a hook had printed when it died or reached its limit, and output that was cut. */

const WITHHELD =
  "agent tool: blocked by hook h; its words went to the user only, because its output was not one sound answer";

const mixed: Expect = {
  messages: ["user warn: <output-mixed>"],
  diagnostics: ["output-mixed"],
  runs: ["mixed"],
};
const denied: Expect = {
  ...mixed,
  action: "block-tool",
  kind: "deny",
  reason: "not here",
  messages: [WITHHELD, "user warn: hook h says: not here", "user warn: <output-mixed>"],
};
const json = JSON.stringify;
const noWords = "blocked by hook h: no reason given";
const dies = (out: string, after: string) => ({ out, after });
const killed = (expect: Expect): Expect => ({
  ...expect,
  diagnostics: [...(expect.diagnostics ?? []), "run-killed"],
  runs: ["mixed fault run-killed"],
});

const UNFINISHED: readonly Row[] = [
  {
    ref: "DESIGN §4.4 unfinished",
    says: "a deny that was printed before the hook was killed stands",
    event: "PreToolUse",
    hook: dies(json(DENY), "kill -KILL $$"),
    expect: killed({
      ...denied,
      messages: [
        WITHHELD,
        "user warn: hook h says: not here",
        "user error: <run-killed>",
        "user warn: <output-mixed>",
      ],
    }),
  },
  {
    ref: "DESIGN §4.4 unfinished",
    says: "an allow that was printed before the hook was killed does not",
    event: "PreToolUse",
    hook: dies(json(ALLOW), "kill -TERM $$"),
    expect: killed({
      ...mixed,
      action: "error-displayed",
      messages: ["user error: <run-killed>", "user warn: <output-mixed>"],
    }),
  },
  {
    ref: "DESIGN §4.4 unfinished",
    says: "half a deny counts up to its last whole member",
    event: "PreToolUse",
    hook: dies(json(DENY).replace(/here.*/, ""), "kill -KILL $$"),
    expect: killed({
      ...denied,
      reason: noWords,
      messages: [`agent tool: ${noWords}`, "user error: <run-killed>", "user warn: <output-mixed>"],
    }),
  },
  {
    ref: "DESIGN §4.4 unfinished",
    says: "plain text of a hook that was killed is no context",
    event: "UserPromptSubmit",
    hook: dies("half of the conte", "kill -KILL $$"),
    expect: {
      action: "error-displayed",
      messages: ["user error: <run-killed>"],
      diagnostics: ["run-killed"],
      runs: ["exit-code fault run-killed"],
    },
  },
  {
    ref: "DESIGN §4.4 unfinished",
    says: "a deny that was printed before the limit stands",
    event: "PreToolUse",
    hook: { out: DENY, after: "exec sleep 20", timeout: 0.4 },
    expect: {
      ...denied,
      messages: [
        WITHHELD,
        "user warn: hook h says: not here",
        "user error: <run-timed-out>",
        "user warn: <output-mixed>",
      ],
      diagnostics: ["output-mixed", "run-timed-out"],
      runs: ["mixed fault run-timed-out"],
      facts: [{ timedOut: true }],
    },
  },
  {
    ref: "DESIGN §4.4 unfinished",
    says: "an allow that was printed before the limit does not",
    event: "PreToolUse",
    hook: { out: ALLOW, after: "exec sleep 20", timeout: 0.4 },
    expect: {
      ...mixed,
      action: "error-displayed",
      messages: ["user error: <run-timed-out>", "user warn: <output-mixed>"],
      diagnostics: ["output-mixed", "run-timed-out"],
      runs: ["mixed fault run-timed-out"],
    },
  },
  {
    ref: "DESIGN §4.4 unfinished",
    says: "plain text of a hook that reached its limit is no context, even when it then exits with 0",
    event: "UserPromptSubmit",
    hook: { command: "trap 'exit 0' TERM; echo 'half of it'; sleep 20 & wait", timeout: 0.4 },
    expect: {
      action: "error-displayed",
      messages: ["user error: <run-timed-out>"],
      diagnostics: ["run-timed-out"],
      runs: ["exit-code fault run-timed-out"],
      facts: [{ timedOut: true, exitCode: 0, stdout: "half of it\n" }],
    },
  },
];

const CUT: readonly Row[] = [
  {
    ref: "DESIGN §4.8",
    says: "a character is never cut in the middle",
    event: "UserPromptSubmit",
    limits: { outputCap: 5 },
    hook: { out: "éééé" },
    expect: {
      action: "context-injected",
      messages: ["agent text: éé", "user warn: <output-truncated>"],
      diagnostics: ["output-truncated"],
      facts: [{ stdout: "éé", truncated: true }],
    },
  },
  {
    ref: "DESIGN §4.8",
    says: "a whole stdout beside a cut stderr is still whole",
    event: "PreToolUse",
    limits: { outputCap: 200 },
    hook: { out: ALLOW, err: "x".repeat(500) },
    expect: {
      kind: "allow",
      messages: ["user warn: <output-truncated>"],
      diagnostics: ["output-truncated"],
      runs: ["json"],
      facts: [{ truncated: true }],
    },
  },
  {
    ref: "DESIGN §4.8",
    says: "a whole object before the cut can only restrict",
    event: "PreToolUse",
    limits: { outputCap: 200 },
    hook: { out: `${json(ALLOW)}${" ".repeat(500)}` },
    expect: {
      ...mixed,
      messages: ["user warn: <output-mixed>", "user warn: <output-truncated>"],
      diagnostics: ["output-mixed", "output-truncated"],
    },
  },
];

export const ROWS_UNFINISHED: readonly Row[] = [...UNFINISHED, ...CUT];
