import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { EngineOptions } from "@belay/engine";
import { configPlaces, findProject } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import { FILE_ROWS, FILES } from "./conformance/rows-files.ts";
import { startHost } from "./processes.ts";
import { CALL, command, fixture, SESSION, said, says, scratch, settings } from "./scratch.ts";

/** Which files are read, in which order, and what a hook is given (design §5, §7). */

describe("the layers, in configured order", () => {
  it.each(FILE_ROWS)("%s: %j", async (_ref, options, expected) => {
    const { write, engine, trustAll } = scratch();
    for (const file of FILES) write(file, settings("PreToolUse", command("true", { name: file })));
    const hooks = await engine(options);
    const ran = async () => (await hooks.fire("PreToolUse", CALL)).runs.map(({ hook }) => hook);
    expect(await ran()).toEqual(expected.filter((file) => !file.startsWith("project/")));
    await trustAll(options);
    expect(await ran()).toEqual(expected);
  });

  it("the session of the event counts, not only the engine's", async () => {
    const { write, engine, trustAll } = scratch();
    write(`project/.belay/hooks/hooks.${SESSION}.json`, settings("PreToolUse", says("session")));
    await trustAll({ sessionId: SESSION });
    const hooks = await engine();
    expect(said(await hooks.fire("PreToolUse", CALL))).toEqual([]);
    expect(said(await hooks.fire("PreToolUse", { ...CALL, session_id: SESSION }))).toEqual(["session"]);
  });
});

describe("dialects", () => {
  const rows: [
    options: EngineOptions,
    file: string,
    dialect: string | undefined,
    expected: [string, string],
  ][] = [
    [{}, "project/.belay/settings.json", undefined, ["wave", "wave"]],
    [{}, "project/.belay/settings.json", "pact", ["pact", "pact"]],
    [{}, "home/.belay/settings.json", "pact", ["wave", "pact"]],
    [{ dialect: "claude-code" }, "project/.claude/settings.json", "pact", ["claude-code", "claude-code"]],
    [{ configFiles: ["../named.json"] }, "named.json", "session-hooks", ["session-hooks", "session-hooks"]],
    [{ pluginDirs: ["../plug"] }, "plug/hooks/hooks.json", undefined, ["claude-code", "claude-code"]],
    [{ pluginDirs: ["../plug"] }, "plug/hooks/hooks.json", "pact", ["pact", "pact"]],
    [{ pluginDirs: ["../plug"], dialect: "pact" }, "plug/hooks/hooks.json", undefined, ["pact", "pact"]],
  ];
  it.each(rows)("%j reads %s (%s)", async (options, file, dialect, expected) => {
    const { write, engine, trustAll } = scratch();
    write(file, { ...(dialect && { dialect }), ...settings("PreToolUse", says("x")) });
    await trustAll(options);
    const outcome = await (await engine(options)).fire("PreToolUse", CALL);
    expect([outcome.dialect, outcome.runs[0]?.dialect]).toEqual(expected);
  });
});

describe("the project", () => {
  const rows: [name: string, folders: string[], cwd: string, expected: string][] = [
    ["the folder with .git", ["a/.git", "a/b/c"], "a/b/c", "a"],
    ["the nearest of two", ["a/.git", "a/b/.belay", "a/b/c"], "a/b/c", "a/b"],
    ["the folder itself", ["a/.belay"], "a", "a"],
    ["the working folder if nothing is marked", ["a/b"], "a/b", "a/b"],
    ["never the home folder because of its .belay", ["home/.belay", "home/a/b"], "home/a/b", "home/a/b"],
    ["not even when one works there", ["home/.belay"], "home", "home"],
    ["the home folder when it is a repository", ["home/.belay", "home/.git", "home/a"], "home/a", "home"],
  ];
  it.each(rows)("%s", (_name, folders, cwd, expected) => {
    const { root } = scratch();
    for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
    expect(findProject(join(root, cwd), join(root, "home"))).toBe(join(root, expected));
  });

  it("a file named .git marks one too (a worktree)", () => {
    const { root, write } = scratch();
    write("tree/.git", "gitdir: elsewhere");
    mkdirSync(join(root, "tree/sub"));
    expect(findProject(join(root, "tree/sub"), join(root, "home"))).toBe(join(root, "tree"));
  });

  it.each(["home/", "link"])("the home folder is known by another name, too: %s", (name) => {
    const { root, home, write } = scratch();
    write("home/.belay/settings.json", settings("PreToolUse", says("user")));
    mkdirSync(join(home, "work"));
    symlinkSync(home, join(root, "link"));
    const cwd = realpathSync(join(home, "work"));
    const named = `${root}/${name}`;
    expect(findProject(cwd, named)).toBe(cwd);
    const inHome = configPlaces({ cwd: realpathSync(home), home: named, sessionId: "" });
    expect(
      inHome
        .filter(({ file }) => realpathSync(join(file, "..")) === join(home, ".belay"))
        .map(({ layer }) => layer),
    ).toEqual(["user", "local"]);
  });

  it("is kept when the agent goes elsewhere", async () => {
    const { write, engine, root } = scratch();
    const config = write(
      "hooks.json",
      settings("PreToolUse", { type: "command", command: fixture("print-env") }),
    );
    mkdirSync(join(root, "other/.git"), { recursive: true });
    const hooks = await engine({ configFiles: [config] });
    const { runs } = await hooks.fire("PreToolUse", { ...CALL, cwd: join(root, "other") });
    expect(runs[0]?.stdout).toContain(`BELAY_PROJECT_DIR=${root}/project\n`);
    expect(runs[0]?.stdout).toContain(`PWD=${root}/other\n`);
  });
});

describe("what a command hook is given", () => {
  it("its environment", async () => {
    const { engineFor, project } = scratch();
    const options = { sessionId: SESSION, env: { PATH: process.env.PATH, CLAUDE_PROJECT_DIR: "/stale" } };
    const hooks = await engineFor("Stop", [{ type: "command", command: fixture("print-env") }], options);
    const { runs } = await hooks.fire("Stop");
    expect(runs[0]?.stdout.trim().split("\n")).toEqual([
      `BELAY_PROJECT_DIR=${project}`,
      `WAVE_PROJECT_DIR=${project}`,
      `CLAUDE_PROJECT_DIR=${project}`,
      "CLAUDE_PLUGIN_ROOT=(unset)",
      `BELAY_SESSION_ID=${SESSION}`,
      "BELAY_EVENT=Stop",
      `PWD=${project}`,
    ]);
  });

  const quotes = ["${CLAUDE_PLUGIN_ROOT}/say", "'${CLAUDE_PLUGIN_ROOT}/say'", '"$CLAUDE_PLUGIN_ROOT"/say'];
  it.each(quotes)("its plugin's folder: %s", async (command) => {
    const { write, engine, root } = scratch();
    write("plug/say", '#!/bin/sh\necho "{\\"systemMessage\\":\\"$CLAUDE_PLUGIN_ROOT\\"}"', 0o755);
    write("plug/hooks/hooks.json", settings("Stop", { type: "command", command }));
    const hooks = await engine({ pluginDirs: [join(root, "plug")] });
    expect(said(await hooks.fire("Stop"))).toEqual([join(root, "plug")]);
  });

  const modules = ["../say.mjs", "${CLAUDE_PLUGIN_ROOT}/say.mjs", "${BELAY_PROJECT_DIR}/../plug/say.mjs"];
  it.each(modules)("its plugin's module: %s", async (module) => {
    const { write, engine, root } = scratch();
    write("plug/say.mjs", `export default () => ({ systemMessage: "said" });`);
    write("plug/hooks/hooks.json", settings("Stop", { type: "module", module }));
    const hooks = await engine({ pluginDirs: [join(root, "plug")] });
    expect(said(await hooks.fire("Stop"))).toEqual(["said"]);
  });

  it("the payload on stdin, with the common fields filled in", async () => {
    const { engineFor, project } = scratch();
    const hooks = await engineFor("PreToolUse", [{ type: "command", command: fixture("echo-stdin") }]);
    const { runs } = await hooks.fire("PreToolUse", {
      tool_name: "Bash",
      tool_input: { a: "ü" },
      hook_event_name: "Stop",
    });
    expect(JSON.parse(runs[0]?.stdout ?? "")).toEqual({
      session_id: hooks.sessionId,
      transcript_path: "",
      permission_mode: "default",
      cwd: project,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { a: "ü" },
    });
  });
});

it("the same handler in several places runs once, at its first place", async () => {
  const { write, engine, trustAll, root } = scratch();
  const entry = { type: "command", command: "true", timeout: 5 };
  const sameAgain = { timeout: 5, command: "true", type: "command" };
  write("home/.belay/settings.json", settings("PreToolUse", entry, says("user")));
  write("project/.belay/settings.json", settings("PreToolUse", sameAgain, says("user"), says("project")));
  await trustAll();
  const { runs } = await (await engine()).fire("PreToolUse", CALL);
  expect(runs.map(({ source }) => source.replace(root, ""))).toEqual([
    "/home/.belay/settings.json:1",
    "/home/.belay/settings.json:1",
    "/project/.belay/settings.json:1",
  ]);
});

it("hooks find the environment that their host has by then", async () => {
  const { stdout } = await startHost("late-env.mjs").finished;
  expect(stdout).toBe("first \nfirst late\n late\n");
});

it("hooks find what the environment that their host gives inherits, and no name without a value", async () => {
  const { write, engineFor } = scratch();
  const shown = '"OWN INHERITED NONE".split(" ").map((name) => process.env[name] ?? "-").join()';
  const module = write("shown.mjs", `export default () => ({ systemMessage: ${shown} });`);
  const echo = `echo "{\\"systemMessage\\": \\"\${OWN--},\${INHERITED--},\${NONE--}\\"}"`;
  const env = Object.create({ PATH: process.env.PATH, INHERITED: "inherited" });
  Object.assign(env, { OWN: "own", NONE: undefined });
  const hooks = await engineFor("PreToolUse", [command(echo), { type: "module", module }], { env });
  expect(said(await hooks.fire("PreToolUse", CALL))).toEqual(["own,inherited,-", "own,inherited,-"]);
});

it("a variable may have any name", async () => {
  const { engineFor } = scratch();
  const env = Object.fromEntries([
    ["PATH", process.env.PATH],
    ["__proto__", "value"],
  ]);
  const hooks = await engineFor("PreToolUse", [command(`printf '{"systemMessage": "%s"}' "$__proto__"`)], {
    env,
  });
  expect(said(await hooks.fire("PreToolUse", CALL))).toEqual(["value"]);
});
