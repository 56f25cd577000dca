import type { Harness } from "../harness.ts";
import { droidLog } from "../logs/droid.ts";
import {
  BLOCK,
  CALL,
  CLAUDE_ALLOW,
  CLAUDE_ASK,
  CLAUDE_DENY,
  CONTEXT,
  UPDATED_INPUT,
} from "../read/claude-words.ts";
import { unmarkedObject } from "../read/form.ts";
import { type Answers, USUAL } from "../read/reads.ts";
import { GROUPS, LONG_MS } from "../settings.ts";

const STOP: Answers = { exit2: "always", deny: [{ ...BLOCK, needsWords: true }] };

export const droid: Harness = {
  name: "droid",
  title: "Factory Droid",
  tested: { program: "droid", version: "0.215.0", date: "2026-11-17" },
  files: [".factory/hooks.json", ".factory/settings.json", "~/.factory/settings.json"],
  settings: {
    program: "droid",
    project: ".factory/settings.json",
    user: "~/.factory/settings.json",
    moved: { folder: "~", by: "FACTORY_HOME_OVERRIDE" },
    shape: GROUPS,
    limitMs: LONG_MS,
    insteadOf: ".factory/hooks.json",
  },
  notes: [
    "`.factory/hooks.json` holds the events themselves; with a `hooks` key around them no hook runs.",
    "The first hook's JSON decides: its allow undoes a deny of a later hook. Exit 2 always refuses.",
    "An http entry silences the other hooks. UserPromptSubmit does not fire in `droid exec`.",
  ],
  fields: ["session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode"],
  events: {
    PreToolUse: {
      event: "PreToolUse",
      fields: CALL,
      answers: {
        exit2: "always",
        endingExit: 3,
        deny: [CLAUDE_DENY],
        ask: [CLAUDE_ASK],
        allow: [CLAUDE_ALLOW],
        rewrite: { at: UPDATED_INPUT, needs: "no-ask" },
        stop: "refuses-and-ends",
        stopWords: "stopReason",
      },
    },
    PostToolUse: {
      event: "PostToolUse",
      fields: [...CALL, "tool_response"],
      answers: { exit2: "always", context: [CONTEXT], stop: "ends", stopWords: "stopReason" },
    },
    UserPromptSubmit: {
      event: "UserPromptSubmit",
      documented: true,
      fields: ["prompt"],
      answers: {
        exit2: "always",
        deny: [BLOCK],
        wordsTo: "user",
        refusalEnds: true,
        context: [CONTEXT],
        plain: "agent",
      },
    },
    Stop: { event: "Stop", fields: ["stop_hook_active"], answers: STOP },
    SubagentStop: { event: "SubagentStop", documented: true, fields: ["stop_hook_active"], answers: STOP },
    SessionStart: {
      event: "SessionStart",
      fields: ["source"],
      answers: { context: [CONTEXT], plain: "agent" },
    },
    SessionEnd: { event: "SessionEnd", fields: ["reason"], answers: {} },
    PreCompact: { event: "PreCompact", fields: ["trigger", "custom_instructions"], answers: {} },
    Notification: { event: "Notification", fields: ["message"], answers: {} },
  },
  tools: {
    Execute: { name: "Bash" },
    Create: { name: "Write" },
    Edit: { name: "Edit" },
    ApplyPatch: { name: "Edit" },
    Read: { name: "Read" },
    LS: { name: "LS" },
    Grep: { name: "Grep" },
    Glob: { name: "Glob" },
    FetchUrl: { name: "WebFetch" },
    WebSearch: { name: "WebSearch" },
    TodoWrite: { name: "TodoWrite" },
  },
  variables: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE"],
  reads: {
    ...USUAL,
    form: unmarkedObject,
    json: "any",
    exit1Stderr: "agent",
    asks: false,
    fold: { decision: "first", words: "first", rewrite: "first-configured", merges: true },
  },
  log: droidLog,
};
