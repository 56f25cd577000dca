import { type LogEntry, type LoggingAgent, loggingAgents, recordMaker } from "@belay/harness";
import { expect, it } from "vitest";
import { briefRecord, entriesIn, fixture, recordsIn } from "./reading.ts";

const FOLDER = ".claude/projects/-home-you-project";
const read = (name: string) => fixture("claude-code-outcomes", `${FOLDER}/${name}.jsonl`);

it("puts calls, results and runs together as events, with the decision that the log tells", () => {
  const records = recordsIn("claude-code", read("85c6a119-b6fb-460e-8956-7a256dca52f9"));
  expect(records.map(briefRecord)).toEqual([
    "SessionStart none | node ~/hook.mjs chatty 106 ms",
    "UserPromptSubmit none | node ~/hook.mjs chatty 57 ms",
    "PreToolUse Bash none",
    "PostToolUse Bash none | node ~/hook.mjs system 44 ms | node ~/hook.mjs chatty 101 ms",
    "PreToolUse Bash deny by hook node ~/hook.mjs guard: guard: never rm -rf",
    "PreToolUse Bash deny by hook : no network here",
    "PreToolUse Bash allow | node ~/hook.mjs rewrite 196 ms",
    "PostToolUse Bash none | node ~/hook.mjs system 106 ms | node ~/hook.mjs chatty 155 ms",
    "PreToolUse Bash deny by nobody node ~/hook.mjs ask: push needs a person | node ~/hook.mjs ask 134 ms",
    "PreToolUse Bash none | node ~/hook.mjs broken 147 ms",
    "PostToolUseFailure Bash none",
    "PreToolUse Bash none | node ~/hook.mjs hang 1046 ms",
    "PostToolUse Bash none | node ~/hook.mjs system 57 ms | node ~/hook.mjs chatty 78 ms",
    "PreToolUse Bash deny by rule : Permission to use Bash with command mkfs /dev/null has been denied.",
    "PreToolUse Write none",
    "PreToolUse Read none",
    "PostToolUse Write none | node ~/hook.mjs post 84 ms",
    "PostToolUse Read none",
    "PreToolUse WebFetch deny by nobody : Claude requested permissions to use WebFetch, but you haven't granted it yet.",
    "PreToolUse Agent none",
    "PostToolUse Agent none",
    "Stop block by hook node ~/hook.mjs stopblock: run the tests first | node ~/hook.mjs slow 277 ms",
    "Stop none | node ~/hook.mjs stopblock 306 ms | node ~/hook.mjs slow 544 ms",
  ]);
});

it("makes the same records of calls when results are skimmed", () => {
  const text = read("85c6a119-b6fb-460e-8956-7a256dca52f9");
  const calls = (skims: boolean) =>
    recordsIn("claude-code", text, skims).filter(
      ({ event }) => event === "PreToolUse" || event === "UserPromptSubmit",
    );
  expect(calls(true).map((record) => ({ ...record, id: "" }))).toEqual(
    calls(false).map((record) => ({ ...record, id: "" })),
  );
});

it("gives an event the payload that a hook would read", () => {
  const [record] = recordsIn("claude-code", read("210c814d-e877-48ca-8086-8ccc67465a2a")).filter(
    ({ event, outcome }) => event === "PostToolUse" && outcome.blocked,
  );
  expect(record).toMatchObject({
    agent: "claude-code",
    refusedBy: "hook",
    outcome: {
      blocked: true,
      decision: { kind: "block", hook: "node ~/hook.mjs post2", reason: "post2: lint failed" },
    },
    payload: {
      session_id: "210c814d-e877-48ca-8086-8ccc67465a2a",
      transcript_path: "/log.jsonl",
      cwd: "/home/you/project",
      hook_event_name: "PostToolUse",
      tool_name: "Bash",
      tool_input: { command: "echo posttwo", description: "run it" },
      tool_use_id: "toolu_000006fake",
      tool_response: { stdout: "posttwo", stderr: "", interrupted: false },
    },
  });
});

it("keeps a refusal of the question apart from the call", () => {
  const records = recordsIn("claude-code", read("210c814d-e877-48ca-8086-8ccc67465a2a"));
  expect(
    records.map(briefRecord).filter((line) => line.includes("permreq") || line.startsWith("Permission")),
  ).toEqual(["PermissionRequest Bash deny by hook : permreq says no"]);
});

it("does not wait for ever for results", () => {
  const line = (index: number) =>
    JSON.stringify({
      sessionId: "s",
      timestamp: "2026-01-01T00:00:00.000Z",
      type: "assistant",
      message: {
        role: "assistant",
        content: [{ type: "tool_use", id: `${index}`, name: "Bash", input: {} }],
      },
    });
  const harness = loggingAgents[0] as LoggingAgent;
  const { add, end } = recordMaker(harness, "/log.jsonl");
  const text = Array.from({ length: 1000 }, (_, index) => line(index)).join("\n");
  const made = (entriesIn("claude-code", text) as LogEntry[]).flatMap(add);
  expect(made.length).toBeGreaterThan(900);
  expect([...made, ...end()]).toHaveLength(1001);
});
