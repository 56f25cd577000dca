import {
  DENY,
  denied,
  type Expect,
  goesOnByStderr,
  promptBlocked,
  type Row,
  resultBlockedByStderr,
  row,
  rows,
  type Step,
  specific,
} from "./row.ts";

/** Design §5 to §7: the stop cap, hooks that only watch or are off, matchers, and who sees an ask. */

const again: Expect = goesOnByStderr("again");
const active: Expect = goesOnByStderr("active");
const capped: Expect = { messages: ["user warn (belay): <stop-cap>"], diagnostics: ["stop-cap"] };
const stop = (expect: Expect, payload?: Step["payload"]): Step => ({
  event: "Stop",
  expect,
  ...(payload && { payload }),
});
const subagentStop = (agent_id: string, expect: Expect): Step => ({
  event: "SubagentStop",
  expect,
  payload: { agent_id },
});
const refusedCall: Step = { event: "PreToolUse", expect: denied("again") };
const times = (count: number, step: Step) => Array.from({ length: count }, () => step);

const CAP: readonly Row[] = [
  {
    ref: "design §5 stop cap",
    says: "after eight blocks in a row the stop goes through, the user is told, and the count starts again",
    hook: { err: "again", exit: 2 },
    steps: [...times(8, stop(again)), stop(capped), stop(again)],
  },
  {
    ref: "design §5 stop cap",
    says: "a JSON block counts as well, and a capped one says nothing to the agent",
    limits: { stopCap: 1 },
    hook: { out: { decision: "block", reason: "again" } },
    steps: [stop({ ...again, messages: ["agent hook: again"] }), stop({ ...capped })],
  },
  {
    ref: "design §5 stop cap",
    says: "a tool call in between starts the count again",
    limits: { stopCap: 2 },
    hook: { err: "again", exit: 2 },
    steps: [stop(again), stop(again), refusedCall, stop(again), stop(again), stop(capped)],
  },
  {
    ref: "design §5 stop cap",
    says: "sessions are counted apart",
    limits: { stopCap: 1 },
    hook: { err: "again", exit: 2 },
    steps: [
      stop(again, { session_id: "one" }),
      stop(again, { session_id: "two" }),
      stop(capped, { session_id: "one" }),
      stop(capped, { session_id: "two" }),
    ],
  },
  {
    ref: "design §5 stop_hook_active",
    says: "true when the agent goes on because of a stop hook, and only then",
    hook: { command: `if grep -q '"stop_hook_active":true'; then exit 0; fi; echo again >&2; exit 2` },
    steps: [stop(again), stop({}), stop(again), stop({})],
  },
  {
    ref: "design §5 stop cap",
    says: "each subagent is counted apart, and from the agent",
    limits: { stopCap: 1 },
    hook: { err: "again", exit: 2 },
    steps: [
      stop(again),
      subagentStop("1", again),
      subagentStop("2", again),
      subagentStop("1", capped),
      stop(capped),
    ],
  },
  {
    ref: "design §5 stop cap",
    says: "a tool's result and a prompt do not start the count again",
    limits: { stopCap: 1 },
    hook: { err: "again", exit: 2 },
    steps: [
      stop(again),
      { event: "PostToolUse", expect: resultBlockedByStderr("again") },
      { event: "UserPromptSubmit", expect: promptBlocked("again") },
      stop(capped),
    ],
  },
  {
    ref: "design §5 stop cap",
    says: "there may be no cap",
    limits: { stopCap: Number.POSITIVE_INFINITY },
    hook: { err: "again", exit: 2 },
    steps: times(12, stop(again)),
  },
  {
    ref: "design §5 stop_hook_active",
    says: "still true after a tool call, false after a prompt, and true if the host says so",
    hook: {
      command: `if grep -q '"stop_hook_active":true'; then echo active >&2; else echo again >&2; fi; exit 2`,
    },
    steps: [
      stop(again),
      { event: "PreToolUse", expect: denied("again") },
      stop(active),
      { event: "UserPromptSubmit", expect: promptBlocked("again") },
      stop(again),
      stop(active, { session_id: "other", stop_hook_active: true }),
    ],
  },
];

const watched: Expect = { warns: ["observed"] };

const OBSERVED: readonly Row[] = [
  ...(
    [
      ["a deny", { out: DENY }, "json", "said deny: not here"],
      ["exit 2", { err: "not here", exit: 2 }, "exit-code", "said deny: not here"],
      ["a stop", { out: { continue: false, stopReason: "enough" } }, "json", "said stop: enough"],
      ["an ask", { out: specific("PreToolUse", { permissionDecision: "ask" }) }, "json", "said ask"],
      ["an allow", { out: specific("PreToolUse", { permissionDecision: "allow" }) }, "json", "said allow"],
      ["another exit", { err: "traceback", exit: 1 }, "exit-code", "shown an error: traceback"],
      [
        "context",
        { out: specific("PreToolUse", { additionalContext: "main" }) },
        "json",
        "added context: main",
      ],
      ["a message", { out: { systemMessage: "mind it" } }, "json", "shown a message: mind it"],
      ["much", { err: "x".repeat(300), exit: 2 }, "exit-code", `said deny: ${"x".repeat(199)}…`],
      [
        "a rewrite",
        { out: specific("PreToolUse", { updatedInput: { command: "ls" } }) },
        "json",
        "rewritten the input",
      ],
    ] as const
  ).map(([says, hook, read, would]) =>
    row(
      "design §7 observe",
      `PreToolUse: ${says} changes nothing, and the user can see it`,
      { ...hook, mode: "observe" },
      { ...watched, runs: [read], mentions: [`would have ${would}`], facts: [{ observed: true }] },
    ),
  ),
  {
    ref: "design §7 observe",
    says: "an observed rewrite does not void an allow, an observed deny does not deny",
    event: "PreToolUse",
    hooks: [
      { name: "a", out: specific("PreToolUse", { permissionDecision: "allow" }) },
      { name: "b", out: specific("PreToolUse", { updatedInput: { command: "ls" } }), mode: "observe" },
      { name: "c", out: DENY, mode: "observe" },
    ],
    expect: {
      kind: "allow",
      by: "a",
      messages: ["user warn (b): <observed>", "user warn (c): <observed>"],
      diagnostics: ["observed (b)", "observed (c)"],
      runs: ["json (a)", "json (b)", "json (c)"],
    },
  },
  ...rows({
    "UserPromptSubmit: observed context, prompts and messages reach nobody, and the user can see them all": [
      "design §7 observe",
      {
        out: specific(
          "UserPromptSubmit",
          { additionalContext: "main", updatedPrompt: "fix it" },
          { systemMessage: "x" },
        ),
        mode: "observe",
      },
      {
        ...watched,
        mentions: ["would have rewritten the prompt: fix it; added context: main; shown a message: x"],
      },
    ],
    "PreToolUse: a fault is an error that would have been shown": [
      "design §7 observe",
      { out: "{oops", mode: "observe" },
      {
        ...watched,
        runs: [
          "exit-code fault its output begins like JSON but is not JSON: unexpected text at character 2 of line 1; the exit code decided",
        ],
        mentions: ["would have shown an error: hook h: its output begins like JSON but is not JSON"],
      },
    ],
    "UserPromptSubmit: plain text on a prompt would have been context": [
      "design §7 observe",
      { out: "branch: main", mode: "observe" },
      { ...watched, mentions: ["would have added context: branch: main"] },
    ],
    "PreToolUse: a hook that does nothing is not mentioned": [
      "design §7 observe",
      { out: "done", mode: "observe" },
      {},
    ],
    "PreToolUse: a hook that is switched off does not run": [
      "design §7 enabled",
      { out: DENY, enabled: false },
      { runs: [] },
    ],
  }),
];

const deniedByMatch: Expect = denied("no");

const MATCHERS: readonly Row[] = (
  [
    ["Bash", "Bash", true],
    ["Bash", "BashOutput", false],
    ["bash", "Bash", false],
    ["", "Bash", true],
    ["*", "Bash", true],
    ["Write|Edit", "Edit", true],
    ["Write, Edit", "Edit", true],
    ["Write|Edit", "NotebookEdit", false],
    ["mcp__.*", "mcp__files__read", true],
    [".*Edit", "NotebookEditor", true],
    ["^Edit$", "NotebookEdit", false],
    ["mcp__files__read", "mcp__files__read_all", false],
    ["(?!Bash)\\w+", "Read", true],
  ] as const
).map(
  ([matcher, tool, fires]): Row => ({
    ref: "design §7 matcher",
    says: `${matcher} ${fires ? "catches" : "leaves"} ${tool}`,
    event: "PreToolUse",
    payload: { tool_name: tool },
    groups: [{ matcher, hooks: [{ err: "no", exit: 2 }] }],
    expect: fires ? deniedByMatch : { runs: [] },
  }),
);

const ASKS: readonly Row[] = (["wave", "session-hooks", "pact", "claude-code"] as const).map(
  (dialect): Row => {
    const out = specific("PreToolUse", { permissionDecision: "ask" }, { systemMessage: "sure?" });
    const shown: Record<typeof dialect, readonly string[]> = {
      wave: ["user warn: sure?"],
      "session-hooks": ["user text: sure?", "agent warn: sure?", `user text: ${JSON.stringify(out)}`],
      pact: ["user warn: sure?", "agent warn: sure?"],
      "claude-code": ["user warn: sure?"],
    };
    return row(
      "design §6 ask without a reason",
      `PreToolUse: its systemMessage is the question (${dialect})`,
      { out },
      { action: "ask-user", kind: "ask", reason: "sure?", messages: shown[dialect] },
      { dialect },
    );
  },
);

export const ROWS_MODES: readonly Row[] = [...CAP, ...OBSERVED, ...MATCHERS, ...ASKS];
