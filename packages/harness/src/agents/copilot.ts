import type { Harness, HarnessEvent } from "../harness.ts";
import { copilotLog } from "../logs/copilot.ts";
import {
  BLOCK,
  CALL,
  CLAUDE_ALLOW,
  CLAUDE_ASK,
  CLAUDE_DENY,
  CONTEXT,
  UPDATED_INPUT,
} from "../read/claude-words.ts";
import { type Answers, type Saying, USUAL } from "../read/reads.ts";
import { LONG_MS } from "../settings.ts";

const DENY: Saying = { at: "permissionDecision", is: ["deny"], words: "permissionDecisionReason" };
const CAMEL_CONTEXT = "additionalContext";

const GATE: Answers = {
  exit2: "always",
  deny: [DENY],
  ask: [{ ...DENY, is: ["ask"] }],
  allow: [{ ...DENY, is: ["allow"] }],
  rewrite: { at: "modifiedArgs" },
  context: [CAMEL_CONTEXT],
};
const POST: Answers = {
  deny: [BLOCK],
  context: [CAMEL_CONTEXT],
  output: { at: "modifiedResult", is: "object" },
  notice: "user",
};
const PROMPT: Answers = {
  deny: [{ ...BLOCK, needsWords: true }],
  wordsTo: "user",
  refusalEnds: true,
  context: [CAMEL_CONTEXT],
  prompt: "modifiedPrompt",
  notice: "user",
};
const STOP: Answers = { deny: [{ ...BLOCK, needsWords: true }], notice: "user" };
const PERMISSION: Answers = {
  exit2: "always",
  deny: [{ at: "behavior", is: ["deny"], words: "message" }],
  allow: [{ at: "behavior", is: ["allow"] }],
  interrupt: "interrupt",
};

/** The case of an event's name in the config chooses the payload and the words that are read. */
function both(camel: string, pascal: string, row: HarnessEvent, ofPascal: Answers = {}) {
  return {
    [pascal]: row.answers ? { ...row, answers: { ...row.answers, ...ofPascal } } : row,
    [camel]: row,
  };
}

export const copilot: Harness = {
  name: "copilot",
  title: "Copilot CLI",
  tested: { program: "@github/copilot", version: "1.0.102", date: "2026-11-17" },
  files: [".github/hooks/*.json", "~/.copilot/hooks/*.json", ".claude/settings.json"],
  settings: {
    program: "copilot",
    project: ".github/hooks/belay.json",
    user: "~/.copilot/hooks/belay.json",
    moved: { folder: "~/.copilot", by: "COPILOT_HOME" },
    shape: {
      kind: "json",
      grouped: false,
      version: 1,
      command: "bash",
      limit: { field: "timeoutSec", ms: 1000 },
    },
    limitMs: LONG_MS,
    // The rows were measured with these.
    names: {
      PreToolUse: "preToolUse",
      PermissionRequest: "permissionRequest",
      PostToolUse: "postToolUse",
      PostToolUseFailure: "postToolUseFailure",
      UserPromptSubmit: "userPromptSubmitted",
      Stop: "agentStop",
      SubagentStart: "subagentStart",
      SubagentStop: "subagentStop",
      SessionStart: "sessionStart",
      SessionEnd: "sessionEnd",
    },
    trust: "Copilot CLI reads a project's hooks once you trust the folder: it asks when it starts there.",
  },
  notes: [
    "The case of an event name in the config chooses the words: `preToolUse` reads top-level fields, `PreToolUse` those of Claude Code.",
    "http hooks need https, unless COPILOT_HOOK_ALLOW_LOCALHOST is 1. A failed http hook refuses the call.",
    "Hooks run one after another, and a deny stops the rest. A stop that hooks block 8 times goes through.",
  ],
  fields: ["session_id", "cwd", "hook_event_name", "timestamp"],
  events: {
    ...both(
      "preToolUse",
      "PreToolUse",
      { event: "PreToolUse", fields: CALL, answers: GATE },
      {
        deny: [CLAUDE_DENY, DENY],
        ask: [CLAUDE_ASK],
        allow: [CLAUDE_ALLOW],
        rewrite: { at: UPDATED_INPUT },
        context: [CONTEXT],
      },
    ),
    ...both("permissionRequest", "PermissionRequest", {
      event: "PermissionRequest",
      fields: CALL,
      answers: PERMISSION,
    }),
    ...both("postToolUse", "PostToolUse", {
      event: "PostToolUse",
      fields: [...CALL, "tool_response"],
      answers: POST,
    }),
    ...both("postToolUseFailure", "PostToolUseFailure", {
      event: "PostToolUseFailure",
      fields: [...CALL, "error"],
    }),
    ...both("userPromptSubmitted", "UserPromptSubmit", {
      event: "UserPromptSubmit",
      fields: ["prompt"],
      answers: PROMPT,
    }),
    ...both("agentStop", "Stop", {
      event: "Stop",
      fields: ["stop_hook_active", "transcript_path"],
      answers: STOP,
    }),
    ...both("subagentStart", "SubagentStart", {
      event: "SubagentStart",
      fields: ["agent_id", "agent_type", "transcript_path"],
    }),
    ...both("subagentStop", "SubagentStop", {
      event: "SubagentStop",
      documented: true,
      fields: ["stop_hook_active"],
      answers: STOP,
    }),
    ...both("sessionStart", "SessionStart", {
      event: "SessionStart",
      fields: ["source"],
      answers: { context: [CAMEL_CONTEXT], notice: "user" },
    }),
    ...both("sessionEnd", "SessionEnd", { event: "SessionEnd", fields: ["reason"], answers: {} }),
  },
  tools: {
    bash: { name: "Bash" },
    create: { name: "Write", input: { path: "file_path", file_text: "content" } },
    view: { name: "Read", input: { path: "file_path" } },
    edit: { name: "Edit", input: { path: "file_path" } },
    grep: { name: "Grep" },
    glob: { name: "Glob" },
    task: { name: "Task" },
  },
  log: copilotLog,
  payload: {
    sessionId: "session_id",
    toolName: "tool_name",
    toolArgs: "tool_input",
    toolInput: "tool_input",
    toolResult: "tool_response",
    tool_result: "tool_response",
    transcriptPath: "transcript_path",
    agentId: "agent_id",
    agentType: "agent_type",
  },
  versionIn: ["COPILOT_CLI_BINARY_VERSION"],
  inCalls: ["COPILOT_CLI"],
  variables: ["COPILOT_PROJECT_DIR", "COPILOT_HOOK_DIR", "COPILOT_CLI", "CLAUDE_PROJECT_DIR"],
  reads: {
    ...USUAL,
    types: ["http", "prompt"],
    json: "exit-0",
    otherExits: "refuse",
    losesStderr: true,
    httpFailureRefuses: true,
    asks: true,
  },
};
