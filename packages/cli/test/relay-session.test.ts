import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, PLAIN, scratch } from "./cli.ts";

/* What one call of the relay leaves to the next ones of its session. */

const SESSION = "0b0e7a52-6a1c-4a4f-9a39-6e1f7f3f0d11";
const call = (more: object = {}) => ({
  ...{ session_id: SESSION, hook_event_name: "PreToolUse", tool_name: "Bash" },
  ...{ tool_input: { command: "ls" }, tool_use_id: "call_1" },
  ...more,
});
const inside = (event: string, more: object) => ({ hookSpecificOutput: { hookEventName: event, ...more } });

/** A hook that counts its runs, and answers late. */
const counting = (answer: object, seconds = 0.4) => ({
  PreToolUse: [
    {
      hooks: [
        {
          name: "count",
          type: "command",
          command: `echo run >> runs.txt; sleep ${seconds}; echo '${JSON.stringify(answer)}'`,
        },
      ],
    },
  ],
});

async function project(hooks: object, isTrusted = true) {
  const room = scratch();
  room.config(hooks, ".belay/settings.json");
  if (isTrusted) await room.belay(["trust", "--yes"]);
  const relay = async (payload: object, agent = "codex") =>
    (await room.belay(["hook", agent], { input: JSON.stringify(payload) })).stdout;
  const runs = () => {
    const file = join(room.project, "runs.txt");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0;
  };
  const records = async () =>
    (await room.belay(["tail", "--json"])).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  return { room, relay, runs, records };
}

const DENY = inside("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: "never" });

describe("a call that reaches the relay twice", () => {
  it("is asked of the hooks once: both get the decision, in each agent's words, and the record says so", async () => {
    const { relay, runs, records } = await project(counting(DENY));
    const [one, other] = await Promise.all([relay(call()), relay(call(), "claude-code")]);
    for (const stdout of [one, other])
      expect(JSON.parse(stdout ?? "").hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
    expect(runs()).toBe(1);
    const relayed = (await records()).map((record) => record.relayed.before);
    expect(relayed.sort()).toEqual(["deny", undefined]);
    expect(JSON.parse(await relay(call())).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
    expect(runs()).toBe(1);
  });

  it("carries context and messages once", async () => {
    const answer = { ...inside("PreToolUse", { additionalContext: "look here" }), systemMessage: "for you" };
    const { relay, runs } = await project(counting(answer));
    const told = await Promise.all([relay(call(), "claude-code"), relay(call(), "claude-code")]);
    expect(told.filter((stdout) => stdout.includes("look here") && stdout.includes("for you"))).toHaveLength(
      1,
    );
    expect(told.filter((stdout) => stdout === "")).toHaveLength(1);
    expect(runs()).toBe(1);
  });

  it("is recognised without a number only while the first is open", async () => {
    const { relay, runs } = await project(counting(DENY));
    const unnumbered = call({ tool_use_id: undefined });
    await Promise.all([relay(unnumbered), relay(unnumbered)]);
    expect(runs()).toBe(1);
    await relay(unnumbered);
    expect(runs()).toBe(2);
  });

  const others: [what: string, payload: object][] = [
    ["another number", call({ tool_use_id: "call_2" })],
    ["another input", call({ tool_input: { command: "ls -a" } })],
    ["another session", call({ session_id: "1b0e7a52-6a1c-4a4f-9a39-6e1f7f3f0d11" })],
    ["another field", call({ permission_mode: "plan" })],
  ];
  for (const [what, payload] of others)
    it(`is another with ${what}`, async () => {
      const { relay, runs } = await project(counting(DENY));
      await Promise.all([relay(call()), relay(payload)]);
      expect(runs()).toBe(2);
    });

  it("is asked anew when the first was killed", async () => {
    const { room, relay, runs } = await project(counting(DENY, 2));
    const env = { ...process.env, ...PLAIN, HOME: room.home };
    const first = spawn(process.execPath, [BIN, "hook", "codex"], { cwd: room.project, env });
    onTestFinished(() => void first.kill("SIGKILL"));
    first.stdin.end(JSON.stringify(call()));
    await expect.poll(runs, { timeout: 10_000 }).toBe(1);
    const second = relay(call());
    first.kill("SIGKILL");
    expect(JSON.parse(await second).hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
    expect(runs()).toBe(2);
  });

  it("is asked about anew where the answer to it was damaged", async () => {
    const { room, relay } = await project(counting(DENY, 0));
    const first = await relay(call());
    const sessions = join(room.home, ".belay/relay");
    const [told = ""] = readdirSync(sessions, { recursive: true }).filter((name) =>
      `${name}`.includes("told-"),
    );
    const file = join(sessions, `${told}`);
    writeFileSync(file, readFileSync(file, "utf8").replace(/"kind":"\w+"/, '"kind":"later"'));
    expect(await relay(call())).toBe(first);
  });

  it("leaves files that are closed to others", async () => {
    const { room, relay } = await project(counting(DENY, 0));
    await relay(call());
    const sessions = join(room.home, ".belay/relay");
    const left = readdirSync(sessions, { recursive: true }).map((name) =>
      statSync(join(sessions, `${name}`)),
    );
    expect(left.filter((stat) => stat.isFile()).length).toBeGreaterThan(1);
    for (const stat of [statSync(sessions), ...left])
      expect(stat.mode & 0o777).toBe(stat.isDirectory() ? 0o700 : 0o600);
  });
});

describe("a session", () => {
  it("is told of hooks that nobody trusts once, and of a new one again", async () => {
    const { room, relay } = await project(counting(DENY), false);
    const next = (id: number, more: object = {}) =>
      relay(call({ tool_use_id: `${id}`, ...more }), "claude-code");
    expect(await next(1)).toContain("not trusted");
    expect(await next(2)).toBe("");
    expect(await next(3, { session_id: "another" })).toContain("not trusted");
    room.config(counting(inside("PreToolUse", { permissionDecision: "ask" })), ".belay/settings.json");
    expect(await next(4)).toContain("not trusted");
  });

  it("runs a hook that says once one time", async () => {
    const hooks = counting(DENY, 0);
    Object.assign(hooks.PreToolUse[0]?.hooks[0] ?? {}, { once: true });
    const { relay, runs } = await project(hooks);
    for (const id of ["1", "2"]) await relay(call({ tool_use_id: id }));
    expect(runs()).toBe(1);
  });

  it("is told context with the next answer that can carry it", async () => {
    const context = {
      type: "json",
      json: { systemMessage: "", ...inside("PreCompact", { additionalContext: "kept" }) },
    };
    const { relay, records } = await project({ PreCompact: [{ hooks: [context] }] });
    const prompt = { session_id: SESSION, hook_event_name: "UserPromptSubmit", prompt: "go on" };
    expect(await relay({ session_id: SESSION, hook_event_name: "PreCompact", trigger: "auto" })).toBe("");
    expect(await relay({ session_id: SESSION, hook_event_name: "SessionEnd", reason: "other" })).toBe("");
    expect(await relay({ ...prompt, session_id: "another" })).toBe("");
    expect(JSON.parse(await relay(prompt)).hookSpecificOutput).toMatchObject({ additionalContext: "kept" });
    expect(await relay({ ...prompt, prompt: "again" })).toBe("");
    expect((await records())[0].relayed.losses).toEqual([{ what: "context", became: "later" }]);
  });

  it("that a hook has stopped calls no tool before the next prompt, where the agent cannot stop", async () => {
    const stop = { type: "json", json: { continue: false, stopReason: "enough" } };
    const { relay, records } = await project({ PreToolUse: [{ matcher: "Write", hooks: [stop] }] });
    const next = (tool_name: string, id: string) => relay(call({ tool_name, tool_use_id: id }));
    const denies = (stdout: string) => stdout.includes('"permissionDecision":"deny"');
    expect(denies(await next("Bash", "1"))).toBe(false);
    expect(denies(await next("Write", "2"))).toBe(true);
    expect(await next("Bash", "3")).toContain("Stopped: enough");
    // Qwen Code fires the event with an empty prompt after every result of a tool.
    await relay({ session_id: SESSION, hook_event_name: "UserPromptSubmit", prompt: "" });
    expect(await next("Bash", "4")).toContain("Stopped: enough");
    await relay({ session_id: SESSION, hook_event_name: "UserPromptSubmit", prompt: "go on" });
    expect(denies(await next("Bash", "5"))).toBe(false);
    expect((await records())[1].relayed.losses).toEqual([{ what: "stop", became: "deny" }]);
  });
});
