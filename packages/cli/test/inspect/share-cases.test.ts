import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseYaml } from "../../src/testing/read/source.ts";
import { type Scratch, scratch } from "../cli.ts";
import { sharedOf } from "./shared.ts";

/* Recorded events as test cases, which pass as they are, here and on another machine. */

const UUID = "0b0e7a3c-5f3f-4c8e-9a51-1f2d3c4b5a69";
const command = (line: string) => ({ type: "command", command: line });
const hooksFor = (...entries: object[]) => JSON.stringify({ hooks: { PreToolUse: [{ hooks: entries }] } });
const DENIES = command("echo not here >&2; exit 2");

interface Row {
  readonly what: string;
  readonly hook: object;
  readonly input?: object;
}

/** Fires an event for each row at a hook of its own; what the page copies of them. */
async function firedRows(room: Scratch, rows: readonly Row[]) {
  const groups = rows.map(({ hook }, at) => ({ matcher: `Row${at}`, hooks: [hook] }));
  room.file(".belay/settings.json", JSON.stringify({ hooks: { PreToolUse: groups } }));
  await room.belay(["trust", "--yes"]);
  for (const [at, { input = {} }] of rows.entries())
    await room.belay(["run", "PreToolUse", "--tool", `Row${at}`, "--tool-input", JSON.stringify(input)]);
  return sharedOf(room);
}

/** What is wrong with these cases, each saved in a file of its own in the project's root; nothing, if all pass. */
async function tested(room: Scratch, ...testCases: (string | undefined)[]): Promise<string> {
  for (const [at, text = ""] of testCases.entries()) room.file(`case-${at}.hooks.yaml`, text);
  const { code, stdout, stderr } = await room.belay(["test", "case"]);
  const passed = new RegExp(`\\b${testCases.length} (?:cases? )?pass`).test(stdout);
  return code === 0 && passed ? "" : stdout + stderr + testCases.join("\n");
}

/** The same of cases that are saved in another project with the same files and hooks. */
async function testedElsewhere(room: Scratch, ...testCases: (string | undefined)[]): Promise<string> {
  const other = scratch();
  await other.shell(`cp -a "${room.project}/." .`);
  return tested(other, ...testCases);
}

it("a case about its folder passes on another machine", async () => {
  const room = scratch();
  const { project, home } = room;
  const path = `f=$(sed -n 's/.*"file_path":"\\([^"]*\\)".*/\\1/p'); case "$f" in`;
  const inside = command(`${path} "$PWD"/*) exit 0;; *) echo "$f is outside" >&2; exit 2;; esac`);
  const ofHome = command(`${path} "$HOME"/*) echo "$f is yours" >&2; exit 2;; esac`);
  const rewrites = command(
    `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"cd %s"}}}' "$PWD"`,
  );
  const rows: Row[] = [
    { what: "a payload", hook: inside, input: { file_path: `${project}/src/a.ts` } },
    { what: "a folder beside it", hook: inside, input: { file_path: `${project}-two/a.ts` } },
    { what: "a file of the user's", hook: ofHome, input: { file_path: `${home}/.ssh/id` } },
    { what: "a reason", hook: command("echo not in $PWD. >&2; exit 2") },
    { what: "a reason that begins with it", hook: command("echo $PWD/x is not yours >&2; exit 2") },
    { what: "a rewrite", hook: rewrites },
  ];
  const cases = (await firedRows(room, rows)).map(({ testCase }) => testCase);
  expect(await testedElsewhere(room, ...cases)).toBe("");
  for (const text of cases) expect(text).not.toMatch(new RegExp(`${project}(?!-two)|${home}`));
});

it("a case keeps the name of a folder that only holds its own", async () => {
  const room = scratch();
  const { project: folder } = room;
  const COMMANDS: [command: string, expected?: string][] = [
    [`ls /mnt${folder}/x`],
    [`ls ./copy-${folder}`],
    [`ls ..${folder}`],
    [`ls "\${ROOT}${folder}"`],
    [`ls /mnt/${folder}`],
    [`ls -I${folder}/x`, "ls -I{cwd}/x"],
    [`PATH=${folder}/bin:${folder} ls file://${folder}`, "PATH={cwd}/bin:{cwd} ls file://{cwd}"],
  ];
  const rows = COMMANDS.map(([what]) => ({ what, hook: command("true"), input: { command: what } }));
  const shared = await firedRows(room, rows);
  const read = await Promise.all(shared.map(({ testCase }) => parseYaml(testCase)));
  const commands = read.map(
    ({ value }) => (value as { cases: { payload: { tool_input: unknown } }[] }).cases[0]?.payload.tool_input,
  );
  expect(commands).toEqual(COMMANDS.map(([given, expected = given]) => ({ command: expected })));
});

it("a case of a hook that reads its folder passes in the project's root", async () => {
  const room = scratch();
  room.file("package.json", "{}");
  room.file("notes.txt", "secret");
  room.file("sub/g.sh", "#!/bin/sh\necho not here >&2; exit 2\n", 0o755);
  const shared = await firedRows(
    room,
    [
      "test -f package.json && { echo has a package >&2; exit 2; }; exit 0",
      "grep -q secret notes.txt && { echo secret >&2; exit 2; }; exit 0",
      "cd sub && ./g.sh",
    ].map((line) => ({ what: line, hook: command(line) })),
  );
  for (const { testCase, lacks } of shared) {
    expect(testCase).toContain("decision: deny");
    expect(lacks).toContain(
      "Commands of hooks took part: the test case gives them a copy of their folder, folder: ., without .git and node_modules.",
    );
  }
  expect(await testedElsewhere(room, ...shared.map(({ testCase }) => testCase))).toBe("");
});

it("a case does not copy a home, and says that it has an empty folder", async () => {
  const room = scratch();
  mkdirSync(`${room.home}/.belay`, { recursive: true });
  const config = room.config({ Stop: [{ hooks: [DENIES] }] });
  await room.shell(`cd "${room.home}" && belay run Stop --config "${config}"; true`);
  const [shared] = await sharedOf({ home: room.home, project: room.home }, ["--config", config]);
  expect(shared?.testCase).not.toContain("folder:");
  expect(shared?.lacks).toContain(
    `Commands of hooks took part in ${room.home}: the test case gives them an empty folder.`,
  );
});

it("a case says nothing of folders where no command ran", async () => {
  const room = scratch();
  const config = room.config({ Stop: [{ hooks: [{ type: "json", json: {} }] }] });
  await room.belay(["run", "Stop", "--config", config]);
  const [shared] = await sharedOf(room);
  expect(`${shared?.testCase} ${shared?.lacks}`).not.toContain("folder");
});

it("a case says that it runs a hook that was not trusted", async () => {
  const room = scratch();
  room.file(".belay/settings.json", hooksFor(DENIES));
  await room.belay(["run", "PreToolUse", "--tool", "Bash"]);
  const [shared] = await sharedOf(room);
  expect(shared?.lacks).toContain(
    "1 hook did not run, as it was not trusted: a test case runs it, and may decide otherwise.",
  );
});

it("an event with a hook of its session is a command that names the session, and no case", async () => {
  const room = scratch();
  room.file(`.belay/hooks/hooks.${UUID}.json`, hooksFor(DENIES));
  await room.belay(["trust", "--session", UUID, "--yes"]);
  await room.belay(["run", "PreToolUse", "--tool", "Bash", "--session", UUID]);
  const [shared] = await sharedOf(room);
  expect(shared?.commandLine).toContain(` --session ${UUID}`);
  expect(await room.shell(`${shared?.commandLine} 2>&1; echo "exit $?"`)).toMatch(/not here[\s\S]*exit 2/);
  expect(shared?.lacks).toContain("Hooks of its session took part: a test case does not run those.");
});

describe("an event in which hooks only said something", () => {
  const context = (text: string) => ({ ...command(`echo '${text}'`), name: "says" });
  const system = {
    type: "json",
    name: "tells",
    json: { systemMessage: "/a push/", hookSpecificOutput: { hookEventName: "UserPromptSubmit" } },
  };
  const SAID: [what: string, hooks: object[], expected: object][] = [
    ["context", [context("The build is green.")], { agent: ["The build is green."] }],
    ["a message", [system], { user: [{ exact: "/a push/" }] }],
    ["both", [context("on main"), system], { user: [{ exact: "/a push/" }], agent: ["on main"] }],
    [
      "context, beside one that failed",
      [context("on main"), { ...command("no-such-program-here"), name: "gone" }],
      { agent: ["on main"], diagnostics: ["run-not-started"] },
    ],
    [
      "a message, beside a warning of Belay's about the same hook",
      [{ ...system, nmae: "typo" }],
      { user: [{ exact: "/a push/" }] },
    ],
    ["nothing", [command("true")], {}],
  ];

  it.each(SAID)("is a case that fails when they no longer do: %s", async (_, hooks, expected) => {
    const room = scratch();
    const write = (entries: object[]) => room.config({ UserPromptSubmit: [{ hooks: entries }] });
    const args = ["--config", write(hooks)];
    await room.belay(["run", "UserPromptSubmit", "--prompt", "hello", ...args]);
    const [shared] = await sharedOf(room, args);
    const { value } = await parseYaml(shared?.testCase ?? "");
    const [found] = (value as { cases: { expect: object }[] }).cases;
    expect(found?.expect).toEqual({ decision: "none", ...expected });
    expect(await tested(room, shared?.testCase)).toBe("");
    write(hooks.map((hook) => ({ ...hook, ...command("true") })));
    expect((await tested(room, shared?.testCase)) !== "").toBe(Object.keys(expected).length > 0);
  });
});

it("an event in which a hook failed is a case that passes", async () => {
  const room = scratch();
  const FAILURES: [what: string, fields: object][] = [
    ["exit 1", { command: "echo the linter is broken >&2; exit 1" }],
    ["exit 1 that names its folder", { command: 'echo "broken in $PWD" >&2; exit 1' }],
    ["exit 1 that says nothing", { command: "exit 1" }],
    ["a program that is not there", { command: "no-such-program-here" }],
    ["a timeout", { command: "sleep 20", timeout: 0.2 }],
    ["a failure that blocks", { command: "exit 1", onFailure: "block" }],
    ["output that is no JSON object", { command: `echo '{"decision": '` }],
  ];
  const rows = FAILURES.map(([what, fields]) => ({ what, hook: { type: "command", ...fields } }));
  const shared = await firedRows(room, rows);
  expect(await tested(room, ...shared.map(({ testCase }) => testCase))).toBe("");
});

describe("an event whose hook names its script from the working folder on", () => {
  const LAYERS: [layer: string, file: string, args: string[], named: string][] = [
    ["the project's", ".belay/settings.json", [], ""],
    ["the user's", "../home/.belay/settings.json", [], "config: ../home/.belay/settings.json\n"],
    ["a config that is named", "guards.json", ["--config", "guards.json"], ""],
  ];

  it.each(LAYERS)("is a case that passes in the project's root: %s", async (_, file, args, named) => {
    const room = scratch();
    room.file("guard.sh", "#!/bin/sh\necho not here >&2; exit 2\n", 0o755);
    room.file(file, hooksFor(command("./guard.sh")));
    await room.belay(["trust", "--yes"]);
    await room.belay(["run", "PreToolUse", "--tool", "Bash", ...args]);
    const [shared] = await sharedOf(room, args);
    expect(shared?.lacks).toContain(`Save the test case in ${room.project}`);
    expect(await tested(room, `${named}${shared?.testCase}`)).toBe("");
  });

  it("is one also where that folder is not the root", async () => {
    const room = scratch();
    room.file("sub/guard.sh", "#!/bin/sh\necho not here >&2; exit 2\n", 0o755);
    const config = room.config({ PreToolUse: [{ hooks: [command("./guard.sh")] }] });
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config, "--cwd", "sub"]);
    const [shared] = await sharedOf(room, ["--config", config]);
    expect(await tested(room, shared?.testCase)).toBe("");
  });
});

describe("an event whose hooks are found by flags", () => {
  const FLAGS: [what: string, file: string, args: string[], inspect?: string[]][] = [
    ["a dialect", ".claude/settings.json", ["--dialect", "claude-code"]],
    ["a dialect of the records alone", ".claude/settings.json", ["--dialect", "claude-code"], []],
    ["a config", "policy/hooks.json", ["--config", "policy/hooks.json"]],
    ["a config and a dialect", "hooks.json", ["--config", "hooks.json", "--dialect", "claude-code"]],
    ["a plugin", "plugin/hooks/hooks.json", ["--plugin", "plugin"]],
  ];

  it.each(FLAGS)("is a case that passes as it is: %s", async (_, file, args, inspect = args) => {
    const room = scratch();
    room.file(file, hooksFor(DENIES));
    await room.belay(["trust", "--yes", ...(args[0] === "--dialect" ? args : [])]);
    await room.belay(["run", "PreToolUse", "--tool", "Bash", ...args]);
    const [shared] = await sharedOf(room, inspect);
    expect(shared?.testCase).toContain("decision: deny");
    expect(await tested(room, shared?.testCase)).toBe("");
    expect(await room.shell(`${shared?.commandLine}; echo "exit $?"`)).toContain("exit 2");
  });

  it.each([
    ["of the user", "../home/.belay/settings.json", []],
    ["of a config that the page was not given", "hooks.json", ["--config", "hooks.json"]],
  ])("says that a test case does not run hooks %s", async (_, file, args) => {
    const room = scratch();
    const path = room.file(file, hooksFor(DENIES));
    await room.belay(["run", "PreToolUse", "--tool", "Bash", ...args]);
    const [shared] = await sharedOf(room);
    expect(shared?.lacks).toContain(
      `Hooks of ${path} took part: a test case runs those only where its config: names that file.`,
    );
  });
});
