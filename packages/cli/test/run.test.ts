import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Outcome, outcomeSchema } from "@belay/engine";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { BIN, scratch } from "./cli.ts";
import { inTerminal } from "./tmux.ts";

const shell = (command: string, more: object = {}) => ({
  hooks: [{ type: "command", command, name: "guard", ...more }],
});

const json = (output: object) => ({ hooks: [{ type: "json", json: output, name: "guard" }] });

const permission = (permissionDecision: string) =>
  json({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision,
      permissionDecisionReason: "because",
    },
  });

describe("exit codes", () => {
  // How output is read is tested in core: a row for each kind of decision, and each exit code.
  const rows: [what: string, group: object, event: string, code: number, kind: string][] = [
    ["a silent hook", shell("true"), "PreToolUse", 0, "none"],
    ["a fault", shell("exit 3"), "PreToolUse", 0, "none"],
    ["an allow", permission("allow"), "PreToolUse", 0, "allow"],
    ["an ask", permission("ask"), "PreToolUse", 3, "ask"],
    ["a deny", shell("echo no >&2; exit 2"), "PreToolUse", 2, "deny"],
    ["a stop", json({ continue: false, stopReason: "enough" }), "Stop", 2, "stop"],
    ["a blocked prompt", shell("echo no >&2; exit 2"), "UserPromptSubmit", 2, "block"],
    ["exit 2 where nothing can be blocked", shell("exit 2"), "SessionEnd", 0, "none"],
  ];
  test.each(rows)("%s", async (_what, group, event, code, kind) => {
    const { belay, config } = scratch();
    const result = await belay(["run", event, "--json", "--config", config({ [event]: [group] })]);
    const outcome = JSON.parse(result.stdout) as Outcome;
    expect(v.is(outcomeSchema, outcome)).toBe(true);
    expect({ code: result.code, kind: outcome.decision.kind, stderr: result.stderr }).toEqual({
      code,
      kind,
      stderr: "",
    });
  });
});

describe("hooks that do not run for lack of trust", () => {
  const rows: [what: string, group: object, event: string, code: number][] = [
    ["one that matches", shell("true"), "PreToolUse", 3],
    ["on an event that cannot be refused", shell("true"), "SessionEnd", 3],
    ["one that only observes", shell("true", { mode: "observe" }), "PreToolUse", 0],
    ["one that is switched off", shell("true", { enabled: false }), "PreToolUse", 0],
    ["one that waits for another tool", { ...shell("true"), matcher: "Edit" }, "PreToolUse", 0],
  ];
  test.each(rows)("%s", async (_what, group, event, code) => {
    const place = scratch();
    place.config({ [event]: [group] }, ".belay/settings.json");
    const result = await place.belay(["run", event, "--json"]);
    const { decision, blocked, diagnostics } = JSON.parse(result.stdout) as Outcome;
    expect([result.code, decision.kind, blocked]).toEqual([code, "none", false]);
    const fixes = diagnostics.filter((one) => one.code === "hook-skipped").map(({ fix }) => fix);
    expect(fixes).toEqual(code === 0 ? [] : [expect.stringMatching(/belay trust.*--config FILE/)]);
  });

  test("do not undo a refusal of those that do", async () => {
    const place = scratch();
    place.file(".belay/settings.json", JSON.stringify({ hooks: { PreToolUse: [shell("true")] } }));
    place.file("../home/.belay/settings.json", JSON.stringify({ hooks: { PreToolUse: [shell("exit 2")] } }));
    expect((await place.belay(["run", "PreToolUse"])).code).toBe(2);
  });
});

describe("the payload", () => {
  const echo = [shell("cat > seen.json")];
  /** A line as it is typed; the words behind < are on stdin. CWD is the project. */
  const SEEN: readonly [line: string, seen: object][] = [
    ["PreToolUse", { tool_name: "Bash", tool_input: { command: "npm test" }, permission_mode: "default" }],
    [
      `PreToolUse --tool Edit --tool-input '{"file_path":"a"}'`,
      {
        tool_name: "Edit",
        tool_input: { file_path: "a" },
      },
    ],
    ["PreToolUse --tool constructor", { tool_name: "constructor", tool_input: {} }],
    ["UserPromptSubmit --prompt hello", { prompt: "hello" }],
    [`SessionStart --set 'source="resume"' --set 'extra={"a":[1]}'`, { source: "resume", extra: { a: [1] } }],
    // Stdin is read only when asked.
    ['UserPromptSubmit < {"prompt":"not read"}', { prompt: "Add a test for the parser" }],
    ['UserPromptSubmit --input - < {"prompt":"read"}', { prompt: "read" }],
    // The sample is that of the tool, whoever names it, and gives way to an input that was given.
    [
      `PreToolUse --set 'tool_name="Read"'`,
      {
        tool_name: "Read",
        tool_input: { file_path: "CWD/src/parse.ts" },
      },
    ],
    [
      'PreToolUse --input - < {"tool_name":"Grep"}',
      {
        tool_name: "Grep",
        tool_input: { pattern: "parse", path: "CWD/src" },
      },
    ],
    [`PreToolUse --set 'tool_name="constructor"'`, { tool_name: "constructor", tool_input: {} }],
    ['PreToolUse --input - < {"tool_name":"Grep","tool_input":{"a":1}}', { tool_input: { a: 1 } }],
    [
      'PreToolUse --tool Write --input - < {"tool_name":"Grep","tool_input":{"a":1}}',
      {
        tool_name: "Write",
        tool_input: { a: 1 },
      },
    ],
    [
      `PreToolUse --set 'tool_input.command="ls"' --set 'tool_input.a.b=[1]'`,
      {
        tool_input: { command: "ls", a: { b: [1] } },
      },
    ],
    [
      '--input - < {"hook_event_name":"UserPromptSubmit","prompt":"read"}',
      {
        hook_event_name: "UserPromptSubmit",
        prompt: "read",
      },
    ],
    ["PreToolUse --session 'any string'", { session_id: "any string" }],
  ];
  test("is what the hook reads", async () => {
    const { shell: sh, config, file, project } = scratch();
    config({ PreToolUse: echo, SessionStart: echo, UserPromptSubmit: echo });
    for (const [line, expected] of SEEN) {
      const [typed = "", input = ""] = line.split(" < ");
      file("input", input);
      await sh(`belay run ${typed} --config hooks.json < input`);
      const seen = readFileSync(join(project, "seen.json"), "utf8").replaceAll(`"${project}/`, '"CWD/');
      const common = { hook_event_name: line.split(" ")[0], cwd: project };
      expect([line, JSON.parse(seen)]).toMatchObject([line, { ...common, ...expected }]);
      rmSync(join(project, "seen.json"));
    }
  });

  const SCHEMA = "belay schema PreToolUse --input says what it holds";
  const LONG = "x".repeat(58);
  const DOUBTS: [line: string, said: string[]][] = [
    [`--set 'tool_name="Read"' --set mine=1 --set 'tool_input.command="x"'`, []],
    [`--set 'tool_nmae="x"'`, ["PreToolUse has no tool_nmae; did you mean tool_name?"]],
    [
      '--input - < {"tool_nmae":"x","toolInput":{}}',
      [
        "PreToolUse has no tool_nmae; did you mean tool_name?",
        "PreToolUse has no toolInput; did you mean tool_input?",
      ],
    ],
    // A field of a host beside the one it resembles.
    ['--input - < {"session_id":"a","session_title":"b","tool_name":"Bash","tool_input":{}}', []],
    [
      '--input - < {"tool_name":"Write","file_path":".env"}',
      ["PreToolUse has no file_path; did you mean tool_input.file_path?"],
    ],
    ['--input - < {"tool_name":5}', [`tool_name is 5, where PreToolUse has text; ${SCHEMA}`]],
    ["--set tool_input=[]", [`tool_input is a list, where PreToolUse has an object; ${SCHEMA}`]],
    [
      `--set 'tool_input="${LONG}😀😀"'`,
      [`tool_input is "${LONG}…", where PreToolUse has an object; ${SCHEMA}`],
    ],
  ];
  test("is handed on with what is odd in it, which is told on stderr, by run and why", async () => {
    const { shell: sh, config, file } = scratch();
    config({ PreToolUse: [shell("true")] });
    for (const [line, said] of DOUBTS) {
      const [typed, input = ""] = line.split(" < ");
      file("input", input);
      const command = said.length > 1 ? "run" : "why";
      const printed = await sh(
        `belay ${command} PreToolUse --config hooks.json ${typed} < input > out; echo $?`,
      );
      expect([line, printed]).toEqual([
        line,
        `0\n${said.map((text) => `belay: warning: ${text}\n`).join("")}`,
      ]);
    }
  });
});

test("a file that is named twice is read once", async () => {
  const { belay, config } = scratch();
  const file = config({ Stop: [shell("true")] });
  const { stdout } = await belay(["run", "Stop", "--config", file, "--config", file]);
  expect(stdout).toContain("1 of 1 hook for Stop fires");
});

test("one line of the journal per run, readable by nobody else", async () => {
  const { belay, config, home } = scratch();
  await belay(["run", "Stop", "--config", config({ Stop: [shell("true")] })]);
  const [folder = ""] = readdirSync(join(home, ".belay/journal"));
  const [file = ""] = readdirSync(join(home, ".belay/journal", folder));
  const lines = readFileSync(join(home, ".belay/journal", folder, file), "utf8")
    .trim()
    .split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(["Stop"]);
});

describe("a decision is the exit code", () => {
  const denied = { PreToolUse: [shell("exit 2")] };

  test("although nobody reads what is printed", async () => {
    const { config, project, home } = scratch();
    const line = `'${process.execPath}' '${BIN}' run PreToolUse --json --config '${config(denied)}' | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout } = spawnSync("bash", ["-c", line], {
      cwd: project,
      env: { ...process.env, HOME: home },
      encoding: "utf8",
    });
    expect(stdout).toBe("2\n");
  });

  test("although the payload comes late, on a stdin that does not wait", async () => {
    const { config, project, home } = scratch();
    const args = [BIN, "run", "PreToolUse", "--json", "--config", config(denied), "--input", "-"];
    const unwaiting = "import os,sys; os.set_blocking(0, False); os.execv(sys.argv[1], sys.argv[1:])";
    const env = { ...process.env, HOME: home };
    const child = spawn("python3", ["-c", unwaiting, process.execPath, ...args], { cwd: project, env });
    child.stdout.resume();
    child.stdin.on("error", () => {});
    setTimeout(() => child.stdin.end('{"tool_name":"Bash"}'), 1000);
    const [code] = (await once(child, "close")) as [number | null];
    expect(code).toBe(2);
  });
});

test("an event that could not be recorded names no record", async () => {
  const { belay, config, home } = scratch();
  writeFileSync(join(home, ".belay"), "a file in the way");
  const { stdout } = await belay(["run", "Stop", "--config", config({})]);
  expect(stdout).toContain("the journal cannot be written");
  expect(stdout).not.toMatch(/^record /m);
});

describe.runIf(existsSync("/dev/full"))("output that is lost", () => {
  const rows: [what: string, command: string, code: number][] = [
    ["is an error", "true", 1],
    ["changes no refusal", "exit 2", 2],
  ];
  test.each(rows)("%s", async (_what, command, code) => {
    const { shell, config } = scratch();
    config({ Stop: [{ hooks: [{ type: "command", command }] }] });
    for (const flag of ["", "--json"])
      expect(await shell(`belay run Stop --config hooks.json ${flag} >/dev/full; echo $?`)).toBe(
        `${code}\nbelay: the output cannot be written: ENOSPC: no space left on device, write\n`,
      );
  });
});

describe("for people", () => {
  const denied = {
    PreToolUse: [shell("echo 'no force push' >&2; exit 2"), json({ systemMessage: "Mind the tests" })],
  };

  test("both columns stand side by side on a wide terminal and one below the other on a narrow one", async () => {
    const { project, home, config } = scratch();
    const command = `${process.execPath} ${BIN} run PreToolUse --config ${config(denied)}`;
    const [wide, narrow] = await Promise.all(
      [120, 50].map((columns) => inTerminal(command, { columns, cwd: project, env: { HOME: home } })),
    );
    const plain = (screen = "") => stripVTControlCharacters(screen);
    expect(plain(wide)).toMatch(/the user sees +│ the agent sees/);
    expect(plain(wide)).toMatch(/Mind the tests +│ +no force push/);
    expect(plain(narrow)).toMatch(/the user sees\n[^│]*the agent sees\n/);
    expect(plain(narrow)).toContain("ended 2");
    expect(wide).not.toBe(plain(wide));
    for (const line of plain(narrow).split("\n")) expect(line.length).toBeLessThanOrEqual(50);
  });

  test("NO_COLOR paints nothing", async () => {
    const { project, home, config } = scratch();
    const command = `${process.execPath} ${BIN} run PreToolUse --config ${config(denied)}`;
    const screen = await inTerminal(command, {
      columns: 80,
      cwd: project,
      env: { HOME: home, NO_COLOR: "1" },
    });
    expect(screen).toBe(stripVTControlCharacters(screen));
  });

  test("what a hook prints cannot repaint the screen", async () => {
    const { belay, config } = scratch();
    const evil = shell("printf '\\033[2J\\033]0;title\\007\\r\\342\\200\\256fine' >&2; exit 2");
    const { stdout } = await belay(["run", "PreToolUse", "--config", config({ PreToolUse: [evil] })]);
    expect(stdout).toContain("\\u001b[2J\\u001b]0;title\\u0007\\u000d\\u202efine");
    expect(stdout).not.toMatch(/[\u001b\u0007\r\u202e]/);
  });
});

test("what a module hook prints is its run's stderr and leaves the Outcome on stdout whole", async () => {
  const { belay, config, file } = scratch();
  file(
    "chatty.mjs",
    'export default () => { console.log("to stdout"); console.error("to stderr"); return { systemMessage: "hi" }; };\n',
  );
  const settings = config({ Stop: [{ hooks: [{ type: "module", module: "./chatty.mjs" }] }] });
  const { stdout, stderr } = await belay(["run", "Stop", "--config", settings, "--json"]);
  expect([stderr, JSON.parse(stdout)]).toMatchObject([
    "",
    { messages: [{ to: "user", block: { content: "hi" } }], runs: [{ stderr: "to stdout\nto stderr\n" }] },
  ]);
});

test("--json repaints nothing either, and says the same", async () => {
  const { belay, config } = scratch();
  const evil = shell("printf '\\302\\233 \\342\\200\\256fine' >&2; exit 2");
  const { stdout } = await belay(["run", "PreToolUse", "--json", "--config", config({ PreToolUse: [evil] })]);
  expect(stdout).not.toMatch(/[\u0080-\u009f\u202e]/);
  expect(JSON.parse(stdout)).toMatchObject({ runs: [{ stderr: "\u009b \u202efine" }] });
});

describe("what a hook printed", () => {
  const REFUSE = "the reason of an exit 2 belongs on stderr";
  const HIDDEN = "that nobody sees";
  const rows: [event: string, hook: object, said: string[], unsaid: string[]][] = [
    ["PreToolUse", shell("echo one; echo two"), [`stdout ${HIDDEN}: one; -v shows all of it`], ["two"]],
    ["PreToolUse", shell("echo log >&2"), [`stderr ${HIDDEN}: log`], ["shows"]],
    ["PreToolUse", shell("printf '\\033[2J%0300d' 7 >&2"), [HIDDEN, "\\u001b[2J0000", "0…; -v"], ["\u001b"]],
    ["PreToolUse", shell("true"), [], [HIDDEN]],
    ["PreToolUse", shell("echo no >&2; exit 2"), [], [HIDDEN, REFUSE]],
    ["UserPromptSubmit", shell("echo context"), ["context"], [HIDDEN]],
    ["PreToolUse", permission("deny"), [], [HIDDEN]],
    ["PreToolUse", shell("echo why; exit 2"), [REFUSE], [HIDDEN]],
    // Exit 1 is no refusal: that is said where a refusal may have been meant.
    ["PreToolUse", shell("exit 1"), ["exit 1 does not refuse; exit 2 does"], []],
    ["PreToolUse", shell("exit 1", { onFailure: "block" }), [], ["does not refuse"]],
    ["Notification", shell("exit 2"), ["exit 2 refuses nothing at Notification"], []],
    ["SessionEnd", shell("exit 1"), [], ["does not refuse"]],
    ["PostToolUse", shell("exit 1"), [], ["does not refuse"]],
    ["PreToolUse", shell("python3 -c 'import no_such'"), [], ["does not refuse"]],
    ["PreToolUse", shell("node no-such-file.js"), [], ["does not refuse"]],
    ["PreToolUse", shell("no-such-program"), [], ["does not refuse"]],
  ];
  test.each(rows)("at %s, of %j", async (event, hook, said, unsaid) => {
    const { belay, config } = scratch();
    const { stdout } = await belay(["run", event, "--config", config({ [event]: [hook] })]);
    for (const text of said) expect(stdout).toContain(text);
    for (const text of unsaid) expect(stdout.replace(/^event.*$/m, "")).not.toMatch(new RegExp(`\\b${text}`));
  });

  test.each(["-v", "--verbose"])("%s shows it, cleaned and bounded", async (flag) => {
    const { belay, config } = scratch();
    const hook = shell("seq -f 'line %g' 100; printf 'log\\033[2J\\n' >&2");
    const { stdout } = await belay(["run", "PreToolUse", flag, "--config", config({ PreToolUse: [hook] })]);
    expect(stdout).toMatch(/stdout {2}line 1\n +line 2\n/);
    expect(stdout).toMatch(/line 20\n +… 80 more lines\n +stderr {2}log\\u001b\[2J\n/);
    expect(stdout).not.toMatch(/line 21|nobody sees|\u001b/);
  });
});

test("events without hooks around them: run says so, with the file, and names the command that says more", async () => {
  const { belay, file } = scratch();
  const config = file("nohooks.json", `{\n"PreToolUse":[{"hooks":[{"type":"command","command":"exit 2"}]}]}`);
  const args = ["run", "PreToolUse", "--config", "nohooks.json"];
  const { stdout } = await belay([...args, "--json"]);
  const { diagnostics, messages } = JSON.parse(stdout) as Outcome;
  expect(diagnostics).toMatchObject([
    { code: "config-event-outside", severity: "error", path: `${config}:2`, event: "PreToolUse" },
  ]);
  expect(messages.map(({ block }) => block.content)).toEqual([
    expect.stringContaining(`${config}:2: PreToolUse stands at the top of the file`),
  ]);
  expect((await belay(args)).stdout).toContain("next: belay check --config nohooks.json");
});

test("what the user column says in full is not said again below it", async () => {
  const { belay, config } = scratch();
  const hooks = { Stop: [{ type: "command", command: "true" }, shell("sleep 9", { timeout: 0.1 })] };
  const { stdout } = await belay(["run", "Stop", "--config", config(hooks)], { env: { COLUMNS: "70" } });
  expect(stdout.replaceAll(/[\s│]+/g, " ").match(/is a hook where a group is expected/g)).toHaveLength(1);
  expect(stdout).toMatch(/^error {2}config-flat-entry .*\s+told above$/m);
  expect(stdout).toMatch(/^error {2}run-timed-out .*\n {2}the hook timed out/m);
});

test("what concerns the event comes first: hooks that match and are not trusted", async () => {
  const { belay, config } = scratch();
  const flat = { type: "command", command: "true" };
  config(
    { SessionEnd: [flat, flat], Stop: [flat, flat], PreToolUse: [shell("true")] },
    ".belay/settings.json",
  );
  const { stdout } = await belay(["run", "PreToolUse"]);
  expect(stdout).toMatch(
    /^match +0 of 1 hook for PreToolUse fires?\n +1 matches but is not trusted; next: belay trust\n/m,
  );
  const outcome = JSON.parse((await belay(["run", "PreToolUse", "--json"])).stdout) as Outcome;
  expect(outcome.diagnostics.map(({ code }) => code)).toEqual([
    "hook-untrusted",
    "hook-skipped",
    ...Array.from({ length: 4 }, () => "config-flat-entry"),
  ]);
});

const BROKEN = { hooks: [{ type: "command", comand: "true" }] };

test.each([
  [
    "beside one that works",
    { Stop: [BROKEN, shell("true")] },
    "1 of 1 hook for Stop fires 1 error keeps an entry off; next: belay check",
  ],
  [
    "of several",
    { Stop: [BROKEN, BROKEN], PreToolUse: [shell("true")] },
    "0 of 0 hooks for Stop fire 2 errors keep entries off; next: belay check",
  ],
  ["of another event", { SessionEnd: [BROKEN], Stop: [shell("true")] }, "1 of 1 hook for Stop fires run "],
])("an entry that is broken is not left out of what matches: %s", async (_, hooks, says) => {
  const { belay, config } = scratch();
  const { stdout } = await belay(["run", "Stop", "--config", config(hooks)], { env: { COLUMNS: "200" } });
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(` match ${says}`);
});

test.each(["40", "80", "200"])(
  "the commands that say more can be copied whole, at %s columns",
  async (COLUMNS) => {
    const place = scratch();
    place.config(
      { PreToolUse: [{ matcher: "Edit", ...shell("true") }] },
      "a very long name of a config.json",
    );
    const input = JSON.stringify({ command: `git push --force ${"and more ".repeat(5)}` });
    const about = ["--tool", "Bash", "--tool-input", input, "--config", "a very long name of a config.json"];
    const { stdout } = await place.belay(["run", "PreToolUse", ...about], { env: { COLUMNS } });
    const [, typed = ""] = /says more:\s+(belay why (?:.*\\\n)*.*)\n/.exec(stdout) ?? [];
    const why = await place.belay(["why", "PreToolUse", ...about], { env: { COLUMNS: "1000" } });
    expect(await place.shell(typed)).toBe(why.stdout);
    expect(why.stdout).toContain("a very long name");
  },
);

test("a hook in observe mode is shown as not enforced", async () => {
  const { belay, config } = scratch();
  const hook = shell("echo no >&2; exit 2", {
    mode: "observe",
    name: "a-policy-that-is-tried-out-for-a-while",
  });
  const { stdout } = await belay(["run", "PreToolUse", "--config", config({ PreToolUse: [hook] })]);
  expect(stdout).toMatch(/^run .* \(deny\) +observed/m);
});

test("a script that is there and may not be run is not looked for as a missing one", async () => {
  const { belay, config, file } = scratch();
  file("guard.sh", "#!/bin/sh\nexit 2\n");
  const settings = config({ Stop: [shell("./guard.sh")] });
  const { stdout } = await belay(["run", "Stop", "--json", "--config", settings]);
  expect((JSON.parse(stdout) as Outcome).diagnostics).toMatchObject([
    {
      code: "run-not-started",
      message: expect.stringContaining("exit 126"),
      fix: expect.stringMatching(/looks for scripts that are missing or lack chmod \+x\.$/),
    },
  ]);
});
