import type { EventName } from "@belay/engine";
import {
  ALLOW,
  DENY,
  denied,
  type Expect,
  type HookSpec,
  permission,
  type Row,
  rows,
  stopped,
  unnamed,
} from "./row.ts";

/** Design §4.9: every kind of fault, let through or read as exit 2. */

interface Fault {
  readonly says: string;
  readonly hook: HookSpec;
  readonly code: string;
  readonly at?: string;
  readonly read?: "json" | "exit-code";
}

const FAULTS: readonly Fault[] = [
  { says: "no such command", hook: { command: "./there-is-no-such-hook" }, code: "run-not-started" },
  { says: "not executable", hook: { command: ": > plain; ./plain" }, code: "run-not-started" },
  {
    says: "a program that its script calls",
    hook: { command: "printf '#!/bin/sh\\n:\\nno-such-program\\n' > s.sh; sh ./s.sh" },
    code: "run-program-not-started",
  },
  { says: "exit 127 of its own", hook: { err: "lost", exit: 127 }, code: "run-not-started" },
  { says: "time limit", hook: { command: "exec sleep 20", timeout: 0.2 }, code: "run-timed-out" },
  { says: "killed by KILL", hook: { after: "kill -KILL $$" }, code: "run-killed" },
  { says: "killed by TERM", hook: { after: "kill -TERM $$" }, code: "run-killed" },
  { says: "killed by SEGV", hook: { after: "kill -SEGV $$" }, code: "run-killed" },
  { says: "malformed", hook: { out: "{oops" }, code: "output-malformed" },
  { says: "invalid", hook: { out: { systemMessage: 7 } }, code: "output-invalid", at: "systemMessage" },
  {
    says: "missing stopReason",
    hook: { out: { continue: false } },
    code: "output-missing",
    at: "stopReason",
  },
  {
    says: "set aside",
    hook: { out: unnamed({ permissionDecision: "allow" }) },
    code: "output-wrong-event",
    at: "hookSpecificOutput.hookEventName",
    read: "json",
  },
];

const GUARDED: Partial<Record<EventName, (words: string) => Expect>> = {
  PreToolUse: (words) => ({ action: "block-tool", kind: "deny", messages: [`agent tool: ${words}`] }),
  PermissionRequest: (words) => ({ action: "block-tool", kind: "deny", messages: [`agent tool: ${words}`] }),
  PostToolUse: (words) => ({ action: "error-displayed", kind: "block", messages: [`agent tool: ${words}`] }),
  UserPromptSubmit: (words) => ({
    action: "block-prompt",
    kind: "block",
    messages: [`user error: ${words}`],
  }),
  Stop: (words) => ({ action: "block-stop", kind: "block", messages: [`agent text: ${words}`] }),
  SubagentStop: (words) => ({ action: "block-stop", kind: "block", messages: [`agent text: ${words}`] }),
};

const FAILED = "hook h failed and must not (onFailure: block)";
/** Words of the hook's JSON are not for the agent: of an unsound object it reads only where the fault is. */
const forAgent = ({ code, at }: Fault) =>
  at === undefined ? `<${code}>` : `its output is not valid at \`${at}\``;
const codeAt = ({ code, at }: Fault) => (at === undefined ? code : `${code} at ${at}`);

/** The refusal that a guard's fault is read as; the user is told as well when the refusal goes to the agent. */
function refused(
  event: EventName,
  fault: string,
  told: string,
  diagnostics: readonly string[],
  run: string,
): Expect {
  const words = `${FAILED}: ${fault}`;
  const expect = (GUARDED[event] as (words: string) => Expect)(words);
  const toAgent = event !== "UserPromptSubmit";
  return {
    ...expect,
    reason: words,
    messages: [...(expect.messages ?? []), ...(toAgent ? [`user error: ${told}`] : [])],
    diagnostics: [...diagnostics, "run-failure-blocks"],
    runs: [run],
  };
}

const LET_THROUGH: readonly Row[] = FAULTS.map(
  (fault): Row => ({
    ref: "design §4.9 faults",
    says: `${fault.says}: work goes on and the user is told`,
    event: "PreToolUse",
    hook: fault.hook,
    expect: {
      action: "error-displayed",
      messages: [`user error: <${fault.code}>`],
      diagnostics: [codeAt(fault)],
      runs: [`${fault.read ?? "exit-code"} fault ${fault.code}`],
    },
  }),
);

const BLOCKED: readonly Row[] = FAULTS.map(
  (fault): Row => ({
    ref: "design §4.9 onFailure",
    says: `${fault.says}: read as exit 2`,
    event: "PreToolUse",
    hook: { ...fault.hook, onFailure: "block" },
    expect: refused(
      "PreToolUse",
      forAgent(fault),
      `<${fault.code}>`,
      [codeAt(fault)],
      `${fault.read ?? "exit-code"} fault ${fault.code}`,
    ),
  }),
);

const EVENTS: readonly Row[] = (Object.keys(GUARDED) as EventName[]).flatMap((event): Row[] => [
  {
    ref: "design §4.9 onFailure",
    says: `malformed on ${event}`,
    event,
    hook: { out: "{oops", onFailure: "block" },
    expect: refused(
      event,
      "<output-malformed>",
      "<output-malformed>",
      ["output-malformed"],
      "exit-code fault output-malformed",
    ),
  },
  {
    ref: "design §4.9 other exits",
    says: `exit 1 without an answer on ${event}`,
    event,
    hook: { err: "traceback", exit: 1, onFailure: "block" },
    expect: refused(event, "exited with 1: traceback", "hook h: exited with 1: traceback", [], "exit-code"),
  },
]);

const ANSWERS: readonly Row[] = [
  ...rows({
    "PreToolUse: {} is no answer": [
      "design §4.9 other exits",
      { out: {}, exit: 1, onFailure: "block" },
      refused("PreToolUse", "exited with 1", "hook h: exited with 1", [], "json"),
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
      {
        ...refused("PreToolUse", "<run-killed>", "<run-killed>", [], "mixed fault run-killed"),
        messages: [
          `agent tool: ${FAILED}: <run-killed>`,
          "user error: <run-killed>",
          "user warn: <output-mixed>",
        ],
        diagnostics: ["output-mixed", "run-killed", "run-failure-blocks"],
      },
    ],
    "PreToolUse: a stop that was printed before the hook was killed stays a stop": [
      "design §4.9 onFailure",
      { out: { continue: false, stopReason: "enough" }, after: "kill -KILL $$", onFailure: "block" },
      stopped("enough", {
        also: ["user error: <run-killed>", "user warn: <output-mixed>"],
        diagnostics: ["output-mixed", "run-killed", "run-failure-blocks"],
        runs: ["mixed fault run-killed"],
      }),
    ],
  }),
  ...(["SessionStart", "SessionEnd", "PreCompact", "Notification"] as const).map(
    (event): Row => ({
      ref: "design §4.9 no effect",
      says: `onFailure on ${event} refuses nothing`,
      event,
      hook: { err: "traceback", exit: 1, onFailure: "block" },
      expect: { action: "error-displayed", messages: ["user error: traceback"] },
    }),
  ),
  ...rows({
    "PreCompact: onFailure on PreCompact refuses where the dialect can (claude-code)": [
      "design §4.9 no effect",
      { err: "traceback", exit: 1, onFailure: "block" },
      {
        action: "block-compact",
        kind: "block",
        reason: `${FAILED}: exited with 1: traceback`,
        messages: [`user error: ${FAILED}: exited with 1: traceback`],
        diagnostics: ["run-failure-blocks"],
      },
      { dialect: "claude-code" },
    ],
    "PreToolUse: exit 2 of a hook that ended only at its limit still denies": [
      "design §4.9 exit 2 stands",
      { command: "trap 'echo not here >&2; exit 2' TERM; sleep 20 & wait", timeout: 0.3 },
      denied("not here", {
        also: ["user error: <run-timed-out>"],
        diagnostics: ["run-timed-out"],
        runs: ["exit-code fault run-timed-out"],
        facts: [{ timedOut: true, exitCode: 2 }],
      }),
    ],
  }),
];

export const ROWS_FAULTS: readonly Row[] = [...LET_THROUGH, ...BLOCKED, ...EVENTS, ...ANSWERS];
