import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Outcome, outcomeSchema } from "@belay/engine";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { BIN, scratch } from "./cli.ts";
import { json, permission, shell } from "./run-entries.ts";

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
