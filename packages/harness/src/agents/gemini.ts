import type { Harness } from "../harness.ts";
import { geminiLog } from "../logs/gemini.ts";
import { BLOCK_OR_DENY, CALL, CONTEXT } from "../read/claude-words.ts";
import { looseObject } from "../read/form.ts";
import { type Answers, USUAL } from "../read/reads.ts";
import { GROUPS_MS, LONG_MS } from "../settings.ts";

const COMMON: Answers = { message: true, plain: "user" };
const REFUSABLE: Answers = { ...COMMON, exit2: "words", deny: [BLOCK_OR_DENY] };

export const gemini: Harness = {
  name: "gemini",
  title: "Gemini CLI",
  tested: { program: "@google/gemini-cli", version: "0.61.0", date: "2026-11-17" },
  files: [".gemini/settings.json", "~/.gemini/settings.json"],
  settings: {
    program: "gemini",
    project: ".gemini/settings.json",
    user: "~/.gemini/settings.json",
    shape: GROUPS_MS,
    limitMs: LONG_MS,
    trust: "Gemini CLI reads a project's hooks once you trust the folder: it asks when it starts there.",
  },
  notes: [
    "It reads `decision` at the top level. Claude Code's `permissionDecision` is ignored.",
    "Exit codes from 3 on refuse: a script that is not found (127) blocks every call.",
    "An ask ends the process where nobody can be asked. No limit of blocked stops was seen in 30 seconds.",
  ],
  fields: ["session_id", "transcript_path", "cwd", "hook_event_name", "timestamp"],
  events: {
    BeforeTool: {
      event: "PreToolUse",
      fields: CALL,
      answers: {
        ...REFUSABLE,
        // Without a user in front of it, the process ends instead of asking.
        ask: [{ ...BLOCK_OR_DENY, is: ["ask"], ends: true }],
        allow: [{ ...BLOCK_OR_DENY, is: ["allow", "approve"] }],
        rewrite: { at: "hookSpecificOutput.tool_input" },
        stop: "refuses-and-ends",
        stopWords: "stopReason",
      },
    },
    AfterTool: {
      event: "PostToolUse",
      fields: [...CALL, "tool_response"],
      answers: { ...REFUSABLE, context: [CONTEXT], stop: "ends", stopWords: "stopReason" },
    },
    BeforeAgent: {
      event: "UserPromptSubmit",
      fields: ["prompt"],
      answers: {
        ...REFUSABLE,
        wordsTo: "user",
        refusalEnds: true,
        context: [CONTEXT],
        stop: "refuses-and-ends",
        stopWords: "stopReason",
      },
    },
    AfterAgent: {
      event: "Stop",
      fields: ["prompt", "prompt_response", "stop_hook_active"],
      answers: { ...REFUSABLE, stop: "passes" },
    },
    BeforeModel: {
      event: "ModelRequest",
      fields: ["llm_request"],
      answers: { ...REFUSABLE, wordsTo: "user", refusalEnds: true },
    },
    BeforeToolSelection: { event: "ModelRequest", fields: ["llm_request"] },
    AfterModel: { event: "ModelResponse", fields: ["llm_request", "llm_response"], answers: COMMON },
    SessionStart: { event: "SessionStart", fields: ["source"], answers: { ...COMMON, context: [CONTEXT] } },
    SessionEnd: { event: "SessionEnd", documented: true, fields: ["reason"], answers: COMMON },
    PreCompress: { event: "PreCompact", documented: true, fields: ["trigger"], answers: COMMON },
    Notification: {
      event: "Notification",
      documented: true,
      fields: ["message", "notification_type", "details"],
      answers: COMMON,
    },
  },
  tools: {
    run_shell_command: { name: "Bash" },
    write_file: { name: "Write" },
    read_file: { name: "Read", input: { absolute_path: "file_path" } },
    replace: { name: "Edit" },
    glob: { name: "Glob" },
    grep_search: { name: "Grep" },
    search_file_content: { name: "Grep" },
    list_directory: { name: "LS" },
    web_fetch: { name: "WebFetch" },
    google_web_search: { name: "WebSearch" },
    invoke_agent: { name: "Task" },
  },
  log: geminiLog,
  inCalls: ["GEMINI_CLI"],
  variables: ["GEMINI_PROJECT_DIR", "GEMINI_SESSION_ID", "GEMINI_CWD", "CLAUDE_PROJECT_DIR"],
  reads: {
    ...USUAL,
    form: looseObject,
    json: "first",
    otherExits: "refuse-from-3",
    asks: true,
    fold: { ...USUAL.fold, words: "all" },
  },
};
