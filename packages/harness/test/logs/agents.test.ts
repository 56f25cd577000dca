import type { LogEntry } from "@belay/harness";
import { describe, expect, it } from "vitest";
import { brief, briefRecord, entriesIn, fixture, recordsIn } from "./reading.ts";

/* One scripted session in each agent: `npm run agents -- --logs` makes these logs. */

/** Calls that went through, each with the runs of hooks before and after it. */
const ran = (tools: readonly string[], before = "", after = before) =>
  tools.flatMap((tool) => [`PreToolUse ${tool} none${before}`, `PostToolUse ${tool} none${after}`]);

const SESSIONS: Readonly<Record<string, { readonly path: string; readonly records: readonly string[] }>> = {
  codex: {
    path: ".codex/sessions/2026/01/05/rollout-2026-01-05T10-00-01-00000001-0000-4000-8000-000000000000.jsonl",
    records: [
      "SessionStart none",
      "UserPromptSubmit none",
      ...ran(["Bash", "Edit", "Edit"]),
      "PreToolUse Bash deny by hook : This is forbidden.",
      "PreToolUse Bash deny by hook : This is forbidden too.",
      ...ran(["Bash"]),
      "PreToolUse Bash none",
      ...ran(["Bash"]),
      "PostToolUse Bash none",
      ...ran(["Agent"]),
      "Stop block by hook /home/you/.codex/hooks.json:6: Say it in one line.",
      "Stop none",
    ],
  },
  gemini: {
    path: ".gemini/tmp/project/chats/session-2026-01-05T09-59-00000001.jsonl",
    records: [
      "SessionStart none",
      "UserPromptSubmit none",
      ...ran(["Bash", "Read", "Write", "Edit"]),
      "PreToolUse Bash deny by hook : This is forbidden.",
      "PreToolUse Bash deny by hook : This is forbidden too.",
      ...ran(["Bash", "Read", "Bash", "Bash"]),
      "UserPromptSubmit none",
    ],
  },
  qwen: {
    path: ".qwen/projects/-home-you-project/chats/00000002-0000-4000-8000-000000000000.jsonl",
    records: [
      "SessionStart none",
      "UserPromptSubmit none",
      ...ran(["Bash", "Read", "Write", "Edit"]),
      "PreToolUse Bash deny by hook : This is forbidden.",
      "PreToolUse Bash deny by hook : This is forbidden too.",
      "PreToolUse Bash none",
      "PostToolUseFailure Bash none",
      "PreToolUse Read none",
      "PostToolUseFailure Read none",
      "PreToolUse Bash none",
      ...ran(["Bash"]),
      "PostToolUse Bash none",
      ...ran(["Agent"]),
      "Stop none",
      "Stop none",
      "Stop none",
    ],
  },
  copilot: {
    path: ".copilot/session-state/00000001-0000-4000-8000-000000000000/events.jsonl",
    records: [
      "SessionStart none | (not named)",
      "UserPromptSubmit none | (not named)",
      ...ran(["Bash", "Read"], " | (not named)"),
      ...ran(["Write"], " | (not named)", " | /home/you/.copilot/hooks/measured.json"),
      ...ran(["Edit"], " | (not named)"),
      "PreToolUse Bash deny by hook : This is forbidden. | (not named)",
      "PreToolUse Bash deny by hook : hook exited with code 2 | (not named)",
      ...ran(["Bash"], " | (not named)"),
      "PreToolUse Read none | (not named)",
      "PostToolUseFailure Read none",
      "PreToolUse Bash none | (not named)",
      ...ran(["Bash"], "", " | (not named)"),
      "PostToolUse Bash none | (not named)",
      ...ran(["Task"], " | (not named)"),
      "UserPromptSubmit none | (not named)",
      ...ran(["Bash"], " | (not named)", " | /home/you/.copilot/hooks/measured.json"),
      "Stop block by hook : Say it in one line. | (not named)",
      "Stop none | (not named)",
      "SessionEnd none | (not named)",
    ],
  },
  droid: {
    path: ".factory/sessions/-home-you-project/00000002-0000-4000-8000-000000000000.jsonl",
    records: [
      "SessionStart none | node /home/you/hooks/greet.mjs",
      "UserPromptSubmit none",
      ...ran(
        ["Bash", "Read", "Write", "Edit"],
        " | node /home/you/hooks/guard.mjs | node /home/you/hooks/slow-look.mjs",
        " | node /home/you/hooks/format.mjs",
      ),
      "PreToolUse Bash deny by hook node /home/you/hooks/guard.mjs: This is forbidden. | node /home/you/hooks/guard.mjs | node /home/you/hooks/slow-look.mjs",
      "PreToolUse Bash deny by hook node /home/you/hooks/guard.mjs: This is forbidden too. | node /home/you/hooks/guard.mjs | node /home/you/hooks/slow-look.mjs",
      ...ran(["Bash", "Read"], " | node /home/you/hooks/guard.mjs | node /home/you/hooks/slow-look.mjs", ""),
      "PreToolUse Bash none | node /home/you/hooks/guard.mjs | node /home/you/hooks/slow-look.mjs",
      "PreToolUse Bash allow | node /home/you/hooks/guard.mjs | node /home/you/hooks/slow-look.mjs",
      "PostToolUse Bash none | node /home/you/hooks/format.mjs",
      "PostToolUse Bash none | node /home/you/hooks/format.mjs",
      ...ran(
        ["Task"],
        " | node /home/you/hooks/guard.mjs | node /home/you/hooks/slow-look.mjs",
        " | node /home/you/hooks/format.mjs",
      ),
      "Stop block by hook node /home/you/hooks/finish.mjs: Say it in one line. | node /home/you/hooks/finish.mjs",
      "Stop none | node /home/you/hooks/finish.mjs",
      "Stop none | node /home/you/hooks/finish.mjs",
      "SessionEnd none | node /home/you/hooks/goodbye.mjs",
    ],
  },
  pi: {
    path: ".pi/agent/sessions/--home-you-project--/2026-01-05T10-00-00-876Z_00000001-0000-4000-8000-000000000000.jsonl",
    records: [
      "SessionStart none",
      "UserPromptSubmit none",
      ...ran(["Bash", "Read", "Write", "Edit", "Bash", "Bash", "Bash", "Read"]),
      "PreToolUse Bash none",
      ...ran(["Bash"]),
      "PostToolUse Bash none",
      "Stop none",
      "Stop none",
    ],
  },
};

describe.each(Object.entries(SESSIONS))("a session log of %s", (agent, { path, records }) => {
  const text = fixture(agent, path);

  it("is read as the events there were", () => {
    const found = recordsIn(agent, text).map((record) => briefRecord(record).replaceAll(/ \d+ ms/g, ""));
    expect(found).toEqual(records);
  });

  it("has no line that says something and cannot be read", () => {
    expect(entriesIn(agent, text).filter(({ kind }) => kind === "flaw")).toEqual([]);
  });

  it("is read without its first line, which most logs say the session in", () => {
    const [first = "", ...rest] = text.split("\n");
    const calls = (log: string) =>
      entriesIn(agent, log, false, path).flatMap((entry) => (entry.kind === "call" ? [entry] : []));
    const found = calls([first.slice(0, -9), ...rest].join("\n"));
    expect(found.map(({ id }) => id)).toEqual(calls(text).map(({ id }) => id));
    const [session, ...others] = new Set(found.map((call) => call.session));
    expect([path.includes(String(session)), others]).toEqual([true, []]);
  });

  it("says the same of calls, refusals and runs when it is skimmed", () => {
    const said = (skims: boolean) =>
      entriesIn(agent, text, skims)
        .filter(
          (entry) =>
            entry.kind === "call" || entry.kind === "hook" || (entry.kind === "result" && entry.failed),
        )
        .map(brief);
    expect(said(true)).toEqual(said(false));
    expect(entriesIn(agent, text, true).length).toBeLessThanOrEqual(entriesIn(agent, text).length);
  });

  it("has calls under our names, and their own as native", () => {
    const [call] = entriesIn(agent, text).filter((entry) => entry.kind === "call" && entry.tool === "Bash");
    expect(call).toMatchObject({
      tool: "Bash",
      input: { command: "printf 'one\\ntwo\\n' > notes.txt && wc -l notes.txt" },
      native: { tool: expect.not.stringMatching(/^Bash$/) },
      session: expect.any(String),
      time: expect.stringMatching(/^2026-01-05T10:00:0/),
    });
  });
});

/** Lines before the one that is read. */
const CODEX = JSON.stringify({
  timestamp: "2026-01-01T00:00:00.000Z",
  type: "session_meta",
  payload: { id: "b", session_id: "a", cwd: "/p" },
});
const codex = (payload: object) =>
  `${CODEX}\n${JSON.stringify({ timestamp: "2026-01-01T00:00:00.000Z", type: "response_item", payload })}`;
const codexItem = (item: object) =>
  `${CODEX}\n${JSON.stringify({ timestamp: "2026-01-01T00:00:00.000Z", type: "event_msg", payload: { type: "item_completed", thread_id: "b", turn_id: "t", item } })}`;
const codexResult = (output: string) => codex({ type: "function_call_output", call_id: "c", output });
const qwenResult = (error: string, status = "error", errorType = "execution_denied") =>
  JSON.stringify({
    sessionId: "s",
    timestamp: "2026-01-01T00:00:00.000Z",
    agentId: "x",
    type: "tool_result",
    message: { parts: [{ functionResponse: { id: "c", response: { error } } }] },
    toolCallResult: { status, errorType },
  });
const copilot = (error: object) =>
  [
    { type: "session.start", timestamp: "2026-01-01T00:00:00.000Z", data: { sessionId: "s", context: {} } },
    {
      type: "tool.execution_complete",
      timestamp: "2026-01-01T00:00:00.000Z",
      data: { toolCallId: "c", success: false, error },
    },
  ]
    .map((line) => JSON.stringify(line))
    .join("\n");

describe("a line of a session log", () => {
  it.each([
    [
      "codex",
      "by a subagent",
      codex({ type: "function_call", call_id: "c", name: "exec_command", arguments: '{"cmd":"ls"}' }),
      'call subagent=b id=c tool=Bash input={"command":"ls"}',
    ],
    [
      "codex",
      "in older words",
      codex({
        type: "function_call",
        call_id: "c",
        name: "shell",
        arguments: '{"command":["bash","-lc","ls | wc"]}',
      }),
      'tool=Bash input={"command":"ls | wc"}',
    ],
    [
      "codex",
      "with other arguments",
      codex({ type: "function_call", call_id: "c", name: "x", arguments: "no JSON" }),
      "tool=x input={}",
    ],
    [
      "codex",
      "for the user",
      codexResult('exec_command failed: CreateProcess { message: "Rejected(\\"no thanks\\")" }'),
      "deniedBy=hook event=PermissionRequest reason=no thanks",
    ],
    [
      "codex",
      "by the user",
      codexResult('exec_command failed: CreateProcess { message: "Rejected(\\"rejected by user\\")" }'),
      "deniedBy=user",
    ],
    [
      "codex",
      "by a hook, in code mode",
      codexResult(
        "Script failed\nWall time 0.1 seconds\nOutput:\n\nScript error:\nCommand blocked by PreToolUse hook: Not that. Command: rm x",
      ),
      "deniedBy=hook event=PreToolUse reason=Not that",
    ],
    [
      "codex",
      "of a command that code ran",
      codexItem({
        type: "CommandExecution",
        id: "exec-63bc4a11-b5a1-42a9-9190-1aa4284bb42e",
        command: ["/bin/bash", "-lc", "ls nope"],
        aggregated_output: "ls: cannot access",
        exit_code: 2,
      }),
      'tool=Bash input={"command":"ls nope"} native={"tool":"exec_command","input":{"cmd":"ls nope"}}\nresult subagent=b id=exec-63bc4a11-b5a1-42a9-9190-1aa4284bb42e output=ls: cannot access failed=true',
    ],
    ["codex", "of a failure", codexResult("Exit code: 1\nOutput:\n"), "failed=true"],
    ["codex", "that is not whole", codexResult("x").slice(0, -5), "flaw why=torn"],
    ["codex", "without a session", codexResult("x").split("\n")[1] ?? "", "result id=c output=x"],
    [
      "qwen",
      "by a rule",
      qwenResult('Qwen Code requires permission to use "x", but that permission was declined.'),
      "deniedBy=rule",
    ],
    ["qwen", "by the user", qwenResult("[Operation Cancelled]", "cancelled", ""), "deniedBy=user"],
    ["qwen", "of a failure", qwenResult("no such file", "error", "file_not_found"), "failed=true"],
    ["qwen", "in another format", '{"type":"user","message":{}}', "flaw why=foreign"],
    ["gemini", "without a time", '{"id":"a","type":"user","content":[]}', "flaw why=foreign"],
    ["gemini", "that is not whole", '{"sessionId":"a"', "flaw why=torn"],
    [
      "copilot",
      "by a hook that failed",
      copilot({ code: "denied", message: 'Denied by preToolUse hook from "/h.json" (hook errored)' }),
      "deniedBy=hook event=PreToolUse reason=hook errored hook=/h.json",
    ],
    [
      "copilot",
      "by the user",
      copilot({ code: "rejected", message: "The user rejected this tool call." }),
      "deniedBy=user",
    ],
    [
      "copilot",
      "by a rule",
      copilot({ code: "denied", message: "Denied by permission rules" }),
      "deniedBy=rule",
    ],
    ["copilot", "without a time", '{"type":"user.message","data":{}}', "flaw why=foreign"],
    ["droid", "without a time", '{"type":"message","message":{"role":"user"}}', "flaw why=foreign"],
    ["droid", "that is not whole", '{"type":"session_start","id":"a"', "flaw why=torn"],
    ["pi", "without a time", '{"type":"message","message":{"role":"user"}}', "flaw why=foreign"],
    ["pi", "that is not whole", '{"type":"session","id":"a"', "flaw why=torn"],
  ])("of %s %s is read as it is meant", (agent, _, line, expected) => {
    expect(entriesIn(agent, line).map(brief).join("\n")).toContain(expected);
  });

  it("of a subagent of droid belongs to the session that called it", () => {
    const path = ".factory/sessions/-home-you-project/00000001-0000-4000-8000-000000000000.jsonl";
    const entries = entriesIn("droid", fixture("droid", path)) as LogEntry[];
    const subagent = "00000001-0000-4000-8000-000000000000";
    for (const { session, ...entry } of entries)
      expect([session, entry.subagent]).toEqual(["00000002-0000-4000-8000-000000000000", subagent]);
    expect(entries.map((entry) => brief(entry).replace(` subagent=${subagent}`, ""))).toEqual([
      expect.stringMatching(/^hook event=SessionStart ms=147 hook=.*greet\.mjs/),
      expect.stringMatching(/^hook event=UserPromptSubmit .* ms=519 .*did=pass/),
      expect.stringMatching(/^prompt text=# Task Tool Invocation/),
      expect.stringMatching(/^call id=call_00120fake tool=Bash input=\{"command":"ls"/),
      expect.stringMatching(
        /^hook event=PreToolUse moment=call_00120fake ms=807 together=2 hook=.*guard\.mjs/,
      ),
      expect.stringMatching(
        /^hook event=PreToolUse moment=call_00120fake ms=807 together=2 hook=.*slow-look/,
      ),
      expect.stringMatching(/^hook event=PostToolUse .*did=fail reason=The formatter is not there\./),
      expect.stringMatching(/^result id=call_00120fake output=list\.md.* failed=false$/s),
      expect.stringMatching(/^hook event=Stop .*did=pass$/),
      expect.stringMatching(/^hook event=SessionEnd .*did=pass$/),
    ]);
  });

  it("of gemini tells the folder, and a message that is written again says nothing new", () => {
    const header = { sessionId: "s", startTime: "2026-01-01T00:00:00.000Z" };
    const context = {
      text: "<session_context>\n- **Workspace Directories:**\n  - /home/you/a b\n- **Directory",
    };
    const message = {
      id: "m",
      timestamp: "2026-01-01T00:00:01.000Z",
      type: "gemini",
      toolCalls: [{ id: "c", name: "glob", args: {}, status: "cancelled", result: [] }],
    };
    const lines = [header, { $set: { messages: [{ type: "user", content: [context] }] } }, message, message];
    const said = entriesIn("gemini", lines.map((line) => JSON.stringify(line)).join("\n"));
    expect(said.map((entry) => [brief(entry), "cwd" in entry && entry.cwd])).toEqual([
      ["start", false],
      ['call id=c tool=Glob input={} native={"tool":"glob","input":{}}', "/home/you/a b"],
      ["result id=c output= failed=true deniedBy=user reason=", "/home/you/a b"],
    ]);
  });
});
