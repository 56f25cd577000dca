import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineOptions, Hook } from "@belay/engine";
import { filesOf, inspectConfig } from "@belay/engine/tools";
import { describe, expect, it } from "vitest";
import { startHost } from "./processes.ts";
import { codes, type Scratch, said, says, scratch, settings } from "./scratch.ts";

/** Hooks of a project run only after the user has trusted them, as they are (DESIGN §7). */

const SESSION = "0b5e2f6c-8d7a-4c1b-9e3f-2a1b3c4d5e6f";
const PROJECT = "project/.belay/settings.json";

async function ran({ engine, project }: Scratch, options: EngineOptions = {}): Promise<boolean> {
  const { runs } = await (await engine({ cwd: project, ...options })).fire("Stop", { session_id: SESSION });
  return runs.length > 0;
}

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
    expect(codes(first)).toEqual(["hook-untrusted"]);
    expect(said(first)[0]).toMatch(/^2 hooks from .*\/project\/\.belay\/settings\.json .*belay trust/);
    expect(codes(await fire("one"))).toEqual([]);
    expect(codes(await fire("two"))).toEqual(["hook-untrusted"]);
    expect(codes(await fire("two"))).toEqual([]);
    await trustAll();
    expect(said(await fire("one"))).toEqual(["a", "b"]);
    write(PROJECT, settings("Stop", says("a"), says("edited")));
    expect(codes(await fire("one"))).toEqual(["hook-untrusted"]);
    expect(codes(await fire("one"))).toEqual([]);
  });

  it("of all files at the first event, whichever it is", async () => {
    const { write, engine } = scratch();
    write(PROJECT, settings("Stop", says("a")));
    write("project/.belay/settings.local.json", settings("PreToolUse", says("b")));
    const hooks = await engine();
    const [message = ""] = said(await hooks.fire("SessionStart", { source: "startup" }));
    expect(message).toMatch(/^2 hooks from .*settings\.json, .*settings\.local\.json /);
    expect(codes(await hooks.fire("Stop"))).toEqual([]);
    expect(codes(await hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }))).toEqual([]);
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
    expect([codes(told), told.runs]).toEqual([["hook-untrusted"], []]);
    expect(codes(await hooks.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }))).toEqual([]);
  });

  it("not of hooks that are switched off", async () => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("a", { enabled: false })));
    expect(codes(await (await room.engine()).fire("Stop"))).toEqual([]);
    const { problems } = await inspectConfig({ cwd: room.project, home: room.home });
    expect(problems.map(({ code }) => code)).toEqual([]);
  });

  it("of one session again after very many others: what is remembered is bounded", async () => {
    const { write, engine } = scratch();
    write(PROJECT, settings("Stop", says("a")));
    const hooks = await engine({ journal: false });
    const told = async (session_id: string) => codes(await hooks.fire("Stop", { session_id })).length;
    const sessions = Array.from({ length: 1000 }, (_, n) => `session ${n}`);
    const counts: number[] = [];
    for (const session of ["one", "one", ...sessions, "session 999", "one"]) counts.push(await told(session));
    expect(counts).toEqual([1, 0, ...sessions.map(() => 1), 0, 1]);
  });

  it("a hook that is not trusted does not stand in the way of its double that is", async () => {
    const room = scratch();
    const group = (matcher: string) => ({ hooks: { PreToolUse: [{ matcher, hooks: [says("a")] }] } });
    room.write("project/.belay/settings.local.json", group("Bash"));
    await room.trustAll();
    room.write(PROJECT, group("Bash|Edit"));
    const outcome = await (await room.engine()).fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
    expect(said(outcome)[0]).toBe("a");
  });

  it("explain says which are not trusted and runs nothing", async () => {
    const { write, engine } = scratch();
    write("home/.belay/settings.json", settings("Stop", says("mine")));
    write(PROJECT, settings("Stop", says("theirs")));
    const { matches } = await (await engine()).explain("Stop");
    expect(matches.map(({ fires, trusted, because }) => [fires, trusted, because])).toEqual([
      [true, true, "fires"],
      [false, false, "untrusted"],
    ]);
  });
});

describe("what asks again", () => {
  const entry = { type: "command", command: "./guard.sh", timeout: 5 };
  const group = { hooks: { Stop: [{ hooks: [entry] }] } };
  const rows: [name: string, edit: (room: Scratch) => void, asksAgain: boolean][] = [
    ["nothing", () => {}, false],
    ["spaces in the file", ({ write }) => void write(PROJECT, JSON.stringify(group, null, 4)), false],
    [
      "the order of keys",
      ({ write }) =>
        void write(PROJECT, settings("Stop", { timeout: 5, command: "./guard.sh", type: "command" })),
      false,
    ],
    ["another file touched", ({ write }) => void write("project/readme", "x"), false],
    [
      "the command",
      ({ write }) => void write(PROJECT, settings("Stop", { ...entry, command: "./guard.sh -x" })),
      true,
    ],
    ["the timeout", ({ write }) => void write(PROJECT, settings("Stop", { ...entry, timeout: 6 })), true],
    [
      "onFailure",
      ({ write }) => void write(PROJECT, settings("Stop", { ...entry, onFailure: "block" })),
      true,
    ],
    ["the dialect", ({ write }) => void write(PROJECT, { dialect: "pact", ...group }), true],
    [
      "the matcher",
      ({ write }) => void write(PROJECT, { hooks: { Stop: [{ matcher: "x", hooks: [entry] }] } }),
      true,
    ],
    [
      "sequential",
      ({ write }) => void write(PROJECT, { hooks: { Stop: [{ sequential: true, hooks: [entry] }] } }),
      true,
    ],
    ["the script", ({ write }) => void write("project/guard.sh", "#!/bin/sh\n: edited", 0o755), true],
    ["the script, gone", ({ project }) => rmSync(join(project, "guard.sh")), true],
  ];
  it.each(rows)("%s: %s", async (_name, edit, asksAgain) => {
    const room = scratch();
    room.write("project/guard.sh", "#!/bin/sh\n", 0o755);
    room.write(PROJECT, group);
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    edit(room);
    expect(await ran(room)).toBe(!asksAgain);
  });

  it("a trust is for one project", async () => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("x")));
    await room.trustAll();
    mkdirSync(join(room.root, "other/.git"), { recursive: true });
    room.write("other/.belay/settings.json", settings("Stop", says("x")));
    expect(await ran(room, { cwd: join(room.root, "other") })).toBe(false);
  });
});

/** A command inside `sh -c`, so many times. */
function nested(command: string, times: number): string {
  const quoted = `"${command.replaceAll(/["\\$]/g, "\\$&")}"`;
  return times === 0 ? command : nested(`sh -c ${quoted}`, times - 1);
}

describe("an edited script asks again, however the command names it", () => {
  const commands = [
    "./hooks/guard.sh",
    "hooks/guard.sh --strict",
    "sh hooks/guard.sh",
    "'./hooks/guard.sh'",
    '"$CLAUDE_PROJECT_DIR"/hooks/guard.sh',
    '"$CLAUDE_PROJECT_DIR/hooks/guard.sh"',
    "${BELAY_PROJECT_DIR}/hooks/guard.sh",
    "${CLAUDE_PROJECT_DIR:-.}/hooks/guard.sh",
    "sh \"${WAVE_PROJECT_DIR}\"'/hooks/guard.sh'",
    "sh -c 'echo hi; ./hooks/guard.sh'",
    'sh -c "exec ./hooks/guard.sh"',
    "cd hooks && ./guard.sh",
    "test -x guard.sh; cd hooks; sh guard.sh",
    'cd "$CLAUDE_PROJECT_DIR/hooks" && sh guard.sh',
    "true; ./hooks/guard.sh",
    "true&&./hooks/guard.sh",
    "true | ./hooks/guard.sh",
    "(./hooks/guard.sh)",
    "{ ./hooks/guard.sh; }",
    "! ./hooks/guard.sh",
    "if true; then ./hooks/guard.sh; fi",
    "echo $(./hooks/guard.sh)",
    "echo `./hooks/guard.sh`",
    "./hooks/guard.sh>/dev/null",
    "./hooks/guard.sh 2>&1",
    "sh<hooks/guard.sh",
    "./hooks/guard.sh&",
    "GUARD=hooks/guard.sh; sh $GUARD",
    "env X=1 ./hooks/guard.sh",
    "sh --rcfile=hooks/guard.sh -c true",
    ". ./hooks/guard.sh",
    "./hooks/../hooks/guard.sh",
    "./hooks/gu\\ard.sh",
    "sh -c './hooks/guard.sh # it is here'",
    "test -f hooks/guard.sh && sh $_",
    "sh /proc/self/cwd/hooks/guard.sh",
    'sh "${GUARD:-./hooks/guard.sh}"',
    "${GUARD-hooks/guard.sh}",
    "${GUARD:=$PWD/hooks/guard.sh}",
    "${GUARD:-sh ./hooks/guard.sh}",
    "${A:-${B:-./hooks}}/guard.sh",
    "sh ./hooks/gu\\\nard.sh",
    'sh "./hooks/gu\\\nard.sh"',
    nested("sh hooks/guard.sh", 4),
  ];
  it.each(commands)("%s", async (command) => {
    const room = scratch();
    room.write("project/hooks/guard.sh", "#!/bin/sh\n", 0o755);
    room.write(PROJECT, settings("Stop", { type: "command", command }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write("project/hooks/guard.sh", "#!/bin/sh\n: edited\n", 0o755);
    expect(await ran(room)).toBe(false);
  });

  it("two scripts between which text was moved", async () => {
    const room = scratch();
    const b = join(room.project, "b.sh");
    const write = (one: string, two: string) => {
      room.write("project/a.sh", one, 0o755);
      room.write("project/b.sh", two, 0o755);
    };
    write("true\n", `: moved\0${b}\0true\n`);
    room.write(PROJECT, settings("Stop", { type: "command", command: "./a.sh; ./b.sh" }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    write(`true\n\0${b}\0: moved`, "true\n");
    expect(await ran(room)).toBe(false);
  });

  it("a script with a space in its name", async () => {
    const room = scratch();
    for (const command of ["'my hooks/a guard.sh'", "./my\\ hooks/a\\ guard.sh"]) {
      room.write("project/my hooks/a guard.sh", "#!/bin/sh\n", 0o755);
      room.write(PROJECT, settings("Stop", { type: "command", command }));
      await room.trustAll();
      expect(await ran(room)).toBe(true);
      room.write("project/my hooks/a guard.sh", "#!/bin/sh\n: edited\n", 0o755);
      expect(await ran(room)).toBe(false);
    }
  });

  it("a script behind a link, when its target is edited and when the link is turned", async () => {
    const room = scratch();
    room.write("scripts/one.sh", "#!/bin/sh\n", 0o755);
    room.write("scripts/two.sh", "#!/bin/sh\n: two\n", 0o755);
    const link = join(room.project, "guard.sh");
    symlinkSync(join(room.root, "scripts/one.sh"), link);
    room.write(PROJECT, settings("Stop", { type: "command", command: "./guard.sh" }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write("scripts/one.sh", "#!/bin/sh\n: edited\n", 0o755);
    expect(await ran(room)).toBe(false);
    await room.trustAll();
    rmSync(link);
    symlinkSync(join(room.root, "scripts/two.sh"), link);
    expect(await ran(room)).toBe(false);
  });

  it("a script of the folder the agent went to", async () => {
    const room = scratch();
    room.write("project/guard.sh", "#!/bin/sh\n", 0o755);
    room.write("project/sub/guard.sh", "#!/bin/sh\n: another\n", 0o755);
    room.write(PROJECT, settings("Stop", { type: "command", command: "./guard.sh" }));
    await room.trustAll();
    const hooks = await room.engine();
    const at = async (cwd: string) => (await hooks.fire("Stop", { cwd })).runs.length;
    expect(await at(room.project)).toBe(1);
    expect(await at(join(room.project, "sub"))).toBe(0);
  });

  it("a module, and a script of a plugin that is the project", async () => {
    const room = scratch();
    room.write("project/.belay/guard.mjs", "export default () => {};");
    room.write(PROJECT, settings("Stop", { type: "module", module: "./guard.mjs" }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write("project/.belay/guard.mjs", "export default () => ({});");
    expect(await ran(room)).toBe(false);

    room.write("project/say.sh", "#!/bin/sh\n", 0o755);
    room.write(
      "project/hooks/hooks.json",
      settings("Stop", { type: "command", command: "${CLAUDE_PLUGIN_ROOT}/say.sh" }),
    );
    await room.trustAll({ dialect: "pact" });
    expect(await ran(room, { dialect: "pact" })).toBe(true);
    room.write("project/say.sh", "#!/bin/sh\n: edited\n", 0o755);
    expect(await ran(room, { dialect: "pact" })).toBe(false);
  });
});

describe("an edited import asks again", () => {
  const command = (text: string) => ({ type: "command", command: text });
  const module = (file: string) => ({ type: "module", module: file });
  const rows: [name: string, hook: object, files: Record<string, string>, edited: string][] = [
    ["of a module", module("./a.mjs"), { "a.mjs": 'import { b } from "./b.mjs";', "b.mjs": "" }, "b.mjs"],
    ["for its effects", module("./a.mjs"), { "a.mjs": "import '../b.js';", "../b.js": "" }, "../b.js"],
    ["exported on", module("./a.ts"), { "a.ts": 'export * from "./b.ts";', "b.ts": "" }, "b.ts"],
    ["loaded when needed", module("./a.mjs"), { "a.mjs": "await import(`./b.mjs`)", "b.mjs": "" }, "b.mjs"],
    ["by require", module("./a.cjs"), { "a.cjs": 'require("./b")', "b.js": "" }, "b.js"],
    ["data", module("./a.cjs"), { "a.cjs": 'require("./b")', "b.json": "{}" }, "b.json"],
    ["a folder", module("./a.cjs"), { "a.cjs": 'require("./b")', "b/index.js": "" }, "b/index.js"],
    ["the folder itself", module("./a.cjs"), { "a.cjs": 'require(".")', "index.js": "" }, "index.js"],
    ["of another alphabet", module("./a.mjs"), { "a.mjs": 'import "./bé.mjs"', "bé.mjs": "" }, "bé.mjs"],
    ["behind a comment", module("./a.mjs"), { "a.mjs": 'import(/* x */ "./b.mjs")', "b.mjs": "" }, "b.mjs"],
    [
      "glued to a comment",
      module("./a.mjs"),
      { "a.mjs": 'export * from/**/"./b.mjs"', "b.mjs": "" },
      "b.mjs",
    ],
    ["on the next line", module("./a.mjs"), { "a.mjs": 'import( // x\n"./b.mjs")', "b.mjs": "" }, "b.mjs"],
    ["with a query", module("./a.mjs"), { "a.mjs": 'import "./b.mjs?v=1"', "b.mjs": "" }, "b.mjs"],
    ["as a URL", module("./a.mjs"), { "a.mjs": 'import "./b%20c.mjs"', "b c.mjs": "" }, "b c.mjs"],
    ["with an escape", module("./a.mjs"), { "a.mjs": 'import "./\\u0062.mjs"', "b.mjs": "" }, "b.mjs"],
    ["with a long escape", module("./a.mjs"), { "a.mjs": 'import "./\\u{62}.mjs"', "b.mjs": "" }, "b.mjs"],
    [
      "with a short escape",
      module("./a.cjs"),
      { "a.cjs": 'require("./\\x62\\.\\152s")', "b.js": "" },
      "b.js",
    ],
    ["TypeScript as .js", module("./a.ts"), { "a.ts": 'import "./b.js";', "b.ts": "" }, "b.ts"],
    ["TypeScript as .mjs", module("./a.ts"), { "a.ts": 'import "./b.mjs";', "b.mts": "" }, "b.mts"],
    ["TypeScript without an ending", module("./a.ts"), { "a.ts": 'import "./b";', "b.ts": "" }, "b.ts"],
    [
      "of an import, in a circle",
      module("./a.mjs"),
      { "a.mjs": 'import "./b.mjs"', "b.mjs": 'import "./a.mjs"; import "./lib/c.mjs"', "lib/c.mjs": "" },
      "lib/c.mjs",
    ],
    ["of a script", command("node .belay/a.js"), { "a.js": 'require("./b")', "b.js": "" }, "b.js"],
    [
      "of a script in quotes",
      command("sh -c 'cd .belay; node a'"),
      { "a.js": "require('./b')", "b.js": "" },
      "b.js",
    ],
    ["a script without its ending", command("node .belay/a"), { "a.js": "" }, "a.js"],
    ["a script that is a folder", command("node .belay/a"), { "a/index.js": "" }, "a/index.js"],
    ["a preload", command("node -r ./.belay/p -e 0"), { "p.js": "" }, "p.js"],
    [
      "of a script that says who reads it",
      command(".belay/a"),
      { a: '#!/usr/bin/env node\nrequire("./b")', "b.js": "" },
      "b.js",
    ],
    ["of Python", command("python3 .belay/a.py"), { "a.py": "import b", "b.py": "" }, "b.py"],
    [
      "of Python, one of many on a line",
      command("python3 .belay/a.py"),
      { "a.py": "import os, sys as s; import json, b as c  # why", "b.py": "" },
      "b.py",
    ],
    [
      "of Python, in a function",
      command("python3 .belay/a.py"),
      { "a.py": "def f():\n\tfrom b import c", "b.py": "" },
      "b.py",
    ],
    [
      "of a Python package",
      command("python3 .belay/a.py"),
      { "a.py": "from b.c import d", "b/c/d.py": "" },
      "b/c/d.py",
    ],
    [
      "that runs because its package is imported",
      command("python3 .belay/a.py"),
      { "a.py": "import b.c", "b/__init__.py": "", "b/c.py": "" },
      "b/__init__.py",
    ],
    [
      "of an import of Python, by its place and by the script's",
      command("python3 .belay/a.py"),
      { "a.py": "import b.c", "b/c.py": "from . import d", "b/d.py": "import e", "e.py": "" },
      "e.py",
    ],
    [
      "of a script that says Python reads it",
      command(".belay/a"),
      { a: "#!/usr/bin/env python3\nimport b", "b.py": "" },
      "b.py",
    ],
  ];
  it.each(rows)("%s", async (_name, hook, files, edited) => {
    const room = scratch();
    for (const [name, text] of Object.entries(files)) room.write(`project/.belay/${name}`, text, 0o755);
    room.write(PROJECT, settings("Stop", hook));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
    room.write(`project/.belay/${edited}`, "/* edited */", 0o755);
    expect(await ran(room)).toBe(false);
  });

  it("one that comes to stand before the one trusted, and one that was missing", async () => {
    const room = scratch();
    room.write("project/.belay/a.cjs", 'require("./b"); try { require("./c") } catch {}');
    room.write("project/.belay/b.json", "{}");
    room.write(PROJECT, settings("Stop", module("./a.cjs")));
    for (const name of ["b.js", "c.js"]) {
      await room.trustAll();
      expect(await ran(room)).toBe(true);
      room.write(`project/.belay/${name}`, "");
      expect(await ran(room)).toBe(false);
    }
  });

  it("two hundred of them, and one that is endless to read, do no harm", async () => {
    const room = scratch();
    const names = Array.from({ length: 200 }, (_, n) => `n${n}.js`);
    for (const name of names) room.write(`project/.belay/${name}`, `from${" ".repeat(1000)}`);
    const text = names.map((name) => `require("./${name}");`).join("\n");
    const slow = ["from ", "from/*", "from//", "from'", "require(/**/"].map((piece) => piece.repeat(50_000));
    room.write("project/.belay/a.js", `${text}\nfrom${" ".repeat(300_000)}\n${slow.join("\n")}`);
    symlinkSync("/dev/zero", join(room.project, ".belay/zero.js"));
    room.write(PROJECT, settings("Stop", command("true node .belay/a.js .belay/zero")));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
  });
});

describe("a hook that is not looked through to its end cannot be trusted", () => {
  const many = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n));
  const rows: [why: string, command: string, files: string[]][] = [
    ["its command is longer than 16384 characters", `true ${"x ".repeat(9000)}`, []],
    ["its command quotes commands in commands too often", nested("sh a b", 8), []],
    [
      "its command names more than 30 folders",
      `true ${many(40, (n) => `d${n}`).join(" ")}; cd sub && ./guard.sh`,
      [...many(40, (n) => `d${n}/x`), "sub/guard.sh"],
    ],
    ["it imports more than 256 files", "node a.js", many(300, (n) => `n${n}.js`)],
    ["it has too many words that may be names of files", `node ${many(2500, (n) => `${n}`).join(" ")}`, []],
  ];
  it.each(rows)("%s", async (why, command, files) => {
    const room = scratch();
    for (const file of files) room.write(`project/${file}`, "");
    room.write("project/a.js", files.map((file) => `require("./${file}");`).join(""));
    room.write(PROJECT, settings("Stop", { type: "command", command, name: "guard" }));
    await room.trustAll();
    const outcome = await (await room.engine()).fire("Stop");
    expect([outcome.runs, codes(outcome)]).toEqual([[], ["hook-untrusted", "hook-not-trustable"]]);
    const message = `guard cannot be trusted as it is: ${why}, so an edit could go unseen`;
    expect(outcome.diagnostics[1]).toMatchObject({ hook: "guard", message });
    expect(said(outcome)[1]).toContain(message);
  });

  it("and is one that was edited, if it was trusted before", async () => {
    const room = scratch();
    const guard = { type: "command", command: "node a.js", onFailure: "block" };
    room.write("project/a.js", "");
    room.write(PROJECT, settings("PreToolUse", guard));
    await room.trustAll();
    const engine = await room.engine();
    const blocked = async () =>
      (await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} })).blocked;
    expect(await blocked()).toBe(false);
    const names = many(300, (n) => `./n${n}.js`);
    for (const name of names) room.write(`project/${name}`, "");
    room.write("project/a.js", names.map((name) => `require("${name}");`).join(""));
    await room.trustAll();
    expect(await blocked()).toBe(true);
  });
});

it("hooks that were never trusted are not looked through before an event", async () => {
  const room = scratch();
  for (let n = 0; n < 30; n += 1) room.write(`project/d${n}/x`, "");
  const folders = Array.from({ length: 30 }, (_, n) => `d${n}`).join(" ");
  const hooks = Array.from({ length: 300 }, (_, n) => ({
    type: "command",
    command: `node ${folders} ${"x y z ".repeat(300)} ${n}`,
  }));
  room.write(PROJECT, settings("SessionEnd", ...hooks));
  const engine = await room.engine();
  const started = performance.now();
  expect(codes(await engine.fire("Stop"))).toEqual(["hook-untrusted"]);
  expect(performance.now() - started).toBeLessThan(2000);
});

it("a project in a folder of the system is still a project", async () => {
  const command = (text: string) =>
    ({ handler: { type: "command", command: text }, source: {} }) as unknown as Hook;
  const folders = { project: "/proc/self", cwd: "/proc/self", home: "/nowhere" };
  expect(filesOf(command("./status && /bin/sh </dev/null"), folders)).toEqual(["/proc/self/status"]);
  expect(filesOf(command("/proc/version"), { ...folders, project: "/nowhere" })).toEqual(["/proc/version"]);
});

describe("what is no plain file is not read, whoever names it", () => {
  const rows: [name: string, hook: object][] = [
    ["a pipe that looks like a script", { type: "command", command: "./pipe.sh" }],
    ["a pipe as a module", { type: "module", module: "../pipe.sh" }],
    ["a link to a pipe", { type: "module", module: "../link.mjs" }],
    ["stdin as a module", { type: "module", module: "/dev/stdin" }],
    ["a script that never ends", { type: "command", command: "./endless.sh" }],
    ["a device as a module", { type: "module", module: "/dev/zero" }],
    ["a file of the kernel that waits", { type: "module", module: "/proc/kmsg" }],
    ["a folder", { type: "module", module: ".." }],
  ];
  it.each(rows)("%s", async (_name, hook) => {
    const room = scratch();
    execFileSync("mkfifo", [join(room.project, "pipe.sh")]);
    symlinkSync("pipe.sh", join(room.project, "link.mjs"));
    symlinkSync("/dev/zero", join(room.project, "endless.sh"));
    room.write(PROJECT, settings("Stop", hook));
    const host = startHost("untrusted.mjs", [room.project, room.home]);
    const limit = setTimeout(() => host.kill("SIGKILL"), 10_000);
    expect(await host.finished).toMatchObject({ signal: null, stdout: "hook-untrusted\n" });
    clearTimeout(limit);
  });
});

it.each(["pipe", "/dev/zero"])("a project's config file that is a link to %s is not read", async (target) => {
  const room = scratch();
  mkdirSync(join(room.project, ".belay"));
  execFileSync("mkfifo", [join(room.project, ".belay/pipe")]);
  symlinkSync(target, join(room.root, PROJECT));
  const host = startHost("untrusted.mjs", [room.project, room.home]);
  const limit = setTimeout(() => host.kill("SIGKILL"), 10_000);
  expect(await host.finished).toMatchObject({ signal: null, stdout: "config-unreadable\n" });
  clearTimeout(limit);
});

it("a file too large to be read whole asks again when it was written to, wherever", async () => {
  const room = scratch();
  const MiB = 1024 * 1024;
  const content = Buffer.alloc(12 * MiB, "#");
  const file = room.write("project/guard.sh", "", 0o755);
  writeFileSync(file, content);
  room.write(PROJECT, settings("Stop", { type: "command", command: "./guard.sh" }));
  await room.trustAll();
  expect(await ran(room)).toBe(true);
  writeFileSync(file, content.fill("x", 6 * MiB, 6 * MiB + 1));
  expect(await ran(room)).toBe(false);
});

describe("commands that are hard to read do no harm", () => {
  const commands = [
    `true ${"x".repeat(5000)}`,
    `true '${"long text ".repeat(100)}'`,
    "true hooks.json/not/a/folder",
    "true / . .. ~ $HOME",
    "true 'unfinished",
    "true \\",
  ];
  it.each(commands.map((command) => [command.slice(0, 40), command]))("%s", async (_name, command) => {
    const room = scratch();
    room.write("project/hooks.json", "x");
    room.write(PROJECT, settings("Stop", { type: "command", command }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
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

  const corrupt = [
    "",
    "{",
    "[]",
    "null",
    "7",
    '{"version":1}',
    '{"version":1,"projects":null}',
    "ALL-NUMBERS",
    "STRING",
  ];
  it.each(corrupt)("that makes no sense trusts nothing, and can be written again: %j", async (text) => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("x")));
    await room.trustAll();
    const entries = { "ALL-NUMBERS": 7, STRING: "abc" };
    const content =
      text in entries
        ? JSON.stringify({ version: 1, projects: { [room.project]: entries[text as keyof typeof entries] } })
        : text;
    writeFileSync(join(room.home, ".belay/trust.json"), content);
    expect(await ran(room)).toBe(false);
    await room.trustAll();
    expect(await ran(room)).toBe(true);
  });

  it("keeps other projects", async () => {
    const room = scratch();
    room.write(PROJECT, settings("Stop", says("x")));
    await room.trustAll();
    const file = join(room.home, ".belay/trust.json");
    const trusted = JSON.parse(readFileSync(file, "utf8")) as { projects: Record<string, string[]> };
    writeFileSync(file, JSON.stringify({ version: 1, projects: { ...trusted.projects, "/else": ["abc"] } }));
    room.write(PROJECT, settings("Stop", says("y")));
    await room.trustAll();
    const { projects } = JSON.parse(readFileSync(file, "utf8")) as { projects: Record<string, string[]> };
    expect(projects["/else"]).toEqual(["abc"]);
    expect(projects[room.project]).toHaveLength(2);
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

describe("the notice about hooks that are not trusted", () => {
  it.each([
    [1, "Stop", "1 hook from FILE not run: it is not trusted (it is for Stop)"],
    [2, "Stop", "2 hooks from FILE not run: they are not trusted (2 of them for Stop)"],
  ] as const)("%i of them", async (count, event, message) => {
    const { engine, write } = scratch();
    const commands = Array.from({ length: count }, (_, index) => ({
      type: "command",
      command: `exit ${index}`,
    }));
    const file = write("project/.belay/settings.json", { hooks: { [event]: [{ hooks: commands }] } });
    const { diagnostics } = await (await engine()).fire(event, {});
    expect(diagnostics.map((found) => found.message.replace(file, "FILE"))).toEqual([message]);
  });
});
