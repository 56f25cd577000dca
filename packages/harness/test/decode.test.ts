import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { decode, HARNESSES, harnessNamed } from "../src/index.ts";

type Fields = Record<string, unknown>;

function decoded(agent: string, sent: Fields, named?: string) {
  const harness = harnessNamed(agent);
  if (!harness) throw new Error(`no harness ${agent}`);
  return decode(harness, sent, named);
}

const COMMAND = "echo hi > a.txt";
const OURS = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: COMMAND } };

/** A call as each agent sends it (fixtures/agents/payloads has more), shortened. */
const CALLS: [agent: string, sent: Fields, named?: string][] = [
  ["claude-code", { session_id: "s", cwd: "/p", ...OURS }],
  ["codex", { session_id: "s", cwd: "/p", ...OURS }],
  [
    "gemini",
    {
      session_id: "s",
      cwd: "/p",
      hook_event_name: "BeforeTool",
      tool_name: "run_shell_command",
      tool_input: { command: COMMAND },
    },
  ],
  ["copilot", { sessionId: "s", cwd: "/p", toolName: "bash", toolArgs: { command: COMMAND } }, "preToolUse"],
  [
    "copilot",
    { sessionId: "s", cwd: "/p", toolName: "bash", toolArgs: JSON.stringify({ command: COMMAND }) },
    "preToolUse",
  ],
  [
    "cursor",
    {
      session_id: "s",
      workspace_roots: ["/p"],
      hook_event_name: "preToolUse",
      tool_name: "Shell",
      tool_input: { command: COMMAND },
    },
  ],
  ["cursor", { session_id: "s", cwd: "/p", hook_event_name: "beforeShellExecution", command: COMMAND }],
  [
    "droid",
    {
      session_id: "s",
      cwd: "/p",
      hook_event_name: "PreToolUse",
      tool_name: "Execute",
      tool_input: { command: COMMAND },
    },
  ],
  [
    "grok",
    {
      sessionId: "s",
      session_id: "s",
      cwd: "/p",
      hookEventName: "pre_tool_use",
      hook_event_name: "PreToolUse",
      toolName: "run_terminal_command",
      toolInput: { command: COMMAND },
    },
  ],
  [
    "auggie",
    {
      conversation_id: "s",
      workspace_roots: ["/p"],
      hook_event_name: "PreToolUse",
      tool_name: "launch-process",
      tool_input: { command: COMMAND },
    },
  ],
  ["kimi", { session_id: "s", cwd: "/p", tool_call_id: "c", ...OURS }],
];

describe("a payload under our names", () => {
  for (const [agent, sent, named] of CALLS)
    it(`${agent} ${named ?? sent.hook_event_name}`, () => {
      expect(decoded(agent, sent, named)).toMatchObject({
        event: "PreToolUse",
        payload: { session_id: "s", cwd: "/p", ...OURS, native: { agent } },
      });
    });

  it("of Cline, whose payload keeps the call inside", () => {
    const sent = {
      taskId: "s",
      hookName: "tool_call",
      workspaceRoots: ["/p"],
      tool_call: { id: "c", name: "run_commands", input: { commands: [COMMAND] } },
    };
    expect(decoded("cline", sent)).toMatchObject({
      event: "PreToolUse",
      payload: {
        session_id: "s",
        cwd: "/p",
        tool_name: "Bash",
        tool_input: { command: [COMMAND] },
        native: { tool_name: "run_commands" },
      },
    });
  });

  it("keeps what the agent calls it", () => {
    const sent = {
      hook_event_name: "BeforeTool",
      tool_name: "read_file",
      tool_input: { absolute_path: "/p/a" },
    };
    expect(decoded("gemini", sent)).toMatchObject({
      payload: {
        tool_name: "Read",
        tool_input: { file_path: "/p/a" },
        native: {
          agent: "gemini",
          event: "BeforeTool",
          tool_name: "read_file",
          tool_input: { absolute_path: "/p/a" },
        },
      },
    });
  });

  it.each(HARNESSES.filter(({ reads }) => reads).map(({ name }) => name))(
    "is made of all that %s sent when its payloads were collected",
    (agent) => {
      const file = fileURLToPath(
        new URL(`../../../fixtures/agents/payloads/${agent}.jsonl`, import.meta.url),
      );
      // Of Cursor none could be collected.
      const sent = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
      const problems = sent
        .map((line): { event: string; payload: Fields } => JSON.parse(line))
        .flatMap(({ event, payload }) => {
          const inPayload = decoded(agent, payload);
          const found = "problem" in inPayload ? decoded(agent, payload, event) : inPayload;
          return "problem" in found ? [found.problem] : [];
        });
      expect(problems).toEqual([]);
    },
  );

  it.each([
    [
      "cursor",
      { hook_event_name: "postToolUseFailure", tool_name: "Shell", tool_input: {}, error_message: "no" },
      { event: "PostToolUseFailure", payload: { tool_name: "Bash", error: "no" } },
    ],
    [
      "cursor",
      { hook_event_name: "afterFileEdit", file_path: "/p/a", edits: [] },
      { event: "FileEdited", payload: { file_path: "/p/a", edits: [] } },
    ],
    [
      "cursor",
      { hook_event_name: "beforeReadFile", file_path: "/p/a", content: "hi", attachments: [] },
      { event: "PreToolUse", payload: { tool_name: "Read", tool_input: { file_path: "/p/a" } } },
    ],
    [
      "cursor",
      { hook_event_name: "afterShellExecution", command: COMMAND, output: "hi", duration: 7 },
      {
        event: "PostToolUse",
        payload: { tool_name: "Bash", tool_input: { command: COMMAND }, tool_response: "hi", duration_ms: 7 },
      },
    ],
    [
      "cursor",
      { hook_event_name: "afterAgentResponse", text: "Finished." },
      { event: "ModelResponse", payload: { response: { text: "Finished." } } },
    ],
    [
      "qwen",
      { hook_event_name: "InstructionsLoaded", file_path: "/p/QWEN.md" },
      { event: "InstructionsLoaded", payload: { file_path: "/p/QWEN.md" } },
    ],
    [
      "qwen",
      { hook_event_name: "MessageDisplay", displayed_text: "Yes.", is_final: true },
      { event: "MessageDisplay", payload: { delta: "Yes.", final: true } },
    ],
    [
      "qwen",
      { hook_event_name: "PostToolBatch", tool_calls: [] },
      { event: "PostToolBatch", payload: { tool_calls: [] } },
    ],
  ])("is made of what %s says besides calls", (agent, sent, expected) => {
    expect(decoded(agent, sent)).toMatchObject(expected);
  });

  it("says why it cannot be read", () => {
    expect(decoded("codex", {})).toEqual({
      event: undefined,
      problem: "the payload does not say which event of Codex it is",
    });
    expect(decoded("codex", { hook_event_name: "Later" })).toEqual({
      event: "Later",
      problem: 'Codex has no event "Later" that is known here',
    });
  });
});
