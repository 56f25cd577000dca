import {
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { EngineOptions } from "@belay/engine";
import { checkConfig } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import { codes, SESSION, said, says, scratch, settings } from "./scratch.ts";
import { PROJECT, ran } from "./trust-project.ts";

/** Hooks of a project run only after the user has trusted them, as they are (design §7). */

describe("which files need trust", () => {
  const rows: [file: string, options: EngineOptions, runsUntrusted: boolean][] = [
    ["home/.belay/settings.json", {}, true],
    ["named.json", { configFiles: ["../named.json"] }, true],
    ["plug/hooks/hooks.json", { pluginDirs: ["../plug"] }, true],
    [PROJECT, {}, false],
    ["project/.belay/settings.local.json", {}, false],
    [`project/.belay/hooks/hooks.${SESSION}.json`, { sessionId: SESSION }, false],
    ["project/.claude/settings.json", { dialect: "claude-code" }, false],
    ["project/hooks/hooks.json", { dialect: "pact" }, false],
    ["home/.claude/settings.json", { dialect: "claude-code" }, true],
  ];
  it.each(rows)("%s", async (file, options, runsUntrusted) => {
    const room = scratch();
    room.write(file, settings("Stop", says("ran")));
    expect(await ran(room, options)).toBe(runsUntrusted);
    await room.trustAll(options);
    expect(await ran(room, options)).toBe(true);
  });
});

describe("the user is told", () => {
  it("once per session, and again when something else is not trusted", async () => {
    const { write, engine, trustAll } = scratch();
    write(PROJECT, settings("Stop", says("a"), says("b")));
    const hooks = await engine();
    const fire = (session_id: string) => hooks.fire("Stop", { session_id });
    const first = await fire("one");
    expect(codes(first)).toEqual(["hook-untrusted", "hook-skipped"]);
    expect(said(first)[0]).toMatch(/^2 hooks from .*\/project\/\.belay\/settings\.json .*belay trust/);
    expect(codes(await fire("one"))).toEqual(["hook-skipped"]);
    expect(codes(await fire("two"))).toEqual(["hook-untrusted", "hook-skipped"]);
    expect(codes(await fire("two"))).toEqual(["hook-skipped"]);
    await trustAll();
    expect(said(await fire("one"))).toEqual(["a", "b"]);
    write(PROJECT, settings("Stop", says("a"), says("edited")));
    expect(codes(await fire("one"))).toEqual(["hook-untrusted", "hook-skipped"]);
    expect(codes(await fire("one"))).toEqual(["hook-skipped"]);
  });

  it.each([
    [1, "1 hook from FILE not run: it is not trusted (it is for Stop)", "Look at it and trust it: "],
    [
      2,
      "2 hooks from FILE not run: they are not trusted (2 of them for Stop)",
      "Look at them and trust them: ",
    ],
  ])("of %i of them, in these words", async (count, message, fix) => {
    const { engine, write } = scratch();
    const hooks = Array.from({ length: count }, (_, index) => says(`${index}`));
    const file = write(PROJECT, settings("Stop", ...hooks));
    const [told] = (await (await engine()).fire("Stop")).diagnostics;
    expect([told?.message.replace(file, "FILE"), told?.fix.startsWith(fix)]).toEqual([message, true]);
  });

  it("of all files at the first event, whichever it is", async () => {
    const { write, engine } = scratch();
    write(PROJECT, settings("Stop", says("a")));
    write("project/.belay/settings.local.json", settings("PreToolUse", says("b")));
    const hooks = await engine();
    const [message = ""] = said(await hooks.fire("SessionStart", { source: "startup" }));
    expect(message).toMatch(/^2 hooks from .*settings\.json, .*settings\.local\.json /);
    expect(codes(await hooks.fire("Stop"))).toEqual(["hook-skipped"]);
    expect(codes(await hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }))).toEqual([
      "hook-skipped",
    ]);
  });

  it("of a hook edited since, when it would run", async () => {
    const { write, engine, trustAll } = scratch();
    const group = { matcher: "Bash", hooks: [{ type: "command", command: "./guard.sh" }] };
    write(PROJECT, { hooks: { Stop: [{ hooks: [says("a")] }], PreToolUse: [group] } });
    write("project/guard.sh", "#!/bin/sh\n", 0o755);
    await trustAll();
    const hooks = await engine();
    expect(said(await hooks.fire("Stop"))).toEqual(["a"]);
    write("project/guard.sh", "#!/bin/sh\n: edited\n", 0o755);
    expect(codes(await hooks.fire("Stop"))).toEqual([]);
    expect(codes(await hooks.fire("PreToolUse", { tool_name: "Edit", tool_input: {} }))).toEqual([]);
    const told = await hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
    expect([codes(told), told.runs]).toEqual([["hook-untrusted", "hook-skipped"], []]);
    expect(codes(await hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }))).toEqual([
      "hook-skipped",
    ]);
  });

  it("not of hooks that are switched off", async () => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("a", { enabled: false })));
    expect(codes(await (await room.engine()).fire("Stop"))).toEqual([]);
    const { problems } = await checkConfig({ cwd: room.project, home: room.home });
    expect(problems.map(({ code }) => code)).toEqual([]);
  });

  it("of one session again after very many others: what is remembered is bounded", async () => {
    const { write, engine } = scratch();
    write(PROJECT, settings("Stop", says("a")));
    const hooks = await engine({ journal: false });
    const told = async (session_id: string) =>
      codes(await hooks.fire("Stop", { session_id })).filter((code) => code === "hook-untrusted").length;
    const sessions = Array.from({ length: 1000 }, (_, n) => `session ${n}`);
    const counts: number[] = [];
    for (const session of ["one", "one", ...sessions, "session 999", "one"]) counts.push(await told(session));
    expect(counts).toEqual([1, 0, ...sessions.map(() => 1), 0, 1]);
  });
});

describe("the trust file", () => {
  it("is the user's own", async () => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("x")));
    await room.trustAll();
    const file = join(room.home, ".belay/trust.json");
    expect([statSync(file).mode & 0o777, statSync(join(file, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  const UNREADABLE = ["", "{", "[]", "null", '{"version":2}', '{"version":2,"projects":null}'];
  const OTHERS = ['{"version":3,"projects":{}}', '{"version":2,"projects":{"PROJECT":["no entry"]}}'];
  it.each([...UNREADABLE, ...OTHERS])(
    "that makes no sense trusts nothing, lets guards refuse, and is left alone: %j",
    async (row) => {
      const room = scratch();
      const text = row.replace("PROJECT", room.project);
      const guard = { type: "command", command: "true", onFailure: "block", name: "guard" };
      room.write(PROJECT, { hooks: { Stop: [{ hooks: [says("x"), guard] }] } });
      await room.trustAll();
      const file = join(room.home, ".belay/trust.json");
      writeFileSync(file, text);
      const outcome = await (await room.engine()).fire("Stop");
      expect([outcome.decision.hook, outcome.blocked, outcome.runs.length]).toEqual(["guard", true, 1]);
      expect(codes(outcome)).toEqual([
        "trust-unreadable",
        "hook-untrusted",
        "hook-skipped",
        "run-failure-blocks",
      ]);
      await expect(room.trustAll()).rejects.toThrow("nothing was trusted");
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );

  it("that is a link stays one, and one that leads nowhere lets guards refuse", async () => {
    const room = scratch();
    const guard = { type: "command", command: "true", onFailure: "block" };
    room.write(PROJECT, settings("Stop", guard));
    const file = join(room.home, ".belay/trust.json");
    const target = room.write("dotfiles/trust.json", { version: 2, projects: {} });
    mkdirSync(join(room.home, ".belay"), { recursive: true });
    symlinkSync(target, file);
    await room.trustAll();
    expect([await ran(room), lstatSync(file).isSymbolicLink()]).toEqual([true, true]);
    renameSync(target, `${target}.away`);
    expect((await (await room.engine()).fire("Stop")).blocked).toBe(true);
  });

  it("of the first version counts for nothing, and is replaced", async () => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("x")));
    room.write("home/.belay/trust.json", { version: 1, projects: { [room.project]: ["0.0"] } });
    expect(await ran(room)).toBe(false);
    await room.trustAll();
    expect(await ran(room)).toBe(true);
  });

  it("keeps other projects, and one version of an entry", async () => {
    const room = scratch();
    const file = join(room.home, ".belay/trust.json");
    room.write("home/.belay/trust.json", { version: 2, projects: { "/else": ["abc"] } });
    for (const text of ["x", "y"]) {
      room.write(PROJECT, settings("Stop", says(text)));
      await room.trustAll();
    }
    const { projects } = JSON.parse(readFileSync(file, "utf8")) as { projects: Record<string, string[]> };
    expect(projects["/else"]).toEqual(["abc"]);
    expect(projects[room.project]).toHaveLength(1);
  });

  it("a folder in its place trusts nothing", async () => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("x")));
    mkdirSync(join(room.home, ".belay/trust.json"), { recursive: true });
    expect(await ran(room)).toBe(false);
    renameSync(join(room.home, ".belay/trust.json"), join(room.home, "aside"));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
  });
});
