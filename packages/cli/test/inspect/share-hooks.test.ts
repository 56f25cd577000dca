import { describe, expect, it } from "vitest";
import { parseYaml } from "../../src/testing/read/yaml.ts";
import { type Scratch, scratch } from "../cli.ts";
import { sharedOf } from "./shared.ts";

const UUID = "0b0e7a3c-5f3f-4c8e-9a51-1f2d3c4b5a69";

describe("an event in which a hook of its session took part", () => {
  async function denied() {
    const room = scratch();
    const hook = { type: "command", command: "echo not in this session >&2; exit 2" };
    room.file(
      `.belay/hooks/hooks.${UUID}.json`,
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
    );
    await room.belay(["trust", "--session", UUID, "--yes"]);
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--session", UUID]);
    return room;
  }

  it("is a command that names the session, and is denied again", async () => {
    const room = await denied();
    const [shared] = await sharedOf(room);
    expect(shared?.commandLine).toContain(` --session ${UUID}`);
    expect(await room.shell(`${shared?.commandLine} 2>&1; echo "exit $?"`)).toMatch(
      /not in this session[\s\S]*exit 2/,
    );
  });

  it("says that a test case does not run that hook", async () => {
    const [shared] = await sharedOf(await denied());
    expect(shared?.lacks).toContain("Hooks of its session took part: a test case does not run those.");
  });
});

describe("an event in which hooks only said something", () => {
  const context = (text: string) => ({ type: "command", name: "says", command: `echo '${text}'` });
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
      [context("on main"), { type: "command", name: "gone", command: "no-such-program-here" }],
      { agent: ["on main"], diagnostics: ["run-not-started"] },
    ],
    ["nothing", [{ type: "command", command: "true" }], {}],
  ];

  it.each(SAID)("is a case that fails when they no longer do: %s", async (_, hooks, expected) => {
    const room = scratch();
    const write = (entries: object[]) => room.config({ UserPromptSubmit: [{ hooks: entries }] });
    const args = ["--config", write(hooks)];
    await room.belay(["run", "UserPromptSubmit", "--prompt", "hello", ...args]);
    const [shared] = await sharedOf(room, args);
    const { value } = await parseYaml(shared?.testCase ?? "");
    expect(value).toMatchObject({ cases: [{ expect: { decision: "none", ...expected } }] });
    expect(await tested(room, shared?.testCase ?? "")).toBe("");
    write(hooks.map((hook) => ({ ...hook, type: "command", command: "true" })));
    const isAbout = Object.keys(expected).length > 0;
    expect((await tested(room, shared?.testCase ?? "")) !== "").toBe(isAbout);
  });
});

describe("an event in which a hook failed", () => {
  const FAILURES = [
    ["exit 1", { command: "echo the linter is broken >&2; exit 1" }],
    ["exit 1 that names its folder", { command: 'echo "broken in $PWD" >&2; exit 1' }],
    ["exit 1 that says nothing", { command: "exit 1" }],
    ["a program that is not there", { command: "no-such-program-here" }],
    ["a timeout", { command: "sleep 20", timeout: 0.2 }],
    ["a failure that blocks", { command: "exit 1", onFailure: "block" }],
    ["output that is no JSON object", { command: `echo '{"decision": '` }],
  ] as const;

  it.each(FAILURES)("is a test case that passes: %s", async (_name, hook) => {
    const room = scratch();
    room.file(
      ".belay/settings.json",
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: "command", ...hook }] }] } }),
    );
    await room.belay(["trust", "--yes"]);
    await room.belay(["run", "PreToolUse", "--tool", "Bash"]);
    const [shared] = await sharedOf(room);
    room.file("case.hooks.yaml", shared?.testCase ?? "");
    const { code, stdout, stderr } = await room.belay(["test"]);
    expect(code, stdout + stderr + shared?.testCase).toBe(0);
  });
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
    const hook = { type: "command", command: "./guard.sh" };
    room.file(file, JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }));
    await room.belay(["trust", "--yes"]);
    await room.belay(["run", "PreToolUse", "--tool", "Bash", ...args]);
    const [shared] = await sharedOf(room, args);
    expect(shared?.lacks).toContain(`Save the test case in ${room.project}`);
    expect(await tested(room, `${named}${shared?.testCase}`)).toBe("");
  });

  it("is one also where that folder is not the root", async () => {
    const room = scratch();
    room.file("sub/guard.sh", "#!/bin/sh\necho not here >&2; exit 2\n", 0o755);
    const config = room.config({ PreToolUse: [{ hooks: [{ type: "command", command: "./guard.sh" }] }] });
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config, "--cwd", "sub"]);
    const [shared] = await sharedOf(room, ["--config", config]);
    expect(await tested(room, shared?.testCase ?? "")).toBe("");
  });
});

describe("an event whose hooks are found by flags", () => {
  const HOOKS = JSON.stringify({
    hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "echo not here >&2; exit 2" }] }] },
  });
  const FLAGS: [what: string, file: string, args: string[], inspect?: string[]][] = [
    ["a dialect", ".claude/settings.json", ["--dialect", "claude-code"]],
    ["a dialect of the records alone", ".claude/settings.json", ["--dialect", "claude-code"], []],
    ["a config", "policy/hooks.json", ["--config", "policy/hooks.json"]],
    ["a config and a dialect", "hooks.json", ["--config", "hooks.json", "--dialect", "claude-code"]],
    ["a plugin", "plugin/hooks/hooks.json", ["--plugin", "plugin"]],
  ];

  it.each(FLAGS)("is a case that passes as it is: %s", async (_, file, args, inspect = args) => {
    const room = scratch();
    room.file(file, HOOKS);
    await room.belay(["trust", "--yes", ...(args[0] === "--dialect" ? args : [])]);
    await room.belay(["run", "PreToolUse", "--tool", "Bash", ...args]);
    const [shared] = await sharedOf(room, inspect);
    expect(shared?.testCase).toContain("decision: deny");
    expect(await tested(room, shared?.testCase ?? "")).toBe("");
    expect(await room.shell(`${shared?.commandLine}; echo "exit $?"`)).toContain("exit 2");
  });

  it.each([
    ["of the user", "../home/.belay/settings.json", []],
    ["of a config that the page was not given", "hooks.json", ["--config", "hooks.json"]],
  ])("says that a test case does not run hooks %s", async (_, file, args) => {
    const room = scratch();
    const path = room.file(file, HOOKS);
    await room.belay(["run", "PreToolUse", "--tool", "Bash", ...args]);
    const [shared] = await sharedOf(room);
    expect(shared?.lacks).toContain(
      `Hooks of ${path} took part: a test case runs those only where its config: names that file.`,
    );
  });
});

/** What is wrong with a case that is saved in the project's root; nothing, if it passes. */
async function tested(room: Scratch, testCase: string): Promise<string> {
  room.file("case.hooks.yaml", testCase);
  const { code, stdout, stderr } = await room.belay(["test", "case"]);
  return code === 0 ? "" : stdout + stderr + testCase;
}
