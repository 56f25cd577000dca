import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMON_EVENT_NAMES } from "@belay/core/internal";
import { EVENT_NAMES } from "@belay/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scratch } from "./cli.ts";

const EVENTS = `${COMMON_EVENT_NAMES.join(", ")} and those of \`belay schema\``;

/** Each command line is a mistake; each message is one sentence with what to do about it. … stands for the rest. */
const MISTAKES: Readonly<Record<string, string>> = {
  chek: 'there is no command "chek"; did you mean check?',
  frobnicate:
    'there is no command "frobnicate"; one of: run, why, check, try, test, schema, init, trust, tail, hook, daemon, questions, allow, install, uninstall, adopt, doctor, verify, record, replay, stats, inspect, chat, demo',
  "--json": "--json stands before any command; usage: belay <command> [options]",
  "help rn": 'there is no command "rn"; did you mean run?',
  // Options and arguments.
  "run Stop --jsn": "there is no option --jsn; did you mean --json?",
  "check --frobnicate": "there is no option --frobnicate; --help lists the options",
  "run Stop -x": "there is no option -x; --help lists the options",
  "run Stop --config": "--config needs a value; a value that begins with a dash is written --config=VALUE",
  "run UserPromptSubmit --prompt --json":
    "--prompt needs a value; a value that begins with a dash is written --prompt=VALUE",
  "run Stop --input empty.json --input odd.json":
    "--input is given more than once and takes one value; keep one of them",
  "check --dialect=wave --dialect wave":
    "--dialect is given more than once and takes one value; keep one of them",
  "run Stop --json=yes": "--json takes no value; write --json",
  "run Stop --payload -":
    "there is no option --payload; --input takes a payload from a file, or - for stdin; --tool-input takes JSON",
  "run Stop Stop": '"Stop" is one argument too many; usage: belay run <Event> [options]',
  "check x.json": '"x.json" is one argument too many; next: belay check --config x.json',
  "check a.json 'b b.json' --dialect wave":
    "\"a.json\" is one argument too many; next: belay check --config a.json --config 'b b.json' --dialect wave",
  "init here": '"here" is one argument too many; next: belay init --cwd here',
  "trust me": '"me" is one argument too many; usage: belay trust [--session ID] …',
  "trust --session 0b8f1d6e --yes":
    '--session "0b8f1d6e" is no UUID, and only such a session has hooks of its own; give the whole id, or leave it out',
  "check --dialect claude": 'there is no dialect "claude"; one of: wave, session-hooks, pact, claude-code',
  "replay --dialect waves": 'there is no dialect "waves"; did you mean wave?',
  "run Stop --cwd gone": '--cwd "gone" is no folder; name a folder that exists',
  "trust --cwd list.json": '--cwd "list.json" is no folder; name a folder that exists',
  // The event.
  run: `an event is needed; usage: belay run <Event> [options]; events: ${EVENTS}`,
  "run --input empty.json": `an event is needed: the payload has no hook_event_name; usage: belay run <Event> [options]; events: ${EVENTS}`,
  "why --input odd.json": 'there is no event "PreTolUse"; did you mean PreToolUse?',
  "run PreTolUse": 'there is no event "PreTolUse"; did you mean PreToolUse?',
  "why pretooluse": 'there is no event "pretooluse"; did you mean PreToolUse?',
  // The payload.
  "run PreToolUse --tool-input '{'": '--tool-input is not JSON; for example: \'{"command":"ls"}\'',
  "run PreToolUse --tool-input '[]'": '--tool-input must be a JSON object; for example: \'{"command":"ls"}\'',
  "run Stop --tool Bash": "Stop has no tool_name, so --tool says nothing; --set sets any field",
  "why Stop --prompt x": "Stop has no prompt, so --prompt says nothing; --set sets any field",
  "run Stop --set source": '--set "source" is not KEY=JSON; for example: --set source=\'"resume"\'',
  "run SessionStart --set source=resume": "--set source is not JSON; text needs quotes: '\"like this\"'",
  "run PreToolUse --set tool_name.x=1":
    "--set tool_name.x: tool_name holds no object; set it whole: --set tool_name=JSON",
  "run PreToolUse --set tool_input.=1": '--set "tool_input.=1" is not KEY=JSON; …',
  "run Stop --input gone.json":
    "gone.json cannot be read: there is no such file; --input takes a file, or - for stdin",
  "run Stop --input '{}'":
    "{} cannot be read: there is no such file; --input takes a file, or - for stdin; --tool-input takes JSON, and --set any field",
  "run Stop --input ''": '"" cannot be read: there is no such file; …',
  "run Stop --input folder": "folder cannot be read: it is a folder; …",
  "run Stop --input broken.json":
    "the payload in broken.json is not JSON; belay schema Stop --input says what it holds",
  "run Stop --input list.json":
    "the payload must be a JSON object; belay schema Stop --input says what it holds",
  "run Stop --input - < /dev/null": "the payload in stdin is not JSON; …",
  "run Stop --input prompt.json":
    'the payload is one of "UserPromptSubmit", not of Stop; belay schema Stop --input says what it holds',
  "run Stop --set 'hook_event_name=\"PreToolUse\"'": 'the payload is one of "PreToolUse", not of Stop; …',
  // belay try.
  try: "a script or a command is needed; …",
  "try gone.py Stop": "there is no script gone.py; check the path",
  "try hooks/other Stop": "there is no script hooks/other; did you mean hooks/other.py?",
  "try ./plian.sh Stop": "there is no script ./plian.sh; did you mean ./plain.sh?",
  "try true --tool Write": 'there is no option --tool; --payload \'{"tool_name":"Write"}\' names a tool',
  "try true --tool-input={}":
    'there is no option --tool-input; --payload \'{"tool_input":{"command":"ls"}}\' gives it',
  "try true --prompt hi": 'there is no option --prompt; --payload \'{"prompt":"deploy it"}\' gives one',
  "try true --input a.json": "there is no option --input; --payload takes JSON, a file, or - for stdin",
  "try true --config a.json":
    "there is no option --config; belay run fires an event at the hooks of a config",
  "try pipe Stop": "pipe is a pipe, socket or device; …",
  "try .": ". is a folder; name a script in it, or a command in quotes",
  "try plain": "plain cannot be run: it does not begin with #! …",
  "try true Stop --payload '{'": "--payload is not JSON; …",
  "try true Stop --payload gone.json":
    "gone.json cannot be read: there is no such file; --payload takes JSON, a file, or - for stdin",
  "try true Stop --watch":
    '--watch has nothing to watch: "true" names no file; next: the same without --watch, or with a script',
  ...(existsSync("/proc/self/mem") && { "try /proc/self/mem Stop": "/proc/self/mem cannot be read: …" }),
  // belay test.
  "test gone": 'no path of 1 case file has "gone" in it, and no such file is there; …',
  "test plain.sh": "plain.sh is no case file; …",
  "test -t gone": 'no case has "gone" in its name; …',
  "test -t '/(/'": "-t /(/ is no pattern; …",
  "test --name '/(/'": "--name /(/ is no pattern; …",
  "test --reporter junitt": 'there is no reporter "junitt"; did you mean junit?',
  "test --parallel 0": '--parallel "0" is no number of cases; for example: --parallel 4',
  "test --output no/such/file": "--output PROJECT/no/such/file cannot be written: ENOENT: …",
  "test folder":
    "there is no case file in folder; cases stand in files named *.hooks.yaml, *.hooks.yml or *.hooks.json; …",
  // belay tail, belay replay, belay schema.
  "tail -n many": '-n "many" is no number of events; for example: belay tail -n 100, or -n all',
  "tail -n 1.5": '-n "1.5" is no number of events; …',
  "tail --event Stopp": 'there is no event "Stopp"; did you mean Stop?',
  "tail --decision go on": 'there is no decision "go"; one of: "go on", allow, ask, deny, block, stop, fault',
  "tail --decision go-on": 'there is no decision "go-on"; did you mean "go on"?',
  "tail --since yesterday":
    '--since "yesterday" is no time; for example: --since 30m, --since 7d, --since 2026-01-31, --since 2026-01-31T09:00',
  "tail Stop": '"Stop" is one argument too many; usage: belay tail [-n N] [-f] [options]',
  "replay .":
    '"." is a folder without a journal, and no session of this project; if its project is meant: --cwd .',
  "replay a b": '"b" is one argument too many; usage: belay replay …',
  "replay --limit x": '--limit "x" is no number of events; …',
  "replay --rerun --parallel 0": '--parallel "0" is no number of events; for example: --parallel 4',
  "replay --config x.json":
    "--config has no meaning where no hook is run; to run hooks on the recorded events: belay replay --rerun --config …",
  "replay --rerun --config x.json":
    "PROJECT/x.json cannot be read: there is no such file; correct the path after --config",
  "replay --rerun --in nowhere": '--in "nowhere" is no folder; name a folder that exists',
  "schema PreTolUse": 'there is no event "PreTolUse"; did you mean PreToolUse?',
  "schema --input": "an event is needed; usage: belay schema …",
  "schema --dialect pact": "an event is needed; usage: belay schema …",
  "schema Stop --config": "--config stands alone; usage: belay schema …",
  "schema --config --outcome": "--config stands alone; usage: belay schema …",
  "schema --config --dialect pact": "--config stands alone; usage: belay schema …",
  "schema Stop Stop": '"Stop" is one argument too many; usage: belay schema …',
};

describe("bad usage is one line on stderr, and exit 1", () => {
  const place = scratch(afterAll);
  beforeAll(async () => {
    place.file("broken.json", "{ oh");
    place.file("list.json", "[1]");
    place.file("empty.json", "{}");
    place.file("odd.json", '{ "hook_event_name": "PreTolUse" }');
    place.file("prompt.json", '{ "hook_event_name": "UserPromptSubmit" }');
    place.file("plain", "hello\n");
    place.file("plain.sh", "#!/bin/sh\n", 0o755);
    place.file("hooks/other.py", "", 0o755);
    place.file("a.hooks.yaml", "hook: 'true'\ncases: [{ name: one, event: Stop, expect: { runs: [] } }]\n");
    await place.shell("mkdir folder; mkfifo pipe");
  });
  test.each(Object.entries(MISTAKES))("belay %s", async (line, message) => {
    const said = await place.shell(`belay ${line}; echo $?`);
    const expected = `1\nbelay: ${message}`.replace("PROJECT", place.project);
    if (message.endsWith("…")) {
      expect(said.slice(0, expected.length - 1)).toBe(expected.slice(0, -1));
      expect(said.indexOf("\n", 2)).toBe(said.length - 1);
    } else expect(said).toBe(`${expected}\n`);
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

  test.each(["run", "why"])(
    "help for %s names the events, in sentences that are not broken",
    async (name) => {
      const { code, stdout } = await scratch().belay(["help", name], { env: { COLUMNS: "1000" } });
      expect([code, stdout]).toEqual([0, expect.stringContaining(`Events: ${EVENT_NAMES.join(", ")}`)]);
      const [summary = "", usage] = stdout.split("\n\nUsage: ");
      expect(usage).toMatch(new RegExp(`^belay ${name} `));
      expect(summary.split("\n").filter((line) => !line.endsWith("."))).toEqual([]);
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
