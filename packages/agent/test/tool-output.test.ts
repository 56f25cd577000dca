import { describe, expect, it } from "vitest";
import { convertMessagesForAPI } from "../src/conversation/convert.ts";
import { stage } from "./stage.ts";

const answers = (event: string, fields: object, common: object = {}) => ({
  type: "json",
  json: { ...common, hookSpecificOutput: { hookEventName: event, ...fields } },
});
const after = (value: unknown, common?: object) =>
  answers("PostToolUse", { updatedToolOutput: value }, common);
const SECRET = "token-of-the-user";

describe("a tool's result that a hook replaced, in the dialect claude-code", () => {
  const rows: [name: string, hooks: readonly object[], read: string, success: boolean][] = [
    ["text", [after("[redacted]")], "[redacted]", true],
    ["an object is read as JSON", [after({ stdout: "[redacted]" })], '{"stdout":"[redacted]"}', true],
    ["the later configured counts", [after("one"), after("two")], "two", true],
    [
      "exit 2 of another hook is appended to it",
      [after("[redacted]"), "echo lint failed >&2; exit 2"].map((hook) =>
        typeof hook === "string" ? { type: "command", command: hook } : hook,
      ),
      "[redacted]\nlint failed",
      false,
    ],
    ["a block beside it", [after("[redacted]", { decision: "block", reason: "no" })], "[redacted]", true],
  ];
  it.each(rows)("%s", async (_, hooks, read, success) => {
    const { agent } = await stage({
      reads: "claude-code",
      hooks: { PostToolUse: hooks },
      mode: "bypass",
      replies: [{ calls: [{ name: "Bash", input: { command: `printf ${SECRET}` } }] }, "Done."],
    });
    await agent.send("do it");
    const tool = agent.state.messages.flatMap(({ blocks }) => blocks).find(({ type }) => type === "tool");
    expect(tool).toMatchObject({ stage: "done", success, result: read });
    expect(JSON.stringify(convertMessagesForAPI(agent.state.messages)).split(SECRET)).toHaveLength(2);
  });
});

it("a call that a hook defers does not run, and the turn ends", async () => {
  const { agent, has, seen } = await stage({
    reads: "claude-code",
    hooks: {
      PreToolUse: [
        answers("PreToolUse", { permissionDecision: "defer", permissionDecisionReason: "ask me later" }),
      ],
    },
    mode: "bypass",
    replies: [{ calls: [{ name: "Bash", input: { command: "echo ran > ran.txt" } }] }],
  });
  expect((await agent.send("do it")).reason).toBe("stopped");
  expect(has("ran.txt")).toBe(false);
  expect(seen().join("\n")).toContain("error: ask me later");
});
