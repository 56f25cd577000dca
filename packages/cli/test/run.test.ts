import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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
  const rows: [what: string, group: object, event: string, code: number, kind: string][] = [
    ["a silent hook", shell("true"), "PreToolUse", 0, "none"],
    ["exit 2", shell("echo no >&2; exit 2"), "PreToolUse", 2, "deny"],
    ["a silent exit 2", shell("exit 2"), "PreToolUse", 2, "deny"],
    ["another exit", shell("exit 3"), "PreToolUse", 0, "none"],
    ["an allow", permission("allow"), "PreToolUse", 0, "allow"],
    ["an ask", permission("ask"), "PreToolUse", 3, "ask"],
    ["a deny", permission("deny"), "PreToolUse", 2, "deny"],
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

describe("the payload", () => {
  const echo = {
    PreToolUse: [shell("cat > seen.json")],
    SessionStart: [shell("cat > seen.json")],
    UserPromptSubmit: [shell("cat > seen.json")],
  };
  const rows: [what: string, args: string[], input: string, expected: object][] = [
    [
      "comes from the sample",
      ["PreToolUse"],
      "",
      { tool_name: "Bash", tool_input: { command: "npm test" }, permission_mode: "default" },
    ],
    [
      "takes a tool",
      ["PreToolUse", "--tool", "Edit", "--tool-input", '{"file_path":"a"}'],
      "",
      { tool_name: "Edit", tool_input: { file_path: "a" } },
    ],
    [
      "takes a tool that is called as what every object has",
      ["PreToolUse", "--tool", "constructor"],
      "",
      { tool_name: "constructor", tool_input: {} },
    ],
    ["takes a prompt", ["UserPromptSubmit", "--prompt", "hello"], "", { prompt: "hello" }],
    [
      "sets any field",
      ["SessionStart", "--set", 'source="resume"', "--set", 'extra={"a":[1]}'],
      "",
      { source: "resume", extra: { a: [1] } },
    ],
    [
      "is read from stdin only when asked",
      ["UserPromptSubmit"],
      '{"prompt":"not read"}',
      { prompt: "Add a test for the parser" },
    ],
    ["is read from stdin", ["UserPromptSubmit", "--input", "-"], '{"prompt":"read"}', { prompt: "read" }],
    [
      "is the sample of the tool that was set",
      ["PreToolUse", "--set", 'tool_name="Read"'],
      "",
      { tool_name: "Read", tool_input: { file_path: "src/parse.ts" } },
    ],
    [
      "is the sample of the tool on stdin",
      ["PreToolUse", "--input", "-"],
      '{"tool_name":"Grep"}',
      { tool_name: "Grep", tool_input: { pattern: "parse", path: "src" } },
    ],
    [
      "has no sample for a tool that nobody knows",
      ["PreToolUse", "--set", 'tool_name="constructor"'],
      "",
      { tool_name: "constructor", tool_input: {} },
    ],
    [
      "keeps the input that was given",
      ["PreToolUse", "--input", "-"],
      '{"tool_name":"Grep","tool_input":{"a":1}}',
      { tool_name: "Grep", tool_input: { a: 1 } },
    ],
    [
      "sets a field inside",
      ["PreToolUse", "--set", 'tool_input.command="ls"', "--set", "tool_input.a.b=[1]"],
      "",
      { tool_input: { command: "ls", a: { b: [1] } } },
    ],
    [
      "names the event when nobody else does",
      ["--input", "-"],
      '{"hook_event_name":"UserPromptSubmit","prompt":"read"}',
      { hook_event_name: "UserPromptSubmit", prompt: "read" },
    ],
    ["carries the session", ["PreToolUse", "--session", "any string"], "", { session_id: "any string" }],
  ];
  test.each(rows)("%s", async (_what, args, input, expected) => {
    const { belay, config, project } = scratch();
    await belay(["run", ...args, "--config", config(echo)], { input });
    const seen = JSON.parse(readFileSync(join(project, "seen.json"), "utf8")) as object;
    expect(seen).toMatchObject({ hook_event_name: args[0], cwd: project, ...expected });
  });
});

describe("doubts about a payload go to stderr, and the hooks get it as it is", () => {
  const SCHEMA = "belay schema PreToolUse --input says what it holds";
  const rows: [what: string, args: string[], input: string, said: string[]][] = [
    ["a sound one", ["--set", 'tool_name="Read"', "--set", "mine=1"], "", []],
    [
      "a slip in --set",
      ["--set", 'tool_nmae="x"'],
      "",
      ["PreToolUse has no tool_nmae; did you mean tool_name?"],
    ],
    [
      "slips on stdin",
      ["--input", "-"],
      '{"tool_nmae":"x","toolInput":{}}',
      [
        "PreToolUse has no tool_nmae; did you mean tool_name?",
        "PreToolUse has no toolInput; did you mean tool_input?",
      ],
    ],
    [
      "a field of a host beside the one it resembles",
      ["--input", "-"],
      '{"session_id":"a","session_title":"b","tool_name":"Bash","tool_input":{}}',
      [],
    ],
    [
      "a number for text",
      ["--input", "-"],
      '{"tool_name":5}',
      [`tool_name is 5, where PreToolUse has text; ${SCHEMA}`],
    ],
    [
      "a list for an object",
      ["--set", "tool_input=[]"],
      "",
      [`tool_input is a list, where PreToolUse has an object; ${SCHEMA}`],
    ],
    [
      "a long text for an object",
      ["--set", `tool_input="${"x".repeat(58)}😀😀"`],
      "",
      [`tool_input is "${"x".repeat(58)}…", where PreToolUse has an object; ${SCHEMA}`],
    ],
    ["text in an object", ["--set", 'tool_input.command="x"'], "", []],
  ];
  for (const command of ["run", "why"]) {
    test.each(rows)(`${command}: %s`, async (_what, args, input, said) => {
      const { belay, config } = scratch();
      const file = config({ PreToolUse: [shell("true")] });
      const { code, stderr } = await belay([command, "PreToolUse", "--json", "--config", file, ...args], {
        input,
      });
      expect([code, stderr]).toEqual([0, said.map((text) => `belay: warning: ${text}\n`).join("")]);
    });
  }
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

test("--json repaints nothing either, and says the same", async () => {
  const { belay, config } = scratch();
  const evil = shell("printf '\\302\\233 \\342\\200\\256fine' >&2; exit 2");
  const { stdout } = await belay(["run", "PreToolUse", "--json", "--config", config({ PreToolUse: [evil] })]);
  expect(stdout).not.toMatch(/[\u0080-\u009f\u202e]/);
  expect(JSON.parse(stdout)).toMatchObject({ runs: [{ stderr: "\u009b \u202efine" }] });
});

describe("what a hook printed", () => {
  const REFUSE = "the reason of an exit 2 belongs on stderr";
  const HIDDEN = "that nobody sees; -v shows";
  const rows: [what: string, event: string, hook: object, said: string[], unsaid: string[]][] = [
    [
      "stdout of an exit 0",
      "PreToolUse",
      shell("echo one; echo two"),
      [`stdout: 2 lines ${HIDDEN}`],
      ["one"],
    ],
    ["stderr of an exit 0", "PreToolUse", shell("echo log >&2"), [`stderr: 1 line ${HIDDEN}`], ["log"]],
    ["nothing", "PreToolUse", shell("true"), [], [HIDDEN]],
    ["stderr that the agent reads", "PreToolUse", shell("echo no >&2; exit 2"), [], [HIDDEN, REFUSE]],
    ["stdout that is context", "UserPromptSubmit", shell("echo context"), ["context"], [HIDDEN]],
    ["an answer", "PreToolUse", permission("deny"), [], [HIDDEN]],
    ["a reason on stdout", "PreToolUse", shell("echo why; exit 2"), [REFUSE], [HIDDEN]],
    ["a refusal that is none", "PreToolUse", shell("exit 1"), ["exit 1 does not refuse; exit 2 does"], []],
    [
      "the same with onFailure",
      "PreToolUse",
      shell("exit 1", { onFailure: "block" }),
      [],
      ["does not refuse"],
    ],
    ["the same where nothing is refused", "SessionEnd", shell("exit 1"), [], ["does not refuse"]],
    ["a program that is missing", "PreToolUse", shell("no-such-program"), [], ["does not refuse"]],
  ];
  test.each(rows)("%s", async (_what, event, hook, said, unsaid) => {
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
    ...Array.from({ length: 4 }, () => "config-flat-entry"),
  ]);
});

test("a hook in observe mode is shown as not enforced", async () => {
  const { belay, config } = scratch();
  const hook = shell("echo no >&2; exit 2", {
    mode: "observe",
    name: "a-policy-that-is-tried-out-for-a-while",
  });
  const { stdout } = await belay(["run", "PreToolUse", "--config", config({ PreToolUse: [hook] })]);
  expect(stdout).toMatch(/^run .* \(deny\) +observed/m);
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
    expect(await shell("belay run Stop --config hooks.json --json >/dev/full; echo $?")).toBe(
      `${code}\nbelay: the output cannot be written: ENOSPC: no space left on device, write\n`,
    );
  });
});
