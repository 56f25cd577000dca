import { ALLOW, DENY, type Expect, faulty, type Row, rows } from "./row.ts";

/** Design §4.4 and §4.8: what a hook had printed when it died or reached its limit, and output that was cut. */

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

const UNFINISHED: readonly Row[] = rows({
  "PreToolUse: a deny that was printed before the hook was killed stands": [
    "design §4.4 unfinished",
    dies(json(DENY), "kill -KILL $$"),
    killed({
      ...denied,
      messages: [
        WITHHELD,
        "user warn: hook h says: not here",
        "user error: <run-killed>",
        "user warn: <output-mixed>",
      ],
    }),
  ],
  "PreToolUse: an allow that was printed before the hook was killed does not": [
    "design §4.4 unfinished",
    dies(json(ALLOW), "kill -TERM $$"),
    killed({
      ...mixed,
      action: "error-displayed",
      messages: ["user error: <run-killed>", "user warn: <output-mixed>"],
    }),
  ],
  "PreToolUse: half a deny counts up to its last whole member": [
    "design §4.4 unfinished",
    dies(json(DENY).replace(/here.*/, ""), "kill -KILL $$"),
    killed({
      ...denied,
      reason: noWords,
      messages: [`agent tool: ${noWords}`, "user error: <run-killed>", "user warn: <output-mixed>"],
    }),
  ],
  "UserPromptSubmit: plain text of a hook that was killed is no context": [
    "design §4.4 unfinished",
    dies("half of the conte", "kill -KILL $$"),
    faulty("run-killed"),
  ],
  "PreToolUse: a deny that was printed before the limit stands": [
    "design §4.4 unfinished",
    { out: DENY, after: "exec sleep 20", timeout: 0.4 },
    {
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
  ],
  "PreToolUse: an allow that was printed before the limit does not": [
    "design §4.4 unfinished",
    { out: ALLOW, after: "exec sleep 20", timeout: 0.4 },
    {
      ...mixed,
      action: "error-displayed",
      messages: ["user error: <run-timed-out>", "user warn: <output-mixed>"],
      diagnostics: ["output-mixed", "run-timed-out"],
      runs: ["mixed fault run-timed-out"],
    },
  ],
  "UserPromptSubmit: plain text of a hook that reached its limit is no context, even when it then exits with 0":
    [
      "design §4.4 unfinished",
      { command: "trap 'exit 0' TERM; echo 'half of it'; sleep 20 & wait", timeout: 0.4 },
      faulty("run-timed-out", { facts: [{ timedOut: true, exitCode: 0, stdout: "half of it\n" }] }),
    ],
});

const CUT: readonly Row[] = rows({
  "UserPromptSubmit: a character is never cut in the middle": [
    "design §4.8",
    { out: "éééé" },
    {
      action: "context-injected",
      messages: ["agent text: éé", "user warn: <output-truncated>"],
      diagnostics: ["output-truncated"],
      facts: [{ stdout: "éé", truncated: true }],
    },
    { limits: { outputCap: 5 } },
  ],
  "PreToolUse: a whole stdout beside a cut stderr is still whole": [
    "design §4.8",
    { out: ALLOW, err: "x".repeat(500) },
    {
      kind: "allow",
      messages: ["user warn: <output-truncated>"],
      diagnostics: ["output-truncated"],
      facts: [{ truncated: true }],
    },
    { limits: { outputCap: 200 } },
  ],
  "PreToolUse: a whole object before the cut can only restrict": [
    "design §4.8",
    { out: `${json(ALLOW)}${" ".repeat(500)}` },
    {
      ...mixed,
      messages: ["user warn: <output-mixed>", "user warn: <output-truncated>"],
      diagnostics: ["output-mixed", "output-truncated"],
    },
    { limits: { outputCap: 200 } },
  ],
});

export const ROWS_UNFINISHED: readonly Row[] = [...UNFINISHED, ...CUT];
