import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type InputSchema, UsageError } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { codes, command, scratch } from "./scratch.ts";

/** What a host gives that is not quite what was meant: a guard is asked all the same, or the host is told before it runs. */

const refuses = (command: string) => [{ type: "command", command, onFailure: "block" }];

describe("a session's id too long for the environment", () => {
  it.each(["a".repeat(140_000), "€".repeat(60_000)])("switches no hook off", async (session_id) => {
    const command = 'test -z "$BELAY_SESSION_ID" && exit 2';
    const engine = await scratch().engineFor("PreToolUse", refuses(command));
    const outcome = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {}, session_id });
    expect([outcome.decision, codes(outcome)]).toMatchObject([{ kind: "deny" }, []]);
    expect(outcome.runs[0]).toMatchObject({ exitCode: 2 });
  });
});

it("a relative cwd is meant from the engine's own", async () => {
  const room = scratch();
  mkdirSync(join(room.project, "sub"));
  const engine = await room.engineFor("PreToolUse", refuses("pwd >&2; exit 2"));
  const outcome = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {}, cwd: "sub" });
  expect(outcome.decision).toMatchObject({ kind: "deny", reason: join(room.project, "sub") });
});

describe("a cwd that nothing can be started in is named", () => {
  const rows: [cwd: string, why: string][] = [
    ["gone", "does not exist"],
    ["hooks.json", "is no folder"],
    ["hooks.json/sub", "does not exist"],
  ];
  it.each(rows)("%s %s", async (name, why) => {
    const { engineFor, root } = scratch();
    const cwd = join(root, name);
    const outcome = await (await engineFor("Stop", [command("true")])).fire("Stop", { cwd });
    expect(outcome.runs[0]?.fault).toBe(`the hook could not start: the working folder ${cwd} ${why}`);
  });
});

describe("a tool schema that is none", () => {
  it.each([{ type: "object", properties: {} }, null, "x", { "~standard": {} }])("%j", async (schema) => {
    const engine = await scratch().engineFor("PreToolUse", refuses("exit 0"));
    const toolSchema = schema as unknown as InputSchema;
    const fired = engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }, { toolSchema });
    await expect(fired).rejects.toThrow(UsageError);
    await expect(fired).rejects.toThrow("toolSchema is no Standard Schema");
  });
});
