import { join } from "node:path";
import { toolNamed } from "@belay/core/internal";
import { describe, expect, it } from "vitest";
import { toolResponses } from "../src/args/payload.ts";
import { guessEvents, toolsIn } from "../src/testing/read/try-payloads.ts";
import { scratch } from "./cli.ts";

const SH = "#!/bin/sh\n";
const WIDE = { env: { COLUMNS: "150", NO_COLOR: "1" } };

/** Each of `shown` is somewhere in what is printed; the first argument is the script's name. */
type Row = [what: string, text: string, args: string[], shown: string[], events: string];

const ROWS: readonly Row[] = [
  [
    "a byte order mark before #!",
    `\uFEFF${SH}# a Stop hook\nexit 0\n`,
    ["a.sh"],
    [
      "a.sh begins with a byte order mark (BOM) before its #!, so it is run as `/bin/sh a.sh`",
      "fix: save it as UTF-8 without BOM; or write",
    ],
    "Stop",
  ],
  [
    "a script that says nothing of its event",
    `${SH}exit 0\n`,
    ["a.sh"],
    ["a.sh may be for PreToolUse", "It said nothing to any sample"],
    "PreToolUse PostToolUse UserPromptSubmit Stop SubagentStop PermissionRequest",
  ],
  [
    "a script that names an event",
    `${SH}# a Stop hook\necho no >&2; exit 2\n`,
    ["a.sh"],
    ["decide  block by a.sh: no", "agent   no"],
    "Stop",
  ],
  [
    "a script that gives its event away by an answer",
    `#!/usr/bin/env python3\nprint('{"hookSpecificOutput":{"permissionDecision":"deny"}}')\n`,
    ["a.py"],
    ["script-no-event-name", "fault"],
    "PreToolUse PermissionRequest",
  ],
  [
    "a call of the kind that a script seems to guard against",
    `${SH}# PreToolUse\ngrep -q 'rm -rf' || exit 0; echo no >&2; exit 2\n`,
    ["a.sh"],
    ['Bash {"command":"npm test"}', 'Bash {"command":"rm -rf /no/such/folder"}', "decide  deny by a.sh: no"],
    "PreToolUse PreToolUse",
  ],
  [
    "a file of the kind that a script seems to guard, for the tool it names",
    `${SH}# PreToolUse, Write\ngrep -q '[.]env' || exit 0; echo 'not .env' >&2; exit 2\n`,
    ["a.sh"],
    ['PreToolUse  Write {"file_path"', "decide  deny by a.sh: not .env"],
    "PreToolUse PreToolUse",
  ],
  [
    "the event that was named",
    `${SH}# PreToolUse\nexit 2\n`,
    ["a.sh", "SessionStart"],
    ["exit 2 refuses nothing at SessionStart"],
    "SessionStart",
  ],
  [
    "a payload",
    `${SH}grep -q 'rm -rf' && { echo "not that" >&2; exit 2; }\nexit 0\n`,
    ["a.sh", "PreToolUse", "--payload", '{"tool_input":{"command":"rm -rf /"}}'],
    ['event   PreToolUse  Bash {"command":"rm -rf /"}', "deny by a.sh: not that"],
    "PreToolUse",
  ],
  [
    "a payload that names its event",
    `${SH}exit 0\n`,
    ["a.sh", "--payload", '{"hook_event_name":"UserPromptSubmit","prompt":"hello there"}'],
    ["UserPromptSubmit  hello there", "It said nothing to this payload."],
    "UserPromptSubmit",
  ],
  [
    "a dialect",
    `${SH}exit 2\n`,
    ["a.sh", "PreCompact", "--dialect", "claude-code"],
    ["decide  block by a.sh"],
    "PreCompact",
  ],
  [
    "a script that is neither executable nor says who reads it",
    "import sys\nsys.exit(2)\n",
    ["plain.py", "Stop"],
    [
      "! plain.py does not begin with #! and is not executable, so it is run as `python3 plain.py`",
      "fix: put #!/usr/bin/env python3 in its first line; chmod +x plain.py",
    ],
    "Stop",
  ],
  [
    "a module",
    "export default (event: { prompt: string }) => ({ decision: 'block', reason: `no ${event.prompt}` });\n",
    ["plain.ts", "UserPromptSubmit"],
    ["block by plain.ts: no Add a test for the parser"],
    "UserPromptSubmit",
  ],
  ["a fault", `${SH}echo '{"decision":'\n`, ["a.sh", "Stop"], ["fault"], "Stop"],
];

describe("belay try", () => {
  it.each(ROWS)("%s", async (_what, text, args, shown, events) => {
    const { belay, file } = scratch();
    file(args[0] ?? "", text, args[0]?.startsWith("plain") ? 0o644 : 0o755);
    const result = await belay(["try", ...args], WIDE);
    for (const words of shown) expect(result.stdout).toContain(words);
    const found = [...result.stdout.matchAll(/^event {3}(\w+)/gm)].map(([, event]) => event).join(" ");
    const code = shown.includes("fault") ? 2 : 0;
    expect([result.code, result.stderr, found]).toEqual([code, "", events]);
  });

  it("exits 2 where the script failed, and says so", async () => {
    const { belay, file } = scratch();
    file("broken.py", "#!/usr/bin/env python3\ndef guard(:\n", 0o755);
    const { code, stdout } = await belay(["try", "./broken.py", "PreToolUse"], WIDE);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^run .* failed +exit 1$/m);
    expect(stdout).toContain(
      "It gave no answer of its own: any exit code but 0 and 2 is an error that the user reads, and work goes on.",
    );
    expect(stdout).not.toMatch(/It said nothing|exit 1 does not refuse/);
  });

  it("says of how many, where it answered the others", async () => {
    const { belay, file } = scratch();
    file("some.sh", "#!/bin/sh\ngrep -q PreToolUse && exit 1\nexit 0 # PreToolUse, Stop\n", 0o755);
    const { code, stdout } = await belay(["try", "./some.sh"], WIDE);
    expect(stdout).toContain("To 1 of 2 payloads it gave no answer of its own: any exit code but 0 and 2 is");
    expect(code).toBe(2);
  });

  it("exits 2 where the script is not there, which looks like a refusal", async () => {
    const { code, stdout } = await scratch().belay(["try", "sh gone.sh", "PreToolUse"], WIDE);
    expect([code, stdout]).toEqual([2, expect.stringContaining("run-script-not-found")]);
    expect(stdout).not.toContain("any exit code but 0 and 2");
  });

  it("takes a command, and prints JSON", async () => {
    const { stdout } = await scratch().belay(["try", "echo no >&2; exit 2", "Stop", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      tries: [
        {
          event: "Stop",
          payload: { hook_event_name: "Stop" },
          outcome: { decision: { kind: "block", reason: "no" } },
        },
      ],
      problems: [],
    });
  });

  it("runs a compiled program, and one that is found on PATH", async () => {
    const project = scratch();
    await project.shell('mkdir bin; cp "$(command -v cat)" bin/compiled; cp bin/compiled bin/on-path.sh');
    const env = { PATH: `${join(project.project, "bin")}:${process.env.PATH}` };
    for (const given of ["bin/compiled", "./bin/compiled", "on-path.sh"]) {
      const { code, stdout, stderr } = await project.belay(["try", given, "Stop", "--json"], { env });
      expect({ given, code, stderr }).toEqual({ given, code: 0, stderr: "" });
      expect(stdout).toContain('\\"hook_event_name\\":\\"Stop\\"');
    }
  });

  it("leaves no record, and no file", async () => {
    const project = scratch();
    await project.belay(["try", "true", "Stop"]);
    expect(await project.shell('find "$HOME" . -not -path "*/.git*" -type f')).toBe("");
  });

  // Which slips there are is tested with belay run: these are about a payload without an event, and a tool's input.
  const COMMAND = "PreToolUse has no command; did you mean tool_input.command?";
  const SLIPS: readonly [args: readonly string[], said: string | undefined][] = [
    [['{"command":"rm -rf /"}'], COMMAND],
    [["PreToolUse", '{"command":"of a host","tool_input":{"command":"ls"}}'], undefined],
    [["Stop", '{"command":"rm -rf /"}'], undefined],
  ];
  it.each(SLIPS)("says what is probably a slip in the payload, and hands it on: %j", async (given, said) => {
    const args = ["try", "true", ...given.slice(0, -1), "--payload", given.at(-1) ?? ""];
    expect(await scratch().belay(args)).toMatchObject({
      code: 0,
      stderr: said === undefined ? "" : `belay: warning: ${said}\n`,
    });
  });
});

const CALLS = ["PreToolUse", "PostToolUse", "PermissionRequest"];

describe("the events that a script may be for", () => {
  const ROWS: readonly [text: string, events: readonly string[]][] = [
    [`${SH}jq -r .prompt | grep -q secret && exit 2\nexit 0\n`, ["UserPromptSubmit"]],
    ['import json, sys\nif "secret" in json.load(sys.stdin)["prompt"]: sys.exit(2)\n', ["UserPromptSubmit"]],
    ["import json, sys\nprint(json.load(sys.stdin).get('prompt', ''))\n", ["UserPromptSubmit"]],
    [
      "export default (event) => event.prompt.includes('key') && { decision: 'block' };",
      ["UserPromptSubmit"],
    ],
    [`${SH}jq -r .trigger\n`, ["PreCompact"]],
    [`${SH}jq -r .source\n`, ["SessionStart"]],
    [`${SH}jq -r .custom_instructions\n`, ["PreCompact"]],
    [`${SH}jq -r .tool_input.prompt\n`, CALLS],
    [`${SH}jq -r .message | notify\n`, ["Notification"]],
    ["const { prompt } = JSON.parse(input);", ["UserPromptSubmit"]],
    ["print(json.load(sys.stdin)['reason'])", ["SessionEnd"]],
  ];
  it.each(ROWS)("by the fields that it reads: %j", (text, events) => {
    expect(guessEvents(text)).toEqual(events);
  });

  const WORDS = [
    "# ask at the prompt",
    "trigger=1",
    "source ./lib.sh",
    "echo '{\"prompt\": 1}'",
    ". ./prompt.sh",
    "catch (error) { console.error(error.message); }",
    'out["reason"] = "no"; answer.reason = why',
  ];
  it.each(WORDS)("not by a word that is no field: %s", (text) => {
    expect(guessEvents(text)).toEqual(guessEvents(""));
  });
});

describe("what try reads of a command", () => {
  const eventsOf = async (...args: string[]) => {
    const { belay, file } = scratch();
    file("a.sh", `${SH}jq -r .prompt | grep -q secret && exit 2\nexit 0\n`);
    const { stdout } = await belay(["try", ...args, "--json"]);
    const { tries } = JSON.parse(stdout) as { tries: { event: string }[] };
    return tries.map(({ event }) => event);
  };
  it("is the script that it runs", async () => {
    expect(await eventsOf("sh a.sh")).toEqual(["UserPromptSubmit"]);
  });
  it("is the dialect, where nothing tells the event: there a hook may refuse to compact", async () => {
    expect(await eventsOf("true")).not.toContain("PreCompact");
    expect(await eventsOf("true", "--dialect", "claude-code")).toContain("PreCompact");
  });
});

describe("a JavaScript file", () => {
  const HOOK = '() => ({ decision: "block", reason: "no" })';
  const MODULES: readonly [shape: string, text: string][] = [
    ["a default", `export default ${HOOK};\n`],
    ["a name", `export const hook = ${HOOK};\n`],
    ["what another exports", 'export { default } from "./other.mjs";\n'],
  ];
  it.each(MODULES)("is a module where it exports a hook: %s", async (_, text) => {
    const { belay, file } = scratch();
    file("other.mjs", `export default ${HOOK};\n`);
    file("a.mjs", text);
    const { stdout } = await belay(["try", "a.mjs", "PreToolUse", "--json"]);
    const { tries } = JSON.parse(stdout) as { tries: { outcome: { decision: object } }[] };
    expect(tries[0]?.outcome.decision).toMatchObject({ kind: "deny", reason: "no" });
  });
});

describe("the calls that a script is tried on", () => {
  const tried = async (text: string) => {
    const { belay, file } = scratch();
    file("a.sh", `${SH}# PreToolUse: ${text}\ncat > tried.txt\n`, 0o755);
    const { stdout, stderr } = await belay(["try", "./a.sh", "--json"]);
    const { tries } = JSON.parse(stdout) as {
      tries: { payload: { tool_name: string; tool_input: object } }[];
    };
    return { stderr, calls: tries.map(({ payload }) => payload) };
  };

  it("are of every tool that it names", async () => {
    const { calls, stderr } = await tried("Bash Write Edit Read Glob Grep");
    expect(calls.map((call) => call.tool_name)).toEqual(["Bash", "Write", "Edit", "Read", "Glob", "Grep"]);
    expect(stderr).toBe("");
  });

  it("are of every kind that it guards against", async () => {
    const { calls } = await tried("Bash, against rm, push, commit, sudo, curl");
    expect(calls).toHaveLength(6);
    expect(JSON.stringify(calls.at(-1)?.tool_input)).toContain("curl");
  });

  it("are not more than anyone reads, and that is said", async () => {
    const { calls, stderr } = await tried("Bash Write Edit Read Glob Grep, rm push commit sudo curl .env");
    expect(calls).toHaveLength(12);
    expect(stderr).toBe("belay: warning: left out 1 more call that it names; --payload chooses one\n");
  });
});

describe("the tools of a script that names none, by the fields of their inputs that it reads", () => {
  const ROWS: readonly [text: string, tools: readonly string[]][] = [
    ["const { file_path, content, new_string } = event.tool_input;", ["Write", "Edit"]],
    ["jq -r '.tool_input.file_path // empty'", ["Write"]],
    ["jq -r .tool_input.command", ["Bash"]],
    ['data.get("tool_input", {}).get("url")', ["WebFetch"]],
    ["input = event['tool_input']; input['pattern']", ["Grep"]],
    ["const { tool_input: i } = e; i.old_string; i.command", ["Bash", "Edit"]],
    ['import os.path\nos.path.join(data["tool_input"]["command"])', ["Bash"]],
    ["import path from 'path'; path.extname(e.tool_input.file_path)", ["Write"]],
    ["jq -r .tool_input.cell_id", []],
    ["the file_path of something else", []],
  ];
  it.each(ROWS)("%s", (text, tools) => {
    expect(toolsIn(text)).toEqual(tools);
  });

  it("and the calls that it guards against are of those", async () => {
    const { belay, file } = scratch();
    file("lint.mjs", "// PreToolUse\nconst rm = (e) => e.tool_input.new_string.endsWith('.ts'); // rm\n");
    const { stdout } = await belay(["try", "lint.mjs", "--json"]);
    const { tries } = JSON.parse(stdout) as { tries: { payload: { tool_name: string } }[] };
    expect(tries.map(({ payload }) => payload.tool_name)).toEqual(["Edit"]);
  });
});

describe("what a tool returned, in a sample", () => {
  it("is of tools that are known", () => {
    expect(Object.keys(toolResponses("")).filter((tool) => toolNamed(tool) === undefined)).toEqual([]);
  });

  const ROWS: readonly [tool: string | undefined, response: unknown][] = [
    [undefined, { stdout: "12 passed", stderr: "", interrupted: false }],
    ["Write", { filePath: expect.stringMatching(/^\/.+\/notes\.txt$/), success: true }],
    ["LS", {}],
  ];
  it.each(ROWS)("is of that tool: %s", async (tool_name, response) => {
    const { belay, file } = scratch();
    file("a.sh", `${SH}exit 0\n`, 0o755);
    const payload = JSON.stringify({ tool_name });
    const { stdout } = await belay(["try", "a.sh", "PostToolUse", "--json", "--payload", payload]);
    expect(JSON.parse(stdout).tries).toMatchObject([{ payload: { tool_response: response } }]);
  });
});

it("a mistake that is the same at every event is told once, for none of them", async () => {
  const { belay, file } = scratch();
  file("context.sh", `${SH}echo '{"hookSpecificOutput":{"additionalContext":"hi"}}'\n`, 0o755);
  const { stdout } = await belay(["try", "./context.sh", "--dialect", "claude-code"], {
    env: { COLUMNS: "200" },
  });
  const [, told = ""] = stdout.split("\ndiagnostics\n");
  expect(told.match(/^(?:error|warning|info) .*/gm)).toEqual([
    expect.stringContaining("output-wrong-event"),
    expect.stringContaining("output-void"),
    expect.stringContaining("script-no-event-name"),
  ]);
  expect(told.match(/fix: .*/g)).toEqual([
    'fix: Set hookSpecificOutput.hookEventName to "<Event>".',
    expect.stringContaining("no field with a wrong value"),
    'fix: Add "hookEventName": "<Event>" inside hookSpecificOutput.',
  ]);
  const { stdout: one } = await belay(["try", "./context.sh", "Stop", "--dialect", "claude-code"]);
  expect(one).toContain('Set hookSpecificOutput.hookEventName to "Stop".');
  expect(one).not.toContain("<Event>");
});

/* A script that is not executable is run by what its #! names, as the system would run it after chmod +x. */

/** An interpreter that says which words it was given. */
const READER = `#!/bin/sh
while [ $# -gt 0 ]; do printf '<%s>' "\${1##*/}" >&2; shift; done; exit 2
`;

interface Report {
  readonly note?: { readonly message: string; readonly fix: string };
  readonly tries: readonly { readonly outcome: { readonly decision: { readonly reason?: string } } }[];
  readonly problems: readonly { readonly message: string }[];
}

/** `BIN` stands for the folder of that interpreter, which is on PATH too. */
async function tried(script: string, first: string) {
  const project = scratch();
  const bin = join(project.project, "bin");
  project.file("bin/reader", READER, 0o755);
  project.file(script, `${first.replaceAll("BIN", bin)}\necho from sh >&2; exit 2\n`);
  const env = { PATH: `${bin}:${process.env.PATH}` };
  const { code, stdout, stderr } = await project.belay(["try", script, "Stop", "--json"], { env });
  const { note, tries, problems } = JSON.parse(stdout.replaceAll(bin, "BIN")) as Report;
  const messages = problems.map(({ message }) => message);
  return { code, stderr, note, messages, reason: tries[0]?.outcome.decision.reason };
}

interface Shebang {
  readonly first: string;
  readonly script?: string;
  /** The words before the script's name. */
  readonly run: string;
  /** What the interpreter was given before it. */
  readonly given?: string;
}

const SHEBANGS: readonly Shebang[] = [
  { first: "#!BIN/reader", run: "BIN/reader" },
  { first: "#! BIN/reader\t", run: "BIN/reader" },
  { first: "#!/usr/bin/env reader", run: "reader" },
  { first: "#!/usr/bin/env -S reader -x --y=1", run: "reader -x --y=1", given: "<-x><--y=1>" },
  // A shell never reads what stands there.
  { first: "#!BIN/reader $(exit);`exit`", run: "BIN/reader '$(exit);`exit`'", given: "<$(exit);`exit`>" },
  { first: "#!BIN/reader 'a'", run: "BIN/reader ''\\''a'\\'''", given: "<'a'>" },
  // What env takes apart by rules of its own is left to it.
  { first: '#!/usr/bin/env -S reader "a b"', run: `/usr/bin/env -S 'reader "a b"'`, given: "<a b>" },
  { first: "#!BIN/reader", script: "a", run: "BIN/reader" },
  { first: "#!BIN/reader", script: "a.ts", run: "BIN/reader" },
  { first: "#!BIN/reader", script: "a b.py", run: "BIN/reader" },
];

describe("a script with a #! that is not executable", () => {
  it.each(SHEBANGS.map((row) => [row.first, row] as const))("%s", async (first, row) => {
    const { script = "a.sh", run, given = "" } = row;
    const shown = script.includes(" ") ? `'${script}'` : script;
    expect(await tried(script, first)).toEqual({
      code: 0,
      stderr: "",
      note: {
        message: `${script} is not executable, so it is run as \`${run} ${shown}\``,
        fix: `chmod +x ${shown}; or write \`${run} …\` in the settings too`,
      },
      messages: [],
      reason: `${given}<${script}>`,
    });
  });

  it("is run by it even where a byte order mark hides it from the system", async () => {
    const { note, reason } = await tried("a.sh", "\uFEFF#!BIN/reader");
    expect([note?.message, reason]).toEqual([
      "a.sh begins with a byte order mark (BOM) before its #! and is not executable, so it is run as `BIN/reader a.sh`",
      "<a.sh>",
    ]);
  });

  const BAD: readonly [first: string, said: string][] = [
    ["#!/no/such/bash", "names /no/such/bash: there is no such program"],
    ["#!/usr/bin/env no-such-bash", "names no-such-bash: it is not on PATH here"],
    [
      "#!BIN/reader\r",
      "names BIN/reader: the line ends in a carriage return, which becomes part of the name",
    ],
    ["#!", "names nothing: an interpreter is missing behind #!"],
  ];
  it.each(BAD)("is run by nobody where %j would not start it", async (first, said) => {
    expect(await tried("a.sh", first)).toEqual({
      code: 2,
      stderr: "",
      note: undefined,
      messages: [expect.stringContaining("a.sh is not executable"), `the first line of a.sh ${said}`],
      reason: undefined,
    });
  });
});
