import { ASK, ASKED, afterCall, prints, type Scenario, specific } from "./scenario.ts";

const MALFORMED =
  "error: hook checker: its output begins like JSON but is not JSON: it ends too early; the exit code decided";
const SILENT = [{ command: "true" }];

export const EDGES: readonly Scenario[] = [
  afterCall({
    ref: "seed 001 edge: JSON and exit code",
    name: "valid JSON and an exit code: where JSON is silent, the exit code decides",
    hooks: { PreToolUse: [prints({ systemMessage: "see the log" }, 2)] },
    runs: ["PreToolUse 2"],
    sent: ["failed: blocked by hook checker: no reason given"],
    seen: ["tool: Bash failed: blocked by hook checker: no reason given", "warn: see the log"],
    disk: {},
  }),
  afterCall({
    ref: "seed 001 edge: malformed",
    name: "malformed JSON: the exit code decides, and the user is told",
    hooks: { PreToolUse: [{ command: `echo '{"permissionDecision": '` }] },
    runs: ["PreToolUse 0"],
    seen: ["tool: Bash done: out", MALFORMED],
  }),
  afterCall({
    ref: "seed 001 edge: malformed",
    name: "malformed JSON beside exit 2: refused",
    hooks: { PreToolUse: [{ command: `echo '{"permissionDecision": '; exit 2` }] },
    runs: ["PreToolUse 2"],
    sent: ["failed: blocked by hook checker: no reason given"],
    seen: ["tool: Bash failed: blocked by hook checker: no reason given", MALFORMED],
    disk: {},
  }),
  {
    ref: "seed 001 edge: conflict",
    name: "continue: false beats an allow in the same answer",
    hooks: {
      PreToolUse: [
        prints({
          continue: false,
          stopReason: "enough",
          hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" },
        }),
      ],
    },
    mode: "bypass",
    replies: ASK,
    runs: ["PreToolUse 0"],
    end: "stopped",
    requests: 1,
    sent: ["user: do it"],
    next: [...ASKED, "failed: Not run: a hook stopped the agent."],
    seen: ["text: do it", "tool: Bash failed: Not run: a hook stopped the agent.", "error: enough"],
    disk: {},
  },
  {
    ref: "seed 001 edge: conflict",
    name: "continue: false beats a block of the stop: the agent is not sent on",
    hooks: { Stop: [prints({ continue: false, stopReason: "enough", decision: "block", reason: "go on" })] },
    replies: ["First.", "Second."],
    runs: ["Stop 0"],
    end: "stopped",
    requests: 1,
    sent: ["user: do it"],
    next: ["user: do it", "agent: First."],
    seen: ["text: do it", "text: First.", "error: enough"],
    disk: {},
  },
  afterCall({
    ref: "seed 001 edge: fields per event",
    name: "fields of another event are set aside, and the user is told",
    hooks: { PreToolUse: [specific("Stop", { permissionDecision: "deny" })] },
    runs: ["PreToolUse 0"],
    seen: [
      "tool: Bash done: out",
      `error: hook checker: hookSpecificOutput.hookEventName is "Stop", but this is PreToolUse; hookSpecificOutput was set aside`,
    ],
  }),
  afterCall({
    ref: "seed 001 edge: silence",
    name: "hooks without any output change nothing",
    hooks: { UserPromptSubmit: SILENT, PreToolUse: SILENT, PostToolUse: SILENT, Stop: SILENT },
    runs: ["UserPromptSubmit 0", "PreToolUse 0", "PostToolUse 0", "Stop 0"],
  }),
];
