import { isObject } from "@belay/core/internal";
import type { Harness } from "../harness.ts";
import { markedObject } from "../read/form.ts";
import { type Answers, USUAL } from "../read/reads.ts";

/** A cancel ends the whole task, and its reason reaches nobody. */
const CANCEL: Answers = {
  deny: [{ at: "cancel", is: [true] }],
  refusalEnds: true,
  wordsTo: "nobody",
  context: ["context", "contextModification", "errorMessage"],
};

export const cline: Harness = {
  name: "cline",
  title: "Cline",
  tested: { program: "cline", version: "3.0.65", date: "2026-11-17" },
  files: [".clinerules/hooks/<event>", "~/.cline/hooks/<event>"],
  settings: {
    program: "cline",
    project: ".clinerules/hooks/<event>",
    user: "~/.cline/hooks/<event>.sh",
    moved: { folder: "~/.cline", by: "CLINE_DIR" },
    shape: { kind: "script" },
    limitMs: 35_000,
  },
  notes: [
    "Hooks are executables that are named after their event.",
    "A `cancel` ends the whole task, and its reason reaches nobody. Exit codes are ignored.",
    "No time limit was reached in 35 seconds.",
  ],
  fields: ["session_id", "hook_event_name", "timestamp", "workspace_roots"],
  events: {
    PreToolUse: {
      event: "PreToolUse",
      fields: ["tool_name", "tool_input"],
      answers: { ...CANCEL, rewrite: { at: "overrideInput" } },
    },
    PostToolUse: { event: "PostToolUse", fields: ["tool_name", "tool_response"], answers: CANCEL },
    TaskStart: { event: "SessionStart", fields: [], answers: {} },
    TaskComplete: { event: "Stop", fields: [], answers: {} },
    SessionShutdown: { event: "SessionEnd", fields: [] },
  },
  tools: { run_commands: { name: "Bash", input: { commands: "command" } } },
  payload: { taskId: "session_id" },
  unfold,
  versionIn: ["clineVersion"],
  inCalls: ["CLINE_ACTIVE"],
  variables: [],
  reads: {
    ...USUAL,
    form: markedObject("HOOK_CONTROL\t"),
    json: "first",
    asks: false,
  },
};

/** Its own names of the moments, and the events that a hook's file is named after. */
const MOMENTS: Readonly<Record<string, string>> = {
  tool_call: "PreToolUse",
  tool_result: "PostToolUse",
  agent_start: "TaskStart",
  session_shutdown: "SessionShutdown",
};

function unfold({ hookName, tool_call, tool_result, workspaceRoots }: Readonly<Record<string, unknown>>) {
  const call = isObject(tool_call) ? tool_call : isObject(tool_result) ? tool_result : undefined;
  const [cwd] = Array.isArray(workspaceRoots) ? workspaceRoots : [];
  return {
    ...(typeof hookName === "string" && { hook_event_name: MOMENTS[hookName] ?? hookName }),
    ...(call && { tool_name: call.name, tool_input: call.input, tool_use_id: call.id }),
    ...(isObject(tool_result) && { tool_response: tool_result.output }),
    ...(cwd !== undefined && { cwd }),
  };
}
