import { isObject } from "@belay/core/internal";
import type { Harness } from "../harness.ts";
import { codexLog } from "../logs/codex.ts";
import {
  BLOCK,
  CALL,
  CALL_WITH_ID,
  CLAUDE_ALLOW,
  CLAUDE_DENY,
  CONTEXT,
  LONG_FORM,
  PROMPT,
  STOPPING,
  UPDATED_INPUT,
} from "../read/claude-words.ts";
import { unmarkedObject } from "../read/form.ts";
import { type Answers, USUAL } from "../read/reads.ts";
import { GROUPS, LONG_MS } from "../settings.ts";

const TURN = ["turn_id", "model", "permission_mode"];
const BLOCK_WITH_REASON = { ...BLOCK, needsWords: true } as const;

const STOP: Answers = { exit2: "stderr", deny: [BLOCK_WITH_REASON], stop: "passes" };

export const codex: Harness = {
  name: "codex",
  title: "Codex",
  tested: { program: "@openai/codex", version: "0.166.0", date: "2026-11-17" },
  files: [".codex/hooks.json", "~/.codex/hooks.json", "~/.codex/config.toml"],
  settings: {
    program: "codex",
    project: ".codex/hooks.json",
    user: "~/.codex/hooks.json",
    moved: { folder: "~/.codex", by: "CODEX_HOME" },
    shape: GROUPS,
    limitMs: LONG_MS,
    trust: "Codex skips a hook that you have not trusted there: start codex, type /hooks, and trust it.",
  },
  notes: [
    "In code mode (0.166) hooks fire for each command and patch of the code, not for the code itself.",
    "Before a tool call `continue: false`, `stopReason`, `suppressOutput: true` and an `updatedInput` without an allow void the whole answer, a deny too. So does a field of the wrong type.",
    "A hook that the user has not trusted is skipped without a word.",
    "Nothing limits how often a hook can block a stop: 728 requests in 60 seconds were measured.",
    "After a tool call the words of a block replace the output: the agent does not read what the tool printed.",
  ],
  fields: ["session_id", "transcript_path", "cwd", "hook_event_name"],
  events: {
    PreToolUse: {
      event: "PreToolUse",
      fields: [...CALL_WITH_ID, ...TURN],
      answers: {
        exit2: "stderr",
        deny: [
          { ...CLAUDE_DENY, needsWords: true },
          { ...BLOCK_WITH_REASON, unless: CLAUDE_DENY.at },
        ],
        allow: [CLAUDE_ALLOW],
        rewrite: { at: UPDATED_INPUT, needs: "allow" },
        context: [CONTEXT],
      },
    },
    PermissionRequest: {
      event: "PermissionRequest",
      fields: [...CALL, ...TURN],
      answers: { exit2: "stderr", ...LONG_FORM },
    },
    PostToolUse: {
      event: "PostToolUse",
      fields: [...CALL_WITH_ID, "tool_response", ...TURN],
      answers: {
        exit2: "stderr",
        deny: [BLOCK_WITH_REASON],
        context: [CONTEXT],
        stop: "told",
        stopWords: "stopReason",
      },
    },
    UserPromptSubmit: {
      event: "UserPromptSubmit",
      fields: ["prompt", ...TURN],
      answers: { ...PROMPT, exit2: "stderr", deny: [BLOCK_WITH_REASON] },
    },
    Stop: { event: "Stop", fields: [...STOPPING, ...TURN], answers: STOP },
    SubagentStop: {
      event: "SubagentStop",
      documented: true,
      fields: [...STOPPING, "agent_id", "agent_type", ...TURN],
      answers: STOP,
    },
    SessionStart: {
      event: "SessionStart",
      fields: ["source", "model", "permission_mode"],
      answers: { context: [CONTEXT], plain: "agent", stop: "ends", stopWords: "stopReason" },
    },
    SessionEnd: { event: "SessionEnd", fields: ["reason"], answers: {} },
    PreCompact: { event: "PreCompact", fields: ["trigger", ...TURN], answers: {} },
  },
  tools: {
    exec_command: { name: "Bash", input: { cmd: "command" } },
    shell: { name: "Bash" },
    apply_patch: { name: "Edit" },
    spawn_agent: { name: "Agent", input: { message: "prompt" } },
  },
  log: codexLog,
  inCalls: ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID"],
  variables: [],
  reads: {
    ...USUAL,
    form: unmarkedObject,
    types: ["mcp_tool"],
    fields: {
      continue: "boolean",
      suppressOutput: "boolean",
      stopReason: "string?",
      systemMessage: "string?",
      reason: "string?",
      hookSpecificOutput: "object?",
      [CLAUDE_DENY.at]: "string?",
      [`${CLAUDE_DENY.words}`]: "string?",
      [CONTEXT]: "string?",
    },
    flaw: notAccepted,
    json: "exit-0",
    asks: false,
    fold: { ...USUAL.fold, rewrite: "last-finished" },
  },
};

const TOP = [
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "decision",
  "reason",
  "hookSpecificOutput",
];
const INSIDE = [
  "hookEventName",
  "permissionDecision",
  "permissionDecisionReason",
  "updatedInput",
  "additionalContext",
  "decision",
];
/** Events whose hookSpecificOutput is read. */
const HAS_INSIDE = /ToolUse$|Request$|Submit$|Start$/;

/** A field that Codex does not know voids the whole answer: the hook counts as failed, and work goes on. */
function notAccepted(answer: Readonly<Record<string, unknown>>, native: string) {
  const { hookSpecificOutput: inside, decision } = answer;
  const unknown = [
    ...Object.keys(answer).filter((name) => !TOP.includes(name)),
    ...(isObject(inside) ? Object.keys(inside).filter((name) => !INSIDE.includes(name)) : []),
  ];
  if (unknown.length > 0)
    return {
      why: `the unknown field ${unknown[0]} voids the whole answer there`,
      fix: `leave ${unknown[0]} out`,
    };
  const refused = refusedField(answer, native);
  if (refused !== undefined)
    return { why: `${refused} voids the whole answer on ${native} there`, fix: `leave ${refused} out` };
  if (isObject(inside) && inside.updatedInput != null && inside.permissionDecision !== "allow")
    return {
      why: "a rewrite counts together with an allow alone there, and else voids the whole answer",
      fix: inside.permissionDecision === "deny" ? "leave updatedInput out" : "add an allow",
    };
  const isBeside = decision === "approve" && isObject(inside) && inside.permissionDecision != null;
  if (decision != null && decision !== "block" && !isBeside)
    return { why: `decision: ${JSON.stringify(decision)} voids the whole answer there`, fix: 'use "block"' };
  if (inside !== undefined && !HAS_INSIDE.test(native))
    return {
      why: `hookSpecificOutput voids the whole answer on ${native} there`,
      fix: "answer with decision and reason",
    };
  if (!isObject(inside)) return undefined;
  if (!Object.hasOwn(codex.events, String(inside.hookEventName)))
    return {
      why: "hookSpecificOutput without its hookEventName voids the whole answer there",
      fix: `add "hookEventName": "${native}"`,
    };
  if (inside.permissionDecision === "ask")
    return {
      why: "there is no ask in Codex: the call runs",
      fix: "deny with a reason, or use a rule of Codex",
    };
  return undefined;
}

/** A field that Codex knows, with a value that it does not accept at the event. */
function refusedField(
  { continue: goesOn, stopReason, suppressOutput }: Readonly<Record<string, unknown>>,
  native: string,
): string | undefined {
  const isBefore = native === "PreToolUse" || native === "PermissionRequest";
  if (suppressOutput === true && (isBefore || native === "PostToolUse")) return "suppressOutput: true";
  if (isBefore && goesOn === false) return "continue: false";
  return isBefore && stopReason != null ? "stopReason" : undefined;
}
