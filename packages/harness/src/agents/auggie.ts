import { isObject } from "@belay/core/internal";
import type { Harness } from "../harness.ts";
import { CALL, CLAUDE_ALLOW, CLAUDE_DENY, CONTEXT, UPDATED_INPUT } from "../read/claude-words.ts";
import { USUAL } from "../read/reads.ts";
import { GROUPS_MS, LONG_MS } from "../settings.ts";

export const auggie: Harness = {
  name: "auggie",
  title: "Auggie",
  tested: { program: "@augmentcode/auggie", version: "0.36.0", date: "2026-11-17" },
  files: [".augment/settings.json", ".augment/settings.local.json", "~/.augment/settings.json"],
  settings: {
    program: "auggie",
    project: ".augment/settings.json",
    user: "~/.augment/settings.json",
    shape: GROUPS_MS,
    limitMs: LONG_MS,
  },
  notes: [
    "A deny in JSON counts for nothing when a hook beside it fails: exits with 1, is late, or is not there. Exit 2 holds.",
    "A field that is null or of the wrong type voids the whole answer.",
    "Hooks fire if the server switches them on for the account.",
    "Its prompt event is PromptSubmit, and no answer to it is read.",
  ],
  fields: ["session_id", "hook_event_name", "workspace_roots"],
  events: {
    PreToolUse: {
      event: "PreToolUse",
      fields: CALL,
      answers: {
        exit2: "always",
        deny: [CLAUDE_DENY],
        allow: [CLAUDE_ALLOW],
        rewrite: { at: UPDATED_INPUT },
        plain: "user",
        message: true,
        stop: "refuses",
      },
    },
    PostToolUse: {
      event: "PostToolUse",
      fields: [...CALL, "tool_response"],
      answers: { exit2: "always", context: [CONTEXT] },
    },
    PromptSubmit: {
      event: "UserPromptSubmit",
      fields: ["prompt"],
      answers: { plain: "user", notice: "user" },
    },
    Stop: { event: "Stop", fields: [], answers: {} },
    SessionStart: { event: "SessionStart", fields: [], answers: { notice: "user" } },
    SessionEnd: { event: "SessionEnd", fields: [], answers: {} },
  },
  tools: {
    "launch-process": { name: "Bash" },
    "save-file": { name: "Write", input: { path: "file_path", file_content: "content" } },
    view: { name: "Read", input: { path: "file_path" } },
    "str-replace-editor": { name: "Edit", input: { path: "file_path" } },
  },
  payload: { conversation_id: "session_id", user_prompt: "prompt", tool_output: "tool_response" },
  unfold: ({ workspace_roots: roots }) => (Array.isArray(roots) ? { cwd: roots[0] } : {}),
  inCalls: ["AUGMENT_AGENT"],
  variables: ["AUGMENT_PROJECT_DIR", "AUGMENT_CONVERSATION_ID", "AUGMENT_HOOK_EVENT", "AUGMENT_TOOL_NAME"],
  reads: {
    ...USUAL,
    flaw: ({ hookSpecificOutput: inside }, native) =>
      inside === undefined || (isObject(inside) && inside.hookEventName === native)
        ? undefined
        : {
            why: "hookSpecificOutput without its hookEventName is shown to the user as text there",
            fix: `add "hookEventName": "${native}"`,
          },
    json: "exit-0",
    fields: {
      continue: "boolean",
      suppressOutput: "boolean",
      stopReason: "string",
      systemMessage: "string",
      [CLAUDE_DENY.words]: "string",
      [UPDATED_INPUT]: "object",
    },
    asks: false,
    fold: { ...USUAL.fold, failureUndoesDeny: true },
  },
};
