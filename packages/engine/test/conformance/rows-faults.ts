import {
  ALLOW,
  DENY,
  denied,
  type Expect,
  faulty,
  goesOnByStderr,
  type HookSpec,
  permission,
  promptBlocked,
  type Row,
  resultBlockedByStderr,
  row,
  rows,
  stopped,
  unnamed,
  WITHHELD,
} from "./row.ts";

/** Design §4.9: every kind of fault, let through or read as exit 2. */

const FAULTS: readonly [says: string, hook: HookSpec, fault: string, read?: "json"][] = [
  ["no such command", { command: "./there-is-no-such-hook" }, "run-not-started"],
  ["not executable", { command: ": > plain; ./plain" }, "run-not-started"],
  [
    "a program that its script calls",
    { command: "printf '#!/bin/sh\\n:\\nno-such-program\\n' > s.sh; sh ./s.sh" },
    "run-program-not-started",
  ],
  ["exit 127 of its own", { err: "lost", exit: 127 }, "run-not-started"],
  ["time limit", { command: "exec sleep 20", timeout: 0.2 }, "run-timed-out"],
  ["killed by KILL", { after: "kill -KILL $$" }, "run-killed"],
  ["killed by TERM", { after: "kill -TERM $$" }, "run-killed"],
  ["killed by SEGV", { after: "kill -SEGV $$" }, "run-killed"],
  ["malformed", { out: "{oops" }, "output-malformed"],
  ["invalid", { out: { systemMessage: 7 } }, "output-invalid at systemMessage"],
  ["missing stopReason", { out: { continue: false } }, "output-missing at stopReason"],
  [
    "set aside",
    { out: unnamed({ permissionDecision: "allow" }) },
    "output-wrong-event at hookSpecificOutput.hookEventName",
    "json",
  ],
];

const FAILED = "hook h failed and must not (onFailure: block)";
const blocks = { diagnostics: ["run-failure-blocks"] };

/** Words of the hook's JSON are not for the agent: of an unsound object it reads only where the fault is. */
function forAgent(fault: string): string {
  const [code, at] = fault.split(" at ");
  return at === undefined ? `<${code}>` : `its output is not valid at \`${at}\``;
}

const EACH: readonly Row[] = FAULTS.flatMap(([says, hook, fault, read = "exit-code" as const]) => [
  row(
    "design §4.9 faults",
    `PreToolUse: ${says}: work goes on and the user is told`,
    hook,
    faulty(fault, { read }),
  ),
  row(
    "design §4.9 onFailure",
    `PreToolUse: ${says}: read as exit 2`,
    { ...hook, onFailure: "block" },
    denied(`${FAILED}: ${forAgent(fault)}`, { fault, read, ...blocks }),
  ),
]);

const GUARDED = {
  PreToolUse: denied,
  PermissionRequest: denied,
  PostToolUse: resultBlockedByStderr,
  Stop: goesOnByStderr,
  SubagentStop: goesOnByStderr,
};
const FAILS = { err: "traceback", exit: 1, onFailure: "block" } as const;
const EXITED = `${FAILED}: exited with 1: traceback`;

/** The user is told as well when the refusal goes to the agent. */
const EVENTS: readonly Row[] = [
  ...Object.entries(GUARDED).flatMap(([name, refused]) => {
    const event = name as keyof typeof GUARDED;
    return [
      row(
        "design §4.9 onFailure",
        `${event}: malformed`,
        { out: "{oops", onFailure: "block" },
        refused(`${FAILED}: <output-malformed>`, { fault: "output-malformed", ...blocks }),
      ),
      row(
        "design §4.9 other exits",
        `${event}: exit 1 without an answer`,
        FAILS,
        refused(EXITED, { also: ["user error: hook h: exited with 1: traceback"], ...blocks }),
      ),
    ];
  }),
  row(
    "design §4.9 onFailure",
    "UserPromptSubmit: malformed",
    { out: "{oops", onFailure: "block" },
    promptBlocked(`${FAILED}: <output-malformed>`, {
      diagnostics: ["output-malformed", "run-failure-blocks"],
      runs: ["exit-code fault output-malformed"],
    }),
  ),
  row(
    "design §4.9 other exits",
    "UserPromptSubmit: exit 1 without an answer",
    FAILS,
    promptBlocked(EXITED, blocks),
  ),
  ...(["SessionStart", "SessionEnd", "PreCompact", "Notification"] as const).map((event) =>
    row("design §4.9 no effect", `${event}: onFailure refuses nothing`, FAILS, {
      action: "error-displayed",
      messages: ["user error: traceback"],
    }),
  ),
];

const ANSWERS: readonly Row[] = rows({
  "PreToolUse: {} is no answer": [
    "design §4.9 other exits",
    { out: {}, exit: 1, onFailure: "block" },
    denied(`${FAILED}: exited with 1`, { also: ["user error: hook h: exited with 1"], ...blocks }),
  ],
  "PreToolUse: a JSON allow is an answer, whatever the exit code": [
    "design §4.9 other exits",
    { out: ALLOW, exit: 1, onFailure: "block" },
    { kind: "allow" },
  ],
  "PreToolUse: a JSON deny keeps its words": [
    "design §4.9 other exits",
    { out: DENY, exit: 1, onFailure: "block" },
    denied("not here"),
  ],
  "PreToolUse: silence with exit 0 is no failure": ["design §4.9 onFailure", { onFailure: "block" }, {}],
  "PreToolUse: exit 2 keeps its own words": [
    "design §4.9 onFailure",
    { err: "not here", exit: 2, onFailure: "block" },
    denied("not here"),
  ],
  "PreToolUse: an ask that was printed before the hook was killed becomes a deny": [
    "design §4.9 onFailure",
    { out: permission("ask", "sure?"), after: "kill -KILL $$", onFailure: "block" },
    denied(`${FAILED}: <run-killed>`, { fault: "run-killed", mixed: true, ...blocks }),
  ],
  "PreToolUse: a stop that was printed before the hook was killed stays a stop": [
    "design §4.9 onFailure",
    { out: { continue: false, stopReason: "enough" }, after: "kill -KILL $$", onFailure: "block" },
    stopped("enough", { fault: "run-killed", mixed: true, ...blocks }),
  ],
  "PreCompact: onFailure on PreCompact refuses where the dialect can (claude-code)": [
    "design §4.9 no effect",
    FAILS,
    {
      action: "block-compact",
      kind: "block",
      reason: EXITED,
      messages: [`user error: ${EXITED}`],
      ...blocks,
    },
    { dialect: "claude-code" },
  ],
  "PreToolUse: exit 2 of a hook that ended only at its limit still denies": [
    "design §4.9 exit 2 stands",
    { command: "trap 'echo not here >&2; exit 2' TERM; sleep 20 & wait", timeout: 0.3 },
    denied("not here", { fault: "run-timed-out", facts: [{ timedOut: true, exitCode: 2 }] }),
  ],
});

/** Design §4.4 and §4.8: what a hook had printed when it died or reached its limit, and output that was cut. */

const withheld: Expect = { ...WITHHELD, mixed: true };
const json = JSON.stringify;
const cut = { warns: ["output-truncated"] };

const UNFINISHED: readonly Row[] = rows({
  "PreToolUse: a deny that was printed before the hook was killed stands": [
    "design §4.4 unfinished",
    { out: DENY, after: "kill -KILL $$" },
    { ...withheld, fault: "run-killed" },
  ],
  "PreToolUse: an allow that was printed before the hook was killed does not": [
    "design §4.4 unfinished",
    { out: ALLOW, after: "kill -TERM $$" },
    { mixed: true, fault: "run-killed" },
  ],
  "PreToolUse: half a deny counts up to its last whole member": [
    "design §4.4 unfinished",
    { out: json(DENY).replace(/here.*/, ""), after: "kill -KILL $$" },
    denied("blocked by hook h: no reason given", { mixed: true, fault: "run-killed" }),
  ],
  "UserPromptSubmit: plain text of a hook that was killed is no context": [
    "design §4.4 unfinished",
    { out: "half of the conte", after: "kill -KILL $$" },
    faulty("run-killed"),
  ],
  "PreToolUse: a deny that was printed before the limit stands": [
    "design §4.4 unfinished",
    { out: DENY, after: "exec sleep 20", timeout: 0.4 },
    { ...withheld, fault: "run-timed-out", facts: [{ timedOut: true }] },
  ],
  "PreToolUse: an allow that was printed before the limit does not": [
    "design §4.4 unfinished",
    { out: ALLOW, after: "exec sleep 20", timeout: 0.4 },
    { mixed: true, fault: "run-timed-out" },
  ],
  "UserPromptSubmit: plain text of a hook that reached its limit is no context, even when it then exits with 0":
    [
      "design §4.4 unfinished",
      { command: "trap 'exit 0' TERM; echo 'half of it'; sleep 20 & wait", timeout: 0.4 },
      faulty("run-timed-out", { facts: [{ timedOut: true, exitCode: 0, stdout: "half of it\n" }] }),
    ],
  "UserPromptSubmit: a character is never cut in the middle": [
    "design §4.8",
    { out: "éééé" },
    {
      ...cut,
      action: "context-injected",
      messages: ["agent text: éé"],
      facts: [{ stdout: "éé", truncated: true }],
    },
    { limits: { outputCap: 5 } },
  ],
  "PreToolUse: a whole stdout beside a cut stderr is still whole": [
    "design §4.8",
    { out: ALLOW, err: "x".repeat(500) },
    { ...cut, kind: "allow", facts: [{ truncated: true }] },
    { limits: { outputCap: 200 } },
  ],
  "PreToolUse: a whole object before the cut can only restrict": [
    "design §4.8",
    { out: `${json(ALLOW)}${" ".repeat(500)}` },
    { ...cut, mixed: true },
    { limits: { outputCap: 200 } },
  ],
});

export const ROWS_FAULTS: readonly Row[] = [...EACH, ...EVENTS, ...ANSWERS, ...UNFINISHED];
