import { EVENT_NAMES, EVENTS, type EventName } from "@belay/core";
import { eventRow, isObject } from "@belay/core/internal";
import type { Harness, HarnessEvent } from "../harness.ts";
import { claudeCodeLog } from "../logs/claude-code.ts";
import {
  BLOCK,
  CALL,
  CALL_WITH_ID,
  CLAUDE_ALLOW,
  CLAUDE_ASK,
  CLAUDE_DENY,
  CONTEXT,
  LONG_FORM,
  PROMPT,
  STOPPING,
  UPDATED_INPUT,
} from "../read/claude-words.ts";
import { bracedObject } from "../read/form.ts";
import { type Answers, type Saying, USUAL } from "../read/reads.ts";
import { GROUPS, LONG_MS } from "../settings.ts";

const COMMON: Answers = { message: true, stop: "ends", stopWords: "stopReason" };

const STOP: Answers = {
  ...COMMON,
  exit2: "always",
  deny: [BLOCK],
  context: [CONTEXT],
  contextRefuses: true,
  stop: "passes",
  failsOpen: true,
};

/** Events of other agents, which Claude Code does not have. */
const NOT_ITS: readonly EventName[] = ["ModelRequest", "ModelResponse", "FileEdited"];

/** How a hook declines the question of an MCP server. */
const DECLINE: Saying = { at: "hookSpecificOutput.action", is: ["decline", "cancel"] };

/** An event as the documentation has it: our table is made of Claude Code's events. */
function documented(event: EventName): HarnessEvent {
  const { exit2, context, plainStdout, further, ...row } = eventRow(event);
  const isRefusable = exit2 !== "notice";
  const wordsTo = "reason" in row && row.reason.to === "user" ? "user" : undefined;
  return {
    event,
    documented: true,
    fields: Object.keys(EVENTS[event].input),
    answers: {
      ...(isRefusable && { exit2: "always", deny: further?.includes("action") ? [BLOCK, DECLINE] : [BLOCK] }),
      ...(wordsTo && { wordsTo }),
      ...(context !== undefined && { context: [CONTEXT] }),
      ...(plainStdout !== "nobody" && { plain: "agent" }),
    },
  };
}

export const claudeCode: Harness = {
  name: "claude-code",
  title: "Claude Code",
  tested: { program: "@anthropic-ai/claude-code", version: "2.1.325", date: "2026-11-17" },
  files: [".claude/settings.json", ".claude/settings.local.json", "~/.claude/settings.json"],
  settings: {
    program: "claude",
    project: ".claude/settings.json",
    user: "~/.claude/settings.json",
    moved: { folder: "~/.claude", by: "CLAUDE_CONFIG_DIR" },
    shape: GROUPS,
    limitMs: LONG_MS,
    plainJson: true,
  },
  settingsDialect: "claude-code",
  notes: [
    "One bad entry on PreToolUse or PermissionRequest (a flat one, a matcher that is a list, an unknown or missing type, a timeout in quotes) drops every hook of that file and its permission rules, and only the debug log says so. So does a comment, a trailing comma, or a setting of the wrong type. On other events a bad hook is dropped alone. Other files hold.",
    'With `"onFailure": "block"` a hook that exits with 1 refuses whatever it printed, and so does an answer of the wrong form; not at Stop, and exit 2 on PermissionRequest is still ignored.',
    'A field that is null, or of another type than it should be, voids the whole answer: `"systemMessage": null` beside a deny lets the call run.',
    "On PermissionRequest the first hook to finish decides: a quick allow goes before a slower deny.",
    "`updatedToolOutput` counts if it has every field of the tool's own response.",
    "PreCompact hands stdout to the model as it is, JSON too. A systemMessage is shown on neither PermissionRequest, PreCompact, Notification nor SessionEnd.",
    "An `if` that is no rule, and any `if` on an event without a tool, keeps its hook from running.",
    '`"disableAllHooks": true` in a project\'s settings switches off the hooks of all files.',
    "A stop that hooks block 8 times in a row goes through.",
    "Where nobody can be asked (`claude -p`), an ask refuses and the agent reads the question.",
  ],
  fields: ["session_id", "transcript_path", "cwd", "hook_event_name", "prompt_id"],
  events: {
    ...Object.fromEntries(
      EVENT_NAMES.filter((name) => !NOT_ITS.includes(name)).map((name) => [name, documented(name)]),
    ),
    PreToolUse: {
      event: "PreToolUse",
      fields: [...CALL_WITH_ID, "permission_mode", "effort"],
      answers: {
        ...COMMON,
        exit2: "always",
        deny: [CLAUDE_DENY, BLOCK],
        // The run ends, and whoever started it is asked.
        ask: [CLAUDE_ASK, { at: CLAUDE_DENY.at, is: ["defer"], ends: true }],
        allow: [CLAUDE_ALLOW, { at: "decision", is: ["approve"] }],
        rewrite: { at: UPDATED_INPUT },
        context: [CONTEXT],
      },
    },
    PermissionRequest: {
      event: "PermissionRequest",
      fields: [...CALL, "permission_mode"],
      answers: {
        ...LONG_FORM,
        firstDecides: true,
        interrupt: "hookSpecificOutput.decision.interrupt",
        rewrite: { at: "hookSpecificOutput.decision.updatedInput", needs: "allow" },
      },
    },
    PostToolUse: {
      event: "PostToolUse",
      fields: [...CALL_WITH_ID, "tool_response", "permission_mode", "duration_ms"],
      answers: {
        ...COMMON,
        exit2: "always",
        deny: [BLOCK],
        context: [CONTEXT],
        output: { at: "hookSpecificOutput.updatedToolOutput", is: "object" },
      },
    },
    UserPromptSubmit: {
      event: "UserPromptSubmit",
      fields: ["prompt", "permission_mode"],
      answers: { ...COMMON, ...PROMPT, exit2: "always", deny: [BLOCK] },
    },
    Stop: { event: "Stop", fields: [...STOPPING, "permission_mode"], answers: STOP },
    SubagentStop: {
      event: "SubagentStop",
      documented: true,
      fields: [...STOPPING, "agent_id", "agent_type", "permission_mode"],
      answers: STOP,
    },
    PostToolBatch: {
      event: "PostToolBatch",
      fields: Object.keys(EVENTS.PostToolBatch.input),
      answers: {
        ...COMMON,
        exit2: "always",
        deny: [BLOCK],
        wordsTo: "user",
        refusalEnds: true,
        context: [CONTEXT],
        stop: "refuses-and-ends",
      },
    },
    SessionStart: {
      event: "SessionStart",
      fields: ["source"],
      answers: { ...COMMON, context: [CONTEXT], plain: "agent", notice: "user" },
    },
    SessionEnd: { event: "SessionEnd", fields: ["reason"], answers: { notice: "user" } },
    PreCompact: {
      event: "PreCompact",
      fields: ["trigger", "custom_instructions"],
      answers: { exit2: "always", deny: [BLOCK], wordsTo: "user", plain: "agent", plainBesides: true },
    },
    Notification: { event: "Notification", fields: ["message", "title", "notification_type"], answers: {} },
  },
  tools: {},
  log: claudeCodeLog,
  versionIn: ["AI_AGENT"],
  inCalls: ["CLAUDECODE"],
  variables: [
    "CLAUDE_PROJECT_DIR",
    "CLAUDECODE",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_ENV_FILE",
    "CLAUDE_EFFORT",
    "CLAUDE_PLUGIN_ROOT",
  ],
  reads: {
    form: bracedObject,
    fields: {
      continue: "boolean",
      suppressOutput: "boolean",
      stopReason: "string",
      systemMessage: "string",
      reason: "string",
      [CLAUDE_DENY.words]: "string",
      [CONTEXT]: "string",
      [UPDATED_INPUT]: "object",
    },
    flaw: invalid,
    json: "any",
    denyBeforeExit2: true,
    types: ["http", "prompt", "agent", "mcp_tool"],
    failClosed: "onFailure",
    asks: true,
    fold: { ...USUAL.fold, rewrite: "last-finished" },
  },
};

const PERMISSIONS: readonly unknown[] = [undefined, "allow", "deny", "ask", "defer"];
const DECISIONS: readonly unknown[] = [undefined, "approve", "block"];

/** One field with a wrong value voids the whole answer, without a word to the user. */
function invalid(
  { decision, hookSpecificOutput: inside }: Readonly<Record<string, unknown>>,
  native: string,
) {
  if (!DECISIONS.includes(decision))
    return {
      why: `decision: ${JSON.stringify(decision)} voids the whole answer there`,
      fix: "leave decision out",
    };
  if (inside === undefined) return undefined;
  if (!isObject(inside) || inside.hookEventName !== native)
    return {
      why: "hookSpecificOutput without its hookEventName voids the whole answer there",
      fix: `add "hookEventName": "${native}"`,
    };
  if (!PERMISSIONS.includes(inside.permissionDecision))
    return {
      why: "an unknown permissionDecision voids the whole answer there",
      fix: "use allow, deny, ask or defer",
    };
  return undefined;
}
