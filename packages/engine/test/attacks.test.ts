import { once } from "node:events";
import { existsSync, renameSync, rmSync, truncateSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createEngine, UsageError } from "@belay/engine";
import { describe, expect, it } from "vitest";
import { CALL, scratch } from "./scratch.ts";

/* Ways in which a guard was switched off without a word, each as a test that must not come back. */

const guard = (more: object = {}) => ({ type: "command", command: "exit 2", name: "guard", ...more });
const hooksFor = (...hooks: object[]) => ({ hooks: { PreToolUse: [{ hooks }] } });
const codes = (outcome: { diagnostics: readonly { code: string }[] }) =>
  outcome.diagnostics.map(({ code }) => code);

describe("a script that is exchanged while its hook waits for its turn is not run", () => {
  const swap = { type: "command", command: "cp other.sh guard.sh", name: "swap" };
  const rows: [name: string, group: object, maxParallel: number][] = [
    ["behind another of a sequential group", { sequential: true }, 64],
    ["in the queue", {}, 1],
  ];
  it.each(rows)("%s", async (_name, group, maxParallel) => {
    const room = scratch();
    room.write("project/guard.sh", "#!/bin/sh\nexit 0\n", 0o755);
    room.write("project/other.sh", "#!/bin/sh\ntouch ran\n", 0o755);
    const hooks = [swap, guard({ command: "./guard.sh", onFailure: "block" })];
    const settings = { hooks: { PreToolUse: [{ ...group, hooks }] } };
    room.write("project/.belay/settings.json", settings);
    await room.trustAll();
    const engine = await room.engine({ limits: { maxParallel } });
    const outcome = await engine.fire("PreToolUse", CALL);
    expect([outcome.blocked, outcome.runs.map(({ hook }) => hook)]).toEqual([true, ["swap", "guard"]]);
    expect(existsSync(join(room.project, "ran"))).toBe(false);
  });
});

it("a config that is gone is said, and a broken one that comes back finds the last good version", async () => {
  const room = scratch();
  const file = room.write("home/.belay/settings.json", hooksFor(guard()));
  const engine = await room.engine();
  const fire = () => engine.fire("PreToolUse", CALL);
  expect((await fire()).blocked).toBe(true);
  renameSync(file, `${file}~`);
  expect(codes(await fire())).toEqual(["config-removed"]);
  room.write("home/.belay/settings.json", "{");
  const back = await fire();
  expect(back.blocked).toBe(true);
  expect(codes(back)).toEqual(["config-unreadable", "config-kept-last-good"]);
  rmSync(file);
});

it("a key that stands twice is an error with both lines", async () => {
  const room = scratch();
  const list = JSON.stringify([{ hooks: [guard()] }]);
  const file = room.write("hooks.json", `{"hooks":{\n"PreToolUse":${list},\n"PreToolUse":[]}}`);
  const { problems } = await room.engine({ configFiles: [file] });
  expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "config-repeated-key: hooks.PreToolUse stands twice, on lines 2 and 3; only the last counts",
  ]);
});

it("a home that is no absolute path names no folder of the project", async () => {
  const room = scratch();
  room.write("project/.belay/settings.json", hooksFor(guard()));
  const engine = await createEngine({ cwd: room.project, home: "", journal: false });
  expect((await engine.fire("PreToolUse", CALL)).blocked).toBe(false);
  await engine.close();
});

it("a plugin's folder is no part of the shell line, whatever it is called", async () => {
  const room = scratch();
  const plugin = join(room.root, "plug$(touch ran)");
  const command = '"${CLAUDE_PLUGIN_ROOT}"/guard.sh';
  room.write("plug$(touch ran)/guard.sh", "#!/bin/sh\nexit 2\n", 0o755);
  room.write("plug$(touch ran)/hooks/hooks.json", hooksFor(guard({ command })));
  const engine = await room.engine({ pluginDirs: [plugin] });
  expect((await engine.fire("PreToolUse", CALL)).blocked).toBe(true);
  expect(existsSync(join(room.project, "ran"))).toBe(false);
});

it.each([
  ["a page", `<html>${"x".repeat(200_000)}`],
  ["blanks before an answer", `${" ".repeat(200_000)}{"continue":false,"stopReason":"no"}`],
])("a large body that does not begin as an object is no silence: %s", async (_what, body) => {
  const server = createServer((_request, response) => response.end(body)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const room = scratch();
  const hooks = await room.engineFor("PreToolUse", [{ type: "http", url, onFailure: "block" }]);
  expect((await hooks.fire("PreToolUse", CALL)).blocked).toBe(true);
  server.close();
});

it("a NUL in the session's id switches no hook off, and one in cwd is refused", async () => {
  const room = scratch();
  const command = 'test "$BELAY_SESSION_ID" != x && exit 2';
  const engine = await room.engineFor("PreToolUse", [guard({ command })], {
    env: { ...process.env, BELAY_SESSION_ID: "x" },
  });
  const outcome = await engine.fire("PreToolUse", { tool_name: "Bash", session_id: "a\0b", tool_input: {} });
  expect([outcome.blocked, codes(outcome)]).toEqual([true, []]);
  const refused = engine.fire("PreToolUse", { tool_name: "Bash", cwd: `${room.project}\0`, tool_input: {} });
  await expect(refused).rejects.toThrow(
    new UsageError("the payload of PreToolUse has a cwd with a NUL in it"),
  );
  const made = room.engine({ sessionId: "a\0b", configFiles: [join(room.root, "hooks.json")] });
  expect((await (await made).fire("PreToolUse", CALL)).blocked).toBe(true);
});

it("a command line made to be slow to look through is not looked through to its end", async () => {
  const room = scratch();
  room.write("project/.belay/settings.json", hooksFor(guard({ command: "${".repeat(100_000) })));
  const engine = await room.engine();
  const outcome = await engine.fire("PreToolUse", CALL);
  expect(codes(outcome)).toEqual(["hook-untrusted", "hook-skipped"]);
});

describe("a config file too large to be one", () => {
  it("is refused with its size", async () => {
    const room = scratch();
    const file = room.write("project/.belay/settings.json", hooksFor(guard()));
    truncateSync(file, 100 * 1024 * 1024);
    const { problems } = await room.engine();
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      `config-unreadable: ${file} cannot be read: it has 104857600 bytes, and at most 1048576 are read`,
    ]);
  });

  it("leaves the last good version in force", async () => {
    const room = scratch();
    const text = JSON.stringify(hooksFor(guard()));
    room.write("home/.belay/settings.json", text);
    const engine = await room.engine();
    room.write("home/.belay/settings.json", text + " ".repeat(1024 * 1024));
    const outcome = await engine.fire("PreToolUse", CALL);
    expect([outcome.blocked, ...codes(outcome)]).toEqual([
      true,
      "config-unreadable",
      "config-kept-last-good",
    ]);
  });
});
