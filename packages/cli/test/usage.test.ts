import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EVENT_NAMES } from "@belay/engine";
import { describe, expect, test } from "vitest";
import { scratch } from "./cli.ts";

const EVENTS = EVENT_NAMES.join(", ");

/** Each row is a mistake; each message is one sentence with what to do about it. */
describe("bad usage", () => {
  const rows: [what: string, args: string[], message: string][] = [
    ["an unknown command", ["chek"], 'there is no command "chek"; did you mean check?'],
    [
      "a command like no other",
      ["frobnicate"],
      'there is no command "frobnicate"; one of: run, why, check, try, test, schema, init, trust, tail, replay, stats, inspect, chat, demo',
    ],
    [
      "an option without a command",
      ["--json"],
      "--json stands before any command; usage: belay <command> [options]",
    ],
    ["help for an unknown command", ["help", "rn"], 'there is no command "rn"; did you mean run?'],
    ["an unknown option", ["run", "Stop", "--jsn"], "there is no option --jsn; did you mean --json?"],
    [
      "an option like no other",
      ["check", "--frobnicate"],
      "there is no option --frobnicate; --help lists the options",
    ],
    ["a short option", ["run", "Stop", "-x"], "there is no option -x; --help lists the options"],
    [
      "a missing value",
      ["run", "Stop", "--config"],
      "--config needs a value; a value that begins with a dash is written --config=VALUE",
    ],
    [
      "an option in place of a value",
      ["run", "UserPromptSubmit", "--prompt", "--json"],
      "--prompt needs a value; a value that begins with a dash is written --prompt=VALUE",
    ],
    [
      "a value given twice",
      ["run", "Stop", "--input", "empty.json", "--input", "odd.json"],
      "--input is given more than once and takes one value; keep one of them",
    ],
    [
      "a value given twice, in two ways",
      ["check", "--dialect=wave", "--dialect", "wave"],
      "--dialect is given more than once and takes one value; keep one of them",
    ],
    ["a value too many", ["run", "Stop", "--json=yes"], "--json takes no value; write --json"],
    ["no event", ["run"], `an event is needed; usage: belay run <Event> [options]; events: ${EVENTS}`],
    [
      "no event for why",
      ["why"],
      `an event is needed; usage: belay why <Event> [options]; events: ${EVENTS}`,
    ],
    [
      "no event, and a payload that names none",
      ["run", "--input", "empty.json"],
      `an event is needed: the payload has no hook_event_name; usage: belay run <Event> [options]; events: ${EVENTS}`,
    ],
    [
      "no event, and a payload that names none that is known",
      ["why", "--input", "odd.json"],
      'there is no event "PreTolUse"; did you mean PreToolUse?',
    ],
    ["an unknown event", ["run", "PreTolUse"], 'there is no event "PreTolUse"; did you mean PreToolUse?'],
    [
      "an event of Claude Code",
      ["run", "SubagentStart"],
      "SubagentStart is an event of Claude Code that Belay does not run; belay schema lists those it does",
    ],
    ["the wrong case", ["why", "pretooluse"], 'there is no event "pretooluse"; did you mean PreToolUse?'],
    [
      "two events",
      ["run", "Stop", "Stop"],
      '"Stop" is one argument too many; usage: belay run <Event> [options]',
    ],
    [
      "an argument for check",
      ["check", "x.json"],
      '"x.json" is one argument too many; next: belay check --config x.json',
    ],
    [
      "arguments for check, and options",
      ["check", "a.json", "b b.json", "--dialect", "wave"],
      `"a.json" is one argument too many; next: belay check --config a.json --config 'b b.json' --dialect wave`,
    ],
    [
      "an argument for init",
      ["init", "here"],
      '"here" is one argument too many; next: belay init --cwd here',
    ],
    [
      "an argument for trust",
      ["trust", "me"],
      '"me" is one argument too many; usage: belay trust [--session ID] [--yes] [--revoke [HOOK]..] [options]',
    ],
    [
      "broken JSON for a tool",
      ["run", "PreToolUse", "--tool-input", "{"],
      `--tool-input is not JSON; for example: '{"command":"ls"}'`,
    ],
    [
      "a list for a tool",
      ["run", "PreToolUse", "--tool-input", "[]"],
      `--tool-input must be a JSON object; for example: '{"command":"ls"}'`,
    ],
    [
      "a tool where there is none",
      ["run", "Stop", "--tool", "Bash"],
      "Stop has no tool_name, so --tool says nothing; --set sets any field",
    ],
    [
      "a prompt where there is none",
      ["why", "Stop", "--prompt", "x"],
      "Stop has no prompt, so --prompt says nothing; --set sets any field",
    ],
    [
      "a field without a value",
      ["run", "Stop", "--set", "source"],
      `--set "source" is not KEY=JSON; for example: --set source='"resume"'`,
    ],
    [
      "a field that is not JSON",
      ["run", "SessionStart", "--set", "source=resume"],
      `--set source is not JSON; text needs quotes: '"like this"'`,
    ],
    [
      "a field inside of what is no object",
      ["run", "PreToolUse", "--set", "tool_name.x=1"],
      "--set tool_name.x: tool_name holds no object; set it whole: --set tool_name=JSON",
    ],
    [
      "a field without a name",
      ["run", "PreToolUse", "--set", "tool_input.=1"],
      `--set "tool_input.=1" is not KEY=JSON; for example: --set source='"resume"'`,
    ],
    [
      "a payload that is not there",
      ["run", "Stop", "--input", "gone.json"],
      "gone.json cannot be read: there is no such file; --input takes a file, or - for stdin",
    ],
    [
      "a payload where a file belongs",
      ["run", "Stop", "--input", '{"command":"ls"}'],
      '{"command":"ls"} cannot be read: there is no such file; --input takes a file, or - for stdin; --tool-input takes JSON, and --set any field',
    ],
    [
      "the flag of another command",
      ["run", "Stop", "--payload", "-"],
      "there is no option --payload; --input takes a payload from a file, or - for stdin; --tool-input takes JSON",
    ],
    [
      "a payload without a name",
      ["run", "Stop", "--input", ""],
      '"" cannot be read: there is no such file; --input takes a file, or - for stdin',
    ],
    [
      "a folder for a payload",
      ["run", "Stop", "--input", "folder"],
      "folder cannot be read: it is a folder; --input takes a file, or - for stdin",
    ],
    [
      "a payload that is not JSON",
      ["run", "Stop", "--input", "broken.json"],
      "the payload in broken.json is not JSON; belay schema Stop --input says what it holds",
    ],
    [
      "a payload that is no object",
      ["run", "Stop", "--input", "list.json"],
      "the payload must be a JSON object; belay schema Stop --input says what it holds",
    ],
    [
      "nothing on stdin",
      ["run", "Stop", "--input", "-"],
      "the payload in stdin is not JSON; belay schema Stop --input says what it holds",
    ],
    [
      "a payload of another event",
      ["run", "Stop", "--input", "prompt.json"],
      'the payload is one of "UserPromptSubmit", not of Stop; belay schema Stop --input says what it holds',
    ],
    [
      "a field that names another event",
      ["run", "Stop", "--set", 'hook_event_name="UserPromptSubmit"'],
      'the payload is one of "UserPromptSubmit", not of Stop; belay schema Stop --input says what it holds',
    ],
    [
      "an unknown dialect",
      ["check", "--dialect", "claude"],
      'there is no dialect "claude"; one of: wave, session-hooks, pact, claude-code',
    ],
    [
      "a misspelt dialect",
      ["run", "Stop", "--dialect", "wav"],
      'there is no dialect "wav"; did you mean wave?',
    ],
    [
      "a working folder that is none",
      ["run", "Stop", "--cwd", "gone"],
      '--cwd "gone" is no folder; name a folder that exists',
    ],
    [
      "a file as a working folder",
      ["trust", "--cwd", "list.json"],
      '--cwd "list.json" is no folder; name a folder that exists',
    ],
  ];
  test.each(rows)("%s", async (_what, args, message) => {
    const place = scratch();
    mkdirSync(join(place.project, "folder"));
    place.file("broken.json", "{ oh");
    place.file("list.json", "[1]");
    place.file("empty.json", "{}");
    place.file("odd.json", '{ "hook_event_name": "PreTolUse" }');
    place.file("prompt.json", '{ "hook_event_name": "UserPromptSubmit" }');
    expect(await place.belay(args)).toEqual({ code: 1, stdout: "", stderr: `belay: ${message}\n` });
  });
});

describe("what is no mistake", () => {
  test("ten megabytes of payload", async () => {
    const place = scratch();
    const file = place.config({
      UserPromptSubmit: [{ hooks: [{ type: "command", command: "wc -c > size" }] }],
    });
    const prompt = "x".repeat(10 * 1024 * 1024);
    const input = JSON.stringify({ prompt });
    for (const source of ["-", place.file("big.json", input)]) {
      const { code, stdout } = await place.belay(
        ["run", "UserPromptSubmit", "--json", "--config", file, "--input", source],
        source === "-" ? { input } : {},
      );
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ runs: [{ exitCode: 0 }], diagnostics: [] });
      const size = Number(readFileSync(join(place.project, "size"), "utf8"));
      expect(size).toBeGreaterThan(prompt.length);
    }
  });

  test("a payload with a byte order mark", async () => {
    const place = scratch();
    const file = place.config({});
    const { code } = await place.belay(["run", "Stop", "--config", file, "--input", "-"], {
      input: "\uFEFF{}",
    });
    expect(code).toBe(0);
  });

  test("no arguments: the commands, on stderr, exit 1", async () => {
    const { code, stdout, stderr } = await scratch().belay([]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("Usage: belay <command> [options]");
  });

  const ASKED = [["--help"], ["-h"], ["help"], ["help", "--help"], ["--help", "-h"], ["help", "help"]];
  test.each(ASKED.map((args) => [args]))("%j: the commands, exit 0", async (args) => {
    const { code, stdout, stderr } = await scratch().belay(args);
    expect([code, stderr]).toEqual([0, ""]);
    for (const name of ["run", "why", "check", "schema", "init", "trust", "demo"])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
  });

  test.each(["run", "why", "check", "schema", "init", "trust", "chat", "demo"])(
    "help for %s fits a narrow terminal, and breaks no sentence where there is room",
    async (name) => {
      const { belay } = scratch();
      const { code, stdout } = await belay([name, "--help"], { env: { COLUMNS: "60" } });
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: belay ${name}`);
      const [prose = ""] = stdout.split("Examples:");
      expect(prose.split("\n").filter((line) => line.length > 60)).toEqual([]);
      if (name === "run" || name === "why")
        expect(prose.replaceAll(/\s+/g, " ")).toContain(`Events: ${EVENTS}`);
      const wide = await belay(["help", name], { env: { COLUMNS: "1000" } });
      const summary = wide.stdout.split("\n\nUsage: ")[0]?.split("\n") ?? [];
      expect([wide.code, summary.filter((line) => !line.endsWith("."))]).toEqual([0, []]);
    },
  );

  test("the version", async () => {
    expect(await scratch().belay(["--version"])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
  });
});
