import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Outcome, outcomeSchema } from "@belay/engine";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { BIN, inTerminal, scratch } from "./cli.ts";

const shell = (command: string, more: object = {}) => ({
  hooks: [{ type: "command", command, name: "guard", ...more }],
});
const json = (output: object) => ({ hooks: [{ type: "json", json: output, name: "guard" }] });
const permission = (permissionDecision: string) =>
  json({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision,
      permissionDecisionReason: "because",
    },
  });

describe("exit codes", () => {
  const rows: [what: string, group: object, event: string, code: number, kind: string][] = [
    ["a silent hook", shell("true"), "PreToolUse", 0, "none"],
    ["exit 2", shell("echo no >&2; exit 2"), "PreToolUse", 2, "deny"],
    ["a silent exit 2", shell("exit 2"), "PreToolUse", 2, "deny"],
    ["another exit", shell("exit 3"), "PreToolUse", 0, "none"],
    ["an allow", permission("allow"), "PreToolUse", 0, "allow"],
    ["an ask", permission("ask"), "PreToolUse", 3, "ask"],
    ["a deny", permission("deny"), "PreToolUse", 2, "deny"],
    ["a stop", json({ continue: false, stopReason: "enough" }), "Stop", 2, "stop"],
    ["a blocked prompt", shell("echo no >&2; exit 2"), "UserPromptSubmit", 2, "block"],
    ["exit 2 where nothing can be blocked", shell("exit 2"), "SessionEnd", 0, "none"],
  ];
  test.each(rows)("%s", async (_what, group, event, code, kind) => {
    const { belay, config } = scratch();
    const result = await belay(["run", event, "--json", "--config", config({ [event]: [group] })]);
    const outcome = JSON.parse(result.stdout) as Outcome;
    expect(v.is(outcomeSchema, outcome)).toBe(true);
    expect({ code: result.code, kind: outcome.decision.kind, stderr: result.stderr }).toEqual({
      code,
      kind,
      stderr: "",
    });
  });
});

describe("the payload", () => {
  const echo = {
    PreToolUse: [shell("cat > seen.json")],
    SessionStart: [shell("cat > seen.json")],
    UserPromptSubmit: [shell("cat > seen.json")],
  };
  const rows: [what: string, args: string[], input: string, expected: object][] = [
    [
      "comes from the sample",
      ["PreToolUse"],
      "",
      { tool_name: "Bash", tool_input: { command: "npm test" }, permission_mode: "default" },
    ],
    [
      "takes a tool",
      ["PreToolUse", "--tool", "Edit", "--tool-input", '{"file_path":"a"}'],
      "",
      { tool_name: "Edit", tool_input: { file_path: "a" } },
    ],
    ["takes a prompt", ["UserPromptSubmit", "--prompt", "hello"], "", { prompt: "hello" }],
    [
      "sets any field",
      ["SessionStart", "--set", 'source="resume"', "--set", 'extra={"a":[1]}'],
      "",
      { source: "resume", extra: { a: [1] } },
    ],
    [
      "is read from stdin only when asked",
      ["UserPromptSubmit"],
      '{"prompt":"not read"}',
      { prompt: "Add a test for the parser" },
    ],
    ["is read from stdin", ["UserPromptSubmit", "--input", "-"], '{"prompt":"read"}', { prompt: "read" }],
    ["carries the session", ["PreToolUse", "--session", "any string"], "", { session_id: "any string" }],
  ];
  test.each(rows)("%s", async (_what, args, input, expected) => {
    const { belay, config, project } = scratch();
    await belay(["run", ...args, "--config", config(echo)], { input });
    const seen = JSON.parse(readFileSync(join(project, "seen.json"), "utf8")) as object;
    expect(seen).toMatchObject({ hook_event_name: args[0], cwd: project, ...expected });
  });
});

test("one line of the journal per run, readable by nobody else", async () => {
  const { belay, config, home } = scratch();
  await belay(["run", "Stop", "--config", config({ Stop: [shell("true")] })]);
  const [folder = ""] = readdirSync(join(home, ".belay/journal"));
  const [file = ""] = readdirSync(join(home, ".belay/journal", folder));
  const lines = readFileSync(join(home, ".belay/journal", folder, file), "utf8")
    .trim()
    .split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(["Stop"]);
});

describe("for people", () => {
  const denied = {
    PreToolUse: [shell("echo 'no force push' >&2; exit 2"), json({ systemMessage: "Mind the tests" })],
  };

  test("both columns stand side by side on a wide terminal and one below the other on a narrow one", async () => {
    const { project, home, config } = scratch();
    const command = `${process.execPath} ${BIN} run PreToolUse --config ${config(denied)}`;
    const [wide, narrow] = await Promise.all(
      [120, 50].map((columns) => inTerminal(command, { columns, cwd: project, env: { HOME: home } })),
    );
    const plain = (screen = "") => stripVTControlCharacters(screen);
    expect(plain(wide)).toMatch(/the user sees +│ the agent sees/);
    expect(plain(wide)).toMatch(/Mind the tests +│ +no force push/);
    expect(plain(narrow)).toMatch(/the user sees\n[^│]*the agent sees\n/);
    expect(plain(narrow)).toContain("ended 2");
    expect(wide).not.toBe(plain(wide));
    for (const line of plain(narrow).split("\n")) expect(line.length).toBeLessThanOrEqual(50);
  });

  test("NO_COLOR paints nothing", async () => {
    const { project, home, config } = scratch();
    const command = `${process.execPath} ${BIN} run PreToolUse --config ${config(denied)}`;
    const screen = await inTerminal(command, {
      columns: 80,
      cwd: project,
      env: { HOME: home, NO_COLOR: "1" },
    });
    expect(screen).toBe(stripVTControlCharacters(screen));
  });

  test("what a hook prints cannot repaint the screen", async () => {
    const { belay, config } = scratch();
    const evil = shell("printf '\\033[2J\\033]0;title\\007\\r\\342\\200\\256fine' >&2; exit 2");
    const { stdout } = await belay(["run", "PreToolUse", "--config", config({ PreToolUse: [evil] })]);
    expect(stdout).toContain("\\u001b[2J\\u001b]0;title\\u0007\\u000d\\u202efine");
    expect(stdout).not.toMatch(/[\u001b\u0007\r\u202e]/);
  });
});
