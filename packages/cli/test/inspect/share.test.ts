import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { clean } from "@belay/core/clean";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventsPage, Fired, Shared } from "../../../inspector/src/api.ts";
import { inYaml } from "../../src/inspect/share.ts";
import { parseYaml } from "../../src/testing/read/source.ts";
import { type Scratch, scratch } from "../cli.ts";
import { journal, lineOf } from "./journal.ts";
import { serve } from "./server.ts";

/* What the page copies of an event: a command line that fires the same, and a test case that passes as it is. */

const UUID = "0b0e7a3c-5f3f-4c8e-9a51-1f2d3c4b5a69";
const command = (line: string) => ({ type: "command", command: line });
const hooksFor = (...entries: object[]) => JSON.stringify({ hooks: { PreToolUse: [{ hooks: entries }] } });
const DENIES = command("echo not here >&2; exit 2");
const GUARD = "#!/bin/sh\necho not here >&2; exit 2\n";
const SAVES = command('cat > "$BELAY_PROJECT_DIR/seen"');

/** What the page copies of each recorded event, the oldest first. */
async function sharedOf(room: Pick<Scratch, "project" | "home">, args: readonly string[] = []) {
  const served = await serve(room, args);
  const { rows } = await served.api<EventsPage>("/api/events");
  const keys = rows.map(({ key }) => key).reverse();
  return Promise.all(keys.map((key) => served.api<Shared>(`/api/test-case/${key}`)));
}

interface Happened {
  readonly payload: object;
  readonly cwd?: string;
  readonly event?: string;
}

/** What the page copies of events that happened so; a hook of each saves its payload. */
async function copied(room: Scratch, ...all: Happened[]): Promise<Shared[]> {
  const lines = all.map(({ payload, cwd = room.project, event = "PreToolUse" }, at) => {
    const common = { session_id: "s", cwd, hook_event_name: event };
    // Entries, and not a spread: a field may be named __proto__.
    const whole = Object.fromEntries([...Object.entries(common), ...Object.entries(payload)]);
    return `${JSON.stringify({ ...JSON.parse(lineOf({ id: `${at}`, event })), cwd, payload: whole })}\n`;
  });
  journal(room, lines);
  const config = room.config({ PreToolUse: [{ hooks: [SAVES] }], UserPromptSubmit: [{ hooks: [SAVES] }] });
  return sharedOf(room, ["--config", config]);
}

/** What hooks are given when the line is pasted and run. */
async function firedBy(room: Scratch, line = ""): Promise<object> {
  await room.shell(`rm -f seen; ${line} > /dev/null; true`);
  return JSON.parse(await room.shell("cat seen")) as object;
}

describe("YAML", () => {
  const NAMES = "on|no|<<|=|~|null|0x1f|1e3|.inf|2026-11-15|- a|a: b|a #b|*a".split("|");
  const word = fc.oneof(
    fc.constantFrom(...NAMES),
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
  );

  it("is read by belay test as what it was", () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          word,
          fc.jsonValue().chain((value) => fc.oneof(fc.constant(value), word)),
        ),
        async (value) => {
          const plain = JSON.parse(JSON.stringify(value)) as unknown;
          expect((await parseYaml(inYaml(plain))).value).toEqual(plain);
        },
      ),
      { numRuns: 2000 },
    ));

  it("is what a person would write", () =>
    expect(inYaml({ cases: [{ name: "a b", on: true, text: "two\nlines" }] })).toBe(
      "cases:\n  - name: a b\n    'on': true\n    text: |-\n      two\n      lines\n",
    ));
});

describe("a copied command line", () => {
  /** Deletes what stands before it in a terminal, begins a command to it, or turns the order of what is read. */
  const ACTED_ON = [
    "\x7f".repeat(400),
    ...["\x9b2K", "\u0085", "\x1b[2K", "\u202e", "\u200b", "\u{e0041}", "\t\r\n"],
  ];
  const TEXTS = [
    ...["ls", "it's", 'say "hi"', "$HOME `x` \\", "two\nlines", "-rf", "é \u0001 ✓", ""],
    `ls${ACTED_ON.join("; ")} it's`,
    // Half of a character, which no command line can hold.
    "\ud800x",
  ];
  const PLACES: [what: string, event: string, payloadWith: (text: string) => object][] = [
    ["an input", "PreToolUse", (text) => ({ tool_name: "Bash", tool_input: { [text]: text } })],
    ["a tool", "PreToolUse", (text) => ({ tool_name: text, tool_input: {} })],
    ["a field", "PreToolUse", (text) => ({ tool_name: "Bash", tool_input: {}, note: text })],
    ["the name of a field", "PreToolUse", (text) => ({ tool_name: "Bash", tool_input: {}, [text]: 1 })],
    ["a prompt", "UserPromptSubmit", (text) => ({ prompt: text })],
  ];
  const isTyped = (line: string) => clean(line) === line && !line.includes("\n");

  it.each(PLACES)(
    "holds nothing that a terminal acts on, and fires the same: %s",
    async (what, event, payloadWith) => {
      const room = scratch();
      const texts = what === "an input" ? TEXTS : TEXTS.slice(-2);
      const payloads = texts.map(payloadWith);
      const shared = await copied(room, ...payloads.map((payload) => ({ payload, event })));
      for (const [at, { commandLine }] of shared.entries()) {
        expect(isTyped(commandLine), JSON.stringify(commandLine)).toBe(true);
        expect(await firedBy(room, commandLine)).toMatchObject(payloads[at] ?? {});
      }
    },
  );

  it("fires an input that is too long for an argument", async () => {
    const room = scratch();
    const payload = { tool_name: "Write", tool_input: { content: "語".repeat(60_000), more: "a's" } };
    const [shared] = await copied(room, { payload });
    room.file("pasted.sh", shared?.commandLine ?? ""); // for no program could be given it
    expect(await firedBy(room, ". ./pasted.sh")).toMatchObject(payload);
  });

  it("fires in the same folder, whatever its name", async () => {
    const room = scratch();
    const NAMES = [...ACTED_ON, "100% \\ it's !x\x7f", "-é\x1b1", "two\nlines", "last\n\n", "\n"];
    // No system takes a longer name.
    const folders = NAMES.map((name) => join(room.project, name.slice(0, 200)));
    for (const folder of folders) mkdirSync(folder);
    const payload = { tool_name: "Bash", tool_input: {} };
    const shared = await copied(room, ...folders.map((cwd) => ({ payload, cwd })));
    for (const [at, { commandLine }] of shared.entries()) {
      expect(isTyped(commandLine), JSON.stringify(commandLine)).toBe(true);
      expect(await firedBy(room, commandLine)).toMatchObject({ cwd: folders[at] });
    }
  });

  it("keeps the mode that its session was in, as the test case does", async () => {
    const room = scratch();
    const plans = command(
      `grep -q '"permission_mode": *"plan"' && { echo "only plans" >&2; exit 2; }; exit 0`,
    );
    const config = room.config({ PreToolUse: [{ hooks: [plans] }] });
    for (const mode of ["plan", "default"])
      await room.belay(["run", "PreToolUse", "--config", config, "--set", `permission_mode="${mode}"`]);
    const [planned, usual] = await sharedOf(room, ["--config", config]);
    expect(await room.shell(planned?.commandLine ?? "")).toContain("only plans");
    expect(usual?.commandLine).not.toContain("permission_mode");
    expect(await tested(room, planned?.testCase)).toBe("");
  });
});

describe("a copied event", () => {
  it("says which of its fields were absent, and are filled in", async () => {
    const served = await serve(scratch());
    const lacksOf = async (payload: object) =>
      (await served.api<Fired>("/api/fire", { event: "Stop", payload })).share.lacks;
    expect(await lacksOf({ stop_hook_active: false })).toContain("had no last_assistant_message:");
    expect(await lacksOf({ stop_hook_active: false, last_assistant_message: "" })).toBeUndefined();
  });

  it("holds no secret that its hooks said, in the playground neither", async () => {
    const room = scratch();
    const hook = command(`echo the token is ghp_${"a1B2".repeat(9)}`);
    const served = await serve(room, ["--config", room.config({ UserPromptSubmit: [{ hooks: [hook] }] })]);
    const request = { event: "UserPromptSubmit", payload: { prompt: "hello" } };
    const { testCase, lacks } = (await served.api<Fired>("/api/fire", request)).share;
    expect(testCase).toMatch(/agent:\n +- the token is \[redacted\]\n/);
    expect(lacks).toContain("Secrets were replaced");
  });

  it("keeps fields that are named as those of every object", async () => {
    const room = scratch();
    const fields = JSON.parse('{ "__proto__": { "a": 1 }, "constructor": "b", "toString": "c" }') as object;
    const [shared] = await copied(room, { payload: fields });
    expect(Object.entries(await payloadIn(shared))).toEqual(Object.entries(fields));
    const fired = await firedBy(room, shared?.commandLine);
    expect(Object.entries(fired)).toEqual(expect.arrayContaining(Object.entries(fields)));
  });

  it("keeps a folder that is not its own, or only holds its name", async () => {
    const room = scratch();
    const { project: folder } = room;
    const COMMANDS: [command: string, expected?: string, cwd?: string][] = [
      ["ls -a", "ls -a", ""],
      [`ls /mnt${folder}/x`],
      [`ls ./copy-${folder}`],
      [`ls ..${folder}`],
      [`ls "\${ROOT}${folder}"`],
      [`ls /mnt/${folder}`],
      [`ls -I${folder}/x`, "ls -I{cwd}/x"],
      [`PATH=${folder}/bin:${folder} ls file://${folder}`, "PATH={cwd}/bin:{cwd} ls file://{cwd}"],
    ];
    const happened = COMMANDS.map(([line, , cwd = folder]) => ({
      payload: { tool_name: "Bash", tool_input: { command: line } },
      cwd,
    }));
    const payloads = await Promise.all((await copied(room, ...happened)).map(payloadIn));
    expect(payloads).toMatchObject(
      COMMANDS.map(([given, expected = given]) => ({ tool_input: { command: expected } })),
    );
  });
});

/** The payload in the one case of a copied event. */
async function payloadIn(shared: Shared | undefined): Promise<object> {
  const { value } = await parseYaml(shared?.testCase ?? "");
  return (value as { cases: { payload: object }[] }).cases[0]?.payload ?? {};
}

interface Row {
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
    { hook: inside, input: { file_path: `${project}/src/a.ts` } },
    { hook: inside, input: { file_path: `${project}-two/a.ts` } },
    { hook: ofHome, input: { file_path: `${home}/.ssh/id` } },
    { hook: command("echo not in $PWD. >&2; exit 2") },
    { hook: command("echo $PWD/x is not yours >&2; exit 2") },
    { hook: rewrites },
  ];
  const cases = (await firedRows(room, rows)).map(({ testCase }) => testCase);
  expect(await testedElsewhere(room, ...cases)).toBe("");
  for (const text of cases) expect(text).not.toMatch(new RegExp(`${project}(?!-two)|${home}`));
});

it("a case of a hook that reads its folder passes in the project's root", async () => {
  const room = scratch();
  room.file("package.json", "{}");
  room.file("notes.txt", "secret");
  room.file("sub/g.sh", GUARD, 0o755);
  const shared = await firedRows(
    room,
    [
      "test -f package.json && { echo has a package >&2; exit 2; }; exit 0",
      "grep -q secret notes.txt && { echo secret >&2; exit 2; }; exit 0",
      "cd sub && ./g.sh",
    ].map((line) => ({ hook: command(line) })),
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

const FILE_OF_ITS_OWN = "took part: a test case runs those only where its config: names that file.";

it.each<[what: string, file: string, args: string[], lacks: (path: string) => string]>([
  [
    "it runs a hook that was not trusted",
    ".belay/settings.json",
    [],
    () => "1 hook did not run, as it was not trusted: a test case runs it, and may decide otherwise.",
  ],
  [
    "it does not run hooks of the user",
    "../home/.belay/settings.json",
    [],
    (path) => `Hooks of ${path} ${FILE_OF_ITS_OWN}`,
  ],
  [
    "it does not run hooks of a config that the page was not given",
    "hooks.json",
    ["--config", "hooks.json"],
    (path) => `Hooks of ${path} ${FILE_OF_ITS_OWN}`,
  ],
])("a case says that %s, and nothing of folders where no command ran", async (_, file, args, lacks) => {
  const room = scratch();
  const path = room.file(file, hooksFor({ type: "json", json: {} }));
  await room.belay(["run", "PreToolUse", "--tool", "Bash", ...args]);
  const [shared] = await sharedOf(room);
  expect(shared?.lacks).toContain(lacks(path));
  expect(`${shared?.testCase} ${shared?.lacks}`).not.toContain("folder");
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

  it("is a case that fails when they no longer do", async () => {
    const room = scratch();
    const write = (hooks: object[], at: number) =>
      room.config({ UserPromptSubmit: [{ hooks }] }, `${at}.json`);
    for (const [at, [, hooks]] of SAID.entries())
      await room.belay(["run", "UserPromptSubmit", "--prompt", "hello", "--config", write(hooks, at)]);
    const shared = await sharedOf(room);
    for (const [at, [what, hooks, expected]] of SAID.entries()) {
      const text = shared[at]?.testCase ?? "";
      const { value } = await parseYaml(text);
      const [found] = (value as { cases: { expect: object }[] }).cases;
      expect([what, found?.expect]).toEqual([what, { decision: "none", ...expected }]);
      expect(await tested(room, `config: ${at}.json\n${text}`)).toBe("");
      write(
        hooks.map((hook) => ({ ...hook, ...command("true") })),
        at,
      );
      const after = await tested(room, `config: ${at}.json\n${text}`);
      expect([what, after !== ""]).toEqual([what, Object.keys(expected).length > 0]);
    }
  });
});

it("an event that was refused, or in which a hook failed, is a case that passes", async () => {
  const room = scratch();
  const deny = (permissionDecisionReason: string) => ({
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason,
  });
  const REASONS = ["plain", "/looks like a pattern/", "two\nlines: 'and' \"quotes\" # no comment"];
  const HOOKS: object[] = [
    ...REASONS.map((reason) => ({ type: "json", json: { hookSpecificOutput: deny(reason) } })),
    command("echo the linter is broken >&2; exit 1"),
    command('echo "broken in $PWD" >&2; exit 1'),
    command("exit 1"),
    command("no-such-program-here"),
    { ...command("sleep 20"), timeout: 0.2 },
    { ...command("exit 1"), onFailure: "block" },
    command(`echo '{"decision": '`),
  ];
  const shared = await firedRows(
    room,
    HOOKS.map((hook) => ({ hook })),
  );
  expect(await tested(room, ...shared.map(({ testCase }) => testCase))).toBe("");
});

const BESIDE = command("./guard.sh");
const ELSEWHERE = ["--dialect", "claude-code"];
const USERS = "../home/.belay/settings.json";

interface Found {
  readonly args?: string[];
  /** Flags of the page, where they are not those of the event. */
  readonly inspect?: string[];
  /** What the case must say besides. */
  readonly named?: string;
}

it.each<[what: string, file: string, hook: object, found?: Found]>([
  ["the project's, a script beside it", ".belay/settings.json", BESIDE],
  ["the user's, a script beside it", USERS, BESIDE, { named: `config: ${USERS}\n` }],
  ["a config's, a script beside it", "hooks.json", BESIDE, { args: ["--config", "hooks.json"] }],
  ["a dialect's", ".claude/settings.json", DENIES, { args: ELSEWHERE }],
  ["a dialect's of the records alone", ".claude/settings.json", DENIES, { args: ELSEWHERE, inspect: [] }],
  ["a config's", "policy/hooks.json", DENIES, { args: ["--config", "policy/hooks.json"] }],
  ["a config's of a dialect", "hooks.json", DENIES, { args: ["--config", "hooks.json", ...ELSEWHERE] }],
  ["a plugin's", "plugin/hooks/hooks.json", DENIES, { args: ["--plugin", "plugin"] }],
])("an event is a case that passes in the root, wherever its hook was found: %s", async (_, ...row) => {
  const [file, hook, { args = [], inspect = args, named = "" } = {}] = row;
  const room = scratch();
  room.file("guard.sh", GUARD, 0o755);
  room.file(file, hooksFor(hook));
  await room.belay(["trust", "--yes", ...(args === ELSEWHERE ? args : [])]);
  await room.belay(["run", "PreToolUse", "--tool", "Bash", ...args]);
  const [shared] = await sharedOf(room, inspect);
  expect(shared?.testCase).toContain("decision: deny");
  if (hook === BESIDE) expect(shared?.lacks).toContain(`Save the test case in ${room.project}`);
  expect(await tested(room, `${named}${shared?.testCase}`)).toBe("");
  expect(await room.shell(`${shared?.commandLine}; echo "exit $?"`)).toContain("exit 2");
});

it("an event is a case that passes also where its hook has its script below the root", async () => {
  const room = scratch();
  room.file("sub/guard.sh", GUARD, 0o755);
  const args = ["--config", room.config({ PreToolUse: [{ hooks: [BESIDE] }] })];
  await room.belay(["run", "PreToolUse", "--tool", "Bash", ...args, "--cwd", "sub"]);
  const [shared] = await sharedOf(room, args);
  expect(await tested(room, shared?.testCase)).toBe("");
});
