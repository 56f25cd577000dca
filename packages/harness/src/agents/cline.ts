import type { Harness } from "../harness.ts";
import { markedObject } from "../read/form.ts";
import type { Answers } from "../read/reads.ts";

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
  },
  tools: { run_commands: { name: "Bash", input: { commands: "command" } } },
  payload: { taskId: "session_id", hookName: "hook_event_name" },
  variables: [],
  reads: {
    form: markedObject("HOOK_CONTROL\t"),
    json: "first",
    asks: false,
    fold: { decision: "strictest", words: "first", rewrite: "last-configured" },
  },
};
