import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DialectName, EventName, HookStep } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { CALL, codes, scratch } from "./scratch.ts";

const command = (line: string, more: object = {}) => ({ type: "command", command: line, name: "h", ...more });

describe("a hook that nobody waits for", () => {
  it.each([{ async: true }, { asyncRewake: true }])(
    "%j: its answer does not count, and the user is told",
    async (how) => {
      const room = scratch();
      const hook = command('echo "too late" >&2; touch done; exit 2', { ...how, onFailure: "block" });
      const engine = await room.engineFor("PreToolUse", [hook]);
      const first = await engine.fire("PreToolUse", CALL);
      expect([first.decision.kind, first.runs.length, first.runs[0]?.background]).toEqual(["none", 1, true]);
      await expect.poll(() => existsSync(join(room.project, "done"))).toBe(true);
      await expect
        .poll(async () => {
          const { diagnostics } = await engine.fire("PreToolUse", CALL);
          return diagnostics.map(({ code, message }) => [code, message]);
        })
        .toContainEqual([
          "async-not-counted",
          "the hook said deny: too late in the background, where nobody waits for it: that does not count",
        ]);
    },
  );

  it("is ended by close(), or first waited for", async () => {
    const room = scratch();
    const slow = [
      command("sleep 60", { async: true }),
      command("sleep 0.3; touch done", { async: true, name: "i" }),
    ];
    const engine = await room.engineFor("PreToolUse", slow, { journal: join(room.root, "journal") });
    await engine.fire("PreToolUse", CALL);
    const started = performance.now();
    await engine.close({ waitMs: 2000 });
    expect(existsSync(join(room.project, "done"))).toBe(true);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it("tells close() what came too late for an event", async () => {
    const engine = await scratch().engineFor("PreToolUse", [command("exit 2", { async: true })]);
    await engine.fire("PreToolUse", CALL);
    const late: string[] = [];
    await engine.close({ waitMs: 20_000, onLate: ({ code }) => late.push(code) });
    expect(late).toEqual(["async-not-counted"]);
  });

  it("holds back nobody in its sequential group, nor another event", async () => {
    const room = scratch();
    const hooks = [command("sleep 60", { async: true }), command("exit 2", { name: "guard" })];
    const file = room.write("hooks.json", { hooks: { PreToolUse: [{ sequential: true, hooks }] } });
    const engine = await room.engine({ configFiles: [file], limits: { maxParallel: 1 } });
    for (const _again of [1, 2])
      expect((await engine.fire("PreToolUse", CALL)).decision).toMatchObject({ kind: "deny", hook: "guard" });
  });
});

describe("a hook that says once", () => {
  const counting = (more: object = {}) => command("echo x >> ran; exit $CODE", { once: true, ...more });
  const rows: [
    what: string,
    env: Record<string, string>,
    dialect: "wave" | "claude-code",
    sessions: string[],
    runs: number,
  ][] = [
    ["runs once in each session", {}, "wave", ["a", "a", "b", "a", "b"], 2],
    ["runs again after a fault", { CODE: "127" }, "wave", ["a", "a"], 2],
    ["a refusal is no fault", { CODE: "2" }, "wave", ["a", "a"], 1],
    ["is not read in claude-code, as Claude Code reads it in skills alone", {}, "claude-code", ["a", "a"], 2],
  ];
  it.each(rows)("%s", async (_what, env, dialect, sessions, runs) => {
    const room = scratch();
    const engine = await room.engineFor("PreToolUse", [counting()], {
      dialect,
      env: { ...process.env, CODE: "0", ...env },
    });
    for (const session_id of sessions) await engine.fire("PreToolUse", { ...CALL, session_id });
    expect(readFileSync(join(room.project, "ran"), "utf8").trim().split("\n")).toHaveLength(runs);
  });

  it("runs at each call that comes before it has run", async () => {
    const guard = command("sleep 0.5; exit 127", { once: true, onFailure: "block" });
    const engine = await scratch().engineFor("PreToolUse", [guard]);
    const first = engine.fire("PreToolUse", CALL);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const kinds = (await Promise.all([first, engine.fire("PreToolUse", CALL)])).map(
      ({ decision }) => decision.kind,
    );
    expect(kinds).toEqual(["deny", "deny"]);
  });

  it("is explained", async () => {
    const engine = await scratch().engineFor("PreToolUse", [command("true", { once: true })]);
    const because = async () =>
      (await engine.explain("PreToolUse", CALL)).matches.map((match) => match.because);
    expect(await because()).toEqual(["fires"]);
    await engine.fire("PreToolUse", CALL);
    expect(await because()).toEqual(["once"]);
  });
});

it("a status message is told to whoever shows what runs", async () => {
  const steps: HookStep[] = [];
  const hooks = [command("true", { statusMessage: "Checking" }), command("true", { name: "i" })];
  const engine = await scratch().engineFor("PreToolUse", hooks, { onHook: (step) => steps.push(step) });
  await engine.fire("PreToolUse", CALL);
  const started = steps.filter(({ phase }) => phase === "start");
  expect(started).toEqual([
    { phase: "start", hook: "h", event: "PreToolUse", status: "Checking" },
    { phase: "start", hook: "i", event: "PreToolUse" },
  ]);
});

describe("the variables of Claude Code", () => {
  const NAMES = ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_EFFORT", "CLAUDE_ENV_FILE"];
  const print = command(NAMES.map((name) => `echo "\${${name}-unset}"`).join("; "));
  const seen = async (event: EventName, dialect: DialectName, more: object = {}, env = {}) => {
    const hook = { ...print, ...more };
    const engine = await scratch().engineFor(event, [hook], {
      dialect,
      env: { PATH: process.env.PATH, ...env },
    });
    const { runs } = await engine.fire(event, { session_id: "s1", effort: { level: "high" } });
    return runs[0]?.stdout.trim().split("\n");
  };

  it("are set for its hooks, and not inherited from the agent that the host runs in", async () => {
    const outer = {
      CLAUDECODE: "9",
      CLAUDE_ENV_FILE: "/outer",
      CLAUDE_EFFORT: "low",
      CLAUDE_CODE_SESSION_ID: "s0",
    };
    expect(await seen("Stop", "claude-code", {}, outer)).toEqual(["1", "s1", "high", "unset"]);
    expect(await seen("Stop", "wave", {}, outer)).toEqual(["9", "s0", "low", "/outer"]);
    expect(await seen("Stop", "wave")).toEqual(["unset", "unset", "unset", "unset"]);
    const started = await seen("SessionStart", "claude-code");
    expect(started?.at(-1)).toMatch(/belay-env-.*\.sh$/);
  });

  it("set variables for the commands of the session, until the folder changes or for good", async () => {
    const room = scratch();
    const sets = (line: string) => ({ hooks: [command(`printf '%s\\n' ${line} >> "$CLAUDE_ENV_FILE"`)] });
    const file = room.write("hooks.json", {
      hooks: {
        SessionStart: [sets("'export A=1 B=1'"), sets("'export C=$(touch ran)'")],
        CwdChanged: [{ matcher: "", ...sets(`"export HERE=$(jq -r .new_cwd)"`) }],
        FileChanged: [sets("'export B=2'")],
        Stop: [{ hooks: [command('echo "${A-unset}"')] }],
      },
    });
    const engine = await room.engine({ configFiles: [file], dialect: "claude-code" });
    expect(engine.variables()).toEqual({});
    await engine.fire("SessionStart", { source: "startup" });
    expect(engine.variables()).toEqual({ A: "1", B: "1" });
    await engine.fire("FileChanged", { file_path: "/x", event: "change" });
    expect(engine.variables()).toEqual({ A: "1", B: "2" });
    await engine.fire("CwdChanged", { old_cwd: "/", new_cwd: "/a" });
    expect(engine.variables()).toEqual({ A: "1", B: "1", HERE: "/a" });
    expect(engine.variables("another")).toEqual({});
    const { runs } = await engine.fire("Stop", {});
    expect(runs[0]?.stdout.trim()).toBe("unset"); // as in Claude Code 2.1.325, hooks do not see them
    expect(existsSync(join(room.project, "ran"))).toBe(false);
  });

  it("the user is told of a line that is no plain assignment", async () => {
    const hook = command('echo "export A=$(date)" \'export B=$(date)\' >> "$CLAUDE_ENV_FILE"');
    const engine = await scratch().engineFor("SessionStart", [hook], { dialect: "claude-code" });
    await engine.fire("SessionStart", { source: "startup" });
    const { messages } = await engine.fire("Stop", {});
    expect(messages.map(({ block }) => block.content)).toEqual([expect.stringContaining("export B=$(date)")]);
  });
});

it.each([
  { type: "mcp_tool", server: "github", tool: "check", input: { path: "${tool_input.file_path}" } },
  { type: "agent", prompt: "Is it safe? $ARGUMENTS", model: "haiku" },
])("a hook of type $type is a fault that refuses nothing", async (hook) => {
  const engine = await scratch().engineFor("PreToolUse", [{ ...hook, name: "h", onFailure: "block" }]);
  expect(engine.problems.map(({ code }) => code)).toEqual(["config-no-effect"]);
  const outcome = await engine.fire("PreToolUse", CALL);
  expect([outcome.decision.kind, codes(outcome)]).toEqual(["none", ["run-elsewhere"]]);
});
