import { mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { EngineOptions } from "@belay/engine";
import { configPlaces, findProject } from "@belay/engine/tools";
import { describe, expect, it } from "vitest";
import { start } from "./processes.ts";
import { CALL, codes, fixture, said, says, scratch, settings } from "./scratch.ts";

/** Which files are read, in which order, and what a hook is given (DESIGN §5, §7). */

const SESSION = "0b5e2f6c-8d7a-4c1b-9e3f-2a1b3c4d5e6f";

describe("the layers, in configured order", () => {
  const FILES = {
    user: "home/.belay/settings.json",
    project: "project/.belay/settings.json",
    local: "project/.belay/settings.local.json",
    session: `project/.belay/hooks/hooks.${SESSION}.json`,
    wave: "project/.wave/settings.json",
    "wave local": "project/.wave/settings.local.json",
    "wave user": "home/.wave/settings.json",
    claude: "project/.claude/settings.json",
    "claude local": "project/.claude/settings.local.json",
    "claude user": "home/.claude/settings.json",
    "claude session": `project/.claude/hooks/hooks.${SESSION}.json`,
    plugin: "project/hooks/hooks.json",
    named: "named.json",
    "named too": "named-too.json",
    "other plugin": "plug/hooks/hooks.json",
  };
  const rows: [options: EngineOptions, expected: string[]][] = [
    [{}, ["user", "project", "local"]],
    [{ sessionId: SESSION }, ["user", "project", "local", "session"]],
    [{ sessionId: SESSION.toUpperCase() }, ["user", "project", "local"]],
    [{ sessionId: "../../../../named" }, ["user", "project", "local"]],
    [{ dialect: "wave", sessionId: SESSION }, ["wave user", "wave", "wave local"]],
    [{ dialect: "claude-code", sessionId: SESSION }, ["claude user", "claude", "claude local"]],
    [{ dialect: "session-hooks", sessionId: SESSION }, ["claude session"]],
    [{ dialect: "session-hooks", sessionId: "no uuid" }, []],
    [{ dialect: "pact" }, ["plugin"]],
    [{ configFiles: ["../named.json", "../named-too.json"], sessionId: SESSION }, ["named", "named too"]],
    [{ pluginDirs: ["../plug"] }, ["other plugin"]],
    [{ configFiles: ["../named.json"], pluginDirs: ["../plug"] }, ["named", "other plugin"]],
    [{ configFiles: ["../named.json"], dialect: "claude-code" }, ["named"]],
  ];
  it.each(rows)("%j", async (options, expected) => {
    const { write, engine, trustAll } = scratch();
    for (const [name, file] of Object.entries(FILES)) write(file, settings("PreToolUse", says(name)));
    await trustAll(options);
    const { runs } = await (await engine(options)).fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
    const texts = runs.map(({ stdout }) => (JSON.parse(stdout) as { systemMessage: string }).systemMessage);
    expect(texts).toEqual(expected);
  });

  it("the session of the event counts, not only the engine's", async () => {
    const { write, engine, trustAll } = scratch();
    write(FILES.session, settings("PreToolUse", says("session")));
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

describe("which hooks run", () => {
  it("the same handler in several places runs once, at its first place", async () => {
    const { write, engine, trustAll, root } = scratch();
    const file = join(root, "log");
    const entry = { type: "command", command: `echo x >> ${file}`, timeout: 5 };
    const sameAgain = { timeout: 5, command: `echo x >> ${file}`, type: "command" };
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

  it("one that is switched off does not, one in observe mode changes nothing", async () => {
    const { engineFor } = scratch();
    const hooks = await engineFor("PreToolUse", [
      says("off", { enabled: false }),
      { type: "command", command: fixture("exit-2"), mode: "observe", name: "trial" },
    ]);
    const outcome = await hooks.fire("PreToolUse", CALL);
    expect(outcome).toMatchObject({ blocked: false, runs: [{ hook: "trial", exitCode: 2, observed: true }] });
    expect(codes(outcome)).toEqual(["observed"]);
  });

  it("names: its own, else event, position and command", async () => {
    const { write, engine } = scratch();
    const groups = [
      { hooks: [says("a", { name: "mine" })] },
      { hooks: [says("b"), { type: "command", command: "true" }] },
    ];
    const file = write("hooks.json", { hooks: { Stop: groups } });
    const { runs } = await (await engine({ configFiles: [file] })).fire("Stop");
    expect(runs.map(({ hook }) => hook)).toEqual(["mine", "Stop[1.0] json", "Stop[1.1] true"]);
  });
});

describe("problems of a config file", () => {
  it("are told with the first event, once, and disable their entry alone", async () => {
    const { write, engine } = scratch();
    write("home/.belay/settings.json", {
      hooks: {
        PreToolUse: [{ hooks: [says("good"), { type: "command" }, { type: "json", json: 3 }] }],
        PreTolUse: [],
      },
    });
    const hooks = await engine();
    expect(hooks.problems.map(({ code }) => code)).toEqual([
      "config-bad-entry",
      "config-bad-entry",
      "config-unknown-event",
    ]);
    const first = await hooks.fire("PreToolUse", CALL);
    expect(codes(first)).toEqual(["config-bad-entry", "config-bad-entry", "config-unknown-event"]);
    expect(said(first)[0]).toBe("good");
    expect(said(first).join("\n")).toMatch(/PreTolUse.*PreToolUse/);
    expect(codes(await hooks.fire("PreToolUse", CALL))).toEqual([]);
  });

  it("a misspelt field is told; a field that is near none of ours is the agent's", async () => {
    const { write, engine } = scratch();
    const entry = says("good", { onFailur: "block", statusMessage: "checking" });
    write("home/.belay/settings.json", {
      hooks: { PreToolUse: [{ matchr: "Bash", hooks: [entry] }] },
      dialekt: "pact",
      theme: "dark",
    });
    const outcome = await (await engine()).fire("PreToolUse", CALL);
    expect(codes(outcome)).toEqual(Array(3).fill("config-misspelt-field"));
    const words = said(outcome).join("\n");
    for (const meant of ["dialect", "matcher", "onFailure"])
      expect(words).toContain(`(did you mean ${meant}?). Rename it to \`${meant}\`.`);
  });

  it("explain shows them and leaves them to the next event", async () => {
    const { write, engine } = scratch();
    write("home/.belay/settings.json", settings("PreToolUse", says("good"), { type: "nonsense" }));
    const hooks = await engine();
    for (let asked = 0; asked < 2; asked += 1)
      expect((await hooks.explain("PreToolUse", CALL)).problems).toEqual(hooks.problems);
    expect(codes(await hooks.fire("PreToolUse", CALL))).toEqual(["config-unsupported-type"]);
    expect(codes(await hooks.fire("PreToolUse", CALL))).toEqual([]);
  });

  it("are told once also when events come at the same time", async () => {
    const { write, engine } = scratch();
    write("home/.belay/settings.json", settings("PreToolUse", says("good")));
    const hooks = await engine();
    write("home/.belay/settings.json", settings("PreToolUse", says("good"), { type: "nonsense" }));
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => hooks.fire("PreToolUse", CALL)));
    expect(outcomes.flatMap(codes)).toEqual(["config-unsupported-type"]);
  });

  const broken: [name: string, make: (room: ReturnType<typeof scratch>) => void, detail: RegExp][] = [
    [
      "broken JSON",
      ({ write }) => void write("home/.belay/settings.json", '{"hooks": {'),
      /settings\.json.*line 1/,
    ],
    ["no object", ({ write }) => void write("home/.belay/settings.json", "[]"), /not a JSON object/],
    ["an empty file", ({ write }) => void write("home/.belay/settings.json", ""), /settings\.json/],
    [
      "a directory",
      ({ home }) => mkdirSync(join(home, ".belay/settings.json"), { recursive: true }),
      /EISDIR|is a directory|folder/,
    ],
    [
      "a loop of links",
      ({ home }) => {
        mkdirSync(join(home, ".belay"));
        symlinkSync("settings.json", join(home, ".belay/settings.json"));
      },
      /ELOOP/,
    ],
  ];
  it.each(broken)("a file that cannot be read: %s", async (_name, make, detail) => {
    const room = scratch();
    make(room);
    const hooks = await room.engine();
    const outcome = await hooks.fire("PreToolUse", CALL);
    expect(codes(outcome)).toEqual(["config-unreadable"]);
    expect(said(outcome)[0]).toMatch(detail);
    expect(outcome.blocked).toBe(false);
  });

  it("a named file that is not there is one, a layer that is not there is none", async () => {
    const { engine } = scratch();
    expect((await engine({ configFiles: ["gone.json"] })).problems.map(({ code }) => code)).toEqual([
      "config-unreadable",
    ]);
    expect((await engine({ pluginDirs: ["gone"] })).problems.map(({ code }) => code)).toEqual([
      "config-unreadable",
    ]);
    expect((await engine()).problems).toEqual([]);
  });
});

describe("an edit counts from the next event on", () => {
  const FILE = "home/.belay/settings.json";
  const open = async () => {
    const room = scratch();
    room.write(FILE, settings("PreToolUse", says("one")));
    const hooks = await room.engine();
    const fire = () => hooks.fire("PreToolUse", CALL);
    return { ...room, fire, heard: async () => said(await fire()) };
  };

  it("also at once, and of the same length", async () => {
    const { write, heard } = await open();
    for (const text of ["one", "two", "six", "ten"]) {
      write(FILE, settings("PreToolUse", says(text)));
      expect(await heard()).toEqual([text]);
    }
  });

  it("a broken one keeps the last good version and says so once; a mended one is taken", async () => {
    const { write, fire, heard } = await open();
    write(FILE, '{"hooks": ');
    const first = await fire();
    expect(codes(first)).toEqual(["config-unreadable", "config-kept-last-good"]);
    expect(said(first)[0]).toBe("one");
    expect(await heard()).toEqual(["one"]);
    write(FILE, '{"hooks": still broken');
    expect(codes(await fire())).toEqual(["config-unreadable", "config-kept-last-good"]);
    write(FILE, settings("PreToolUse", says("two")));
    expect(await heard()).toEqual(["two"]);
  });

  it("a file that is gone takes its hooks along, and brings them back", async () => {
    const { write, heard, home } = await open();
    rmSync(join(home, ".belay/settings.json"));
    expect(await heard()).toEqual([expect.stringMatching(/is gone, and with it 1 hook/)]);
    expect(await heard()).toEqual([]);
    write(FILE, settings("PreToolUse", says("back")));
    expect(await heard()).toEqual(["back"]);
  });

  it("a pipe is read once and stays in force", async () => {
    const { root, engine } = scratch();
    const pipe = join(root, "pipe");
    await start("mkfifo", [pipe]).finished;
    const text = JSON.stringify(settings("PreToolUse", says("piped")));
    const writer = start("sh", ["-c", `printf %s '${text}' > '${pipe}'`]);
    const hooks = await engine({ configFiles: [pipe] });
    await writer.finished;
    expect(said(await hooks.fire("PreToolUse", CALL))).toEqual(["piped"]);
    expect(said(await hooks.fire("PreToolUse", CALL))).toEqual(["piped"]);
  });

  it("a session's own file is in force without a restart", async () => {
    const { write, engine, trustAll } = scratch();
    const hooks = await engine({ sessionId: SESSION });
    expect(said(await hooks.fire("PreToolUse", CALL))).toEqual([]);
    write(`project/.belay/hooks/hooks.${SESSION}.json`, settings("PreToolUse", says("session")));
    await trustAll({ sessionId: SESSION });
    expect(said(await hooks.fire("PreToolUse", CALL))).toEqual(["session"]);
  });
});
