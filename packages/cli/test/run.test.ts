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

describe("hooks that do not run for lack of trust", () => {
  const rows: [what: string, hooks: object, event: string, code: number][] = [
    ["one that matches", { PreToolUse: [shell("true")] }, "PreToolUse", 3],
    ["on an event that cannot be refused", { SessionEnd: [shell("true")] }, "SessionEnd", 3],
    [
      "one that only observes",
      { PreToolUse: [{ hooks: [{ type: "command", command: "true", mode: "observe" }] }] },
      "PreToolUse",
      0,
    ],
    [
      "one that is switched off",
      { PreToolUse: [{ hooks: [{ type: "command", command: "true", enabled: false }] }] },
      "PreToolUse",
      0,
    ],
    [
      "one that waits for another tool",
      { PreToolUse: [{ ...shell("true"), matcher: "Edit" }] },
      "PreToolUse",
      0,
    ],
  ];
  test.each(rows)("%s", async (_what, hooks, event, code) => {
    const place = scratch();
    place.file(".belay/settings.json", JSON.stringify({ hooks }));
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
      { tool_name: "Read", tool_input: { file_path: "CWD/src/parse.ts" } },
    ],
    [
      "is the sample of the tool on stdin",
      ["PreToolUse", "--input", "-"],
      '{"tool_name":"Grep"}',
      { tool_name: "Grep", tool_input: { pattern: "parse", path: "CWD/src" } },
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
      "keeps the input that was given, of whichever tool",
      ["PreToolUse", "--tool", "Write", "--input", "-"],
      '{"tool_name":"Grep","tool_input":{"a":1}}',
      { tool_name: "Write", tool_input: { a: 1 } },
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
  test("is what the hook reads", async () => {
    const { belay, config, project } = scratch();
    const file = config(echo);
    for (const [what, args, input, expected] of rows) {
      await belay(["run", ...args, "--config", file], { input });
      const seen = readFileSync(join(project, "seen.json"), "utf8").replaceAll(`"${project}/`, '"CWD/');
      expect([what, JSON.parse(seen)]).toMatchObject([
        what,
        { hook_event_name: args[0], cwd: project, ...expected },
      ]);
      rmSync(join(project, "seen.json"));
    }
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
  test("as `why` and `run` say", async () => {
    const { belay, config } = scratch();
    const file = config({ PreToolUse: [shell("true")] });
    for (const [index, [what, args, input, said]] of rows.entries()) {
      const command = index === 1 ? "run" : "why";
      const options = ["PreToolUse", "--json", "--config", file, ...args];
      const { code, stderr } = await belay([command, ...options], { input });
      const warnings = said.map((text) => `belay: warning: ${text}\n`).join("");
      expect([what, code, stderr]).toEqual([what, 0, warnings]);
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
