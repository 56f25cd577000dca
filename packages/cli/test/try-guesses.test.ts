import { toolNamed } from "@belay/core/internal";
import { describe, expect, it } from "vitest";
import { toolResponses } from "../src/args/payload.ts";
import { guessEvents, toolsIn } from "../src/testing/read/try-payloads.ts";
import { scratch } from "./cli.ts";

const SH = "#!/bin/sh\n";
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

  const BASH = { stdout: "12 passed", stderr: "", interrupted: false };
  const ROWS: readonly [tool: string | undefined, response: unknown][] = [
    [undefined, BASH],
    ["Bash", BASH],
    ["Write", { filePath: expect.stringMatching(/^\/.+\/notes\.txt$/), success: true }],
    ["LS", {}],
    ["mcp__a__b", {}],
  ];
  it.each(ROWS)("is of that tool: %s", async (tool_name, response) => {
    const { belay, file } = scratch();
    file("a.sh", `${SH}exit 0\n`, 0o755);
    const payload = JSON.stringify({ tool_name });
    const { stdout } = await belay(["try", "a.sh", "PostToolUse", "--json", "--payload", payload]);
    expect(JSON.parse(stdout).tries).toMatchObject([{ payload: { tool_response: response } }]);
  });
});

it("a payload that was given is not asked for", async () => {
  const { belay, file } = scratch();
  file("a.sh", `${SH}exit 0\n`, 0o755);
  const said = async (...args: string[]) => (await belay(["try", "a.sh", "Stop", ...args])).stdout;
  expect(await said()).toContain("It said nothing to any sample; --payload gives it another.");
  const given = await said("--payload", '{"stop_hook_active":true}');
  expect(given).toContain("It said nothing to this payload.");
  expect(given).not.toContain("gives it another");
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
    expect.stringContaining("script-no-event-name"),
  ]);
  expect(told.match(/fix: .*/g)).toEqual([
    'fix: Set hookSpecificOutput.hookEventName to "<Event>".',
    'fix: Add "hookEventName": "<Event>" inside hookSpecificOutput.',
  ]);
  const { stdout: one } = await belay(["try", "./context.sh", "Stop", "--dialect", "claude-code"]);
  expect(one).toContain('Set hookSpecificOutput.hookEventName to "Stop".');
  expect(one).not.toContain("<Event>");
});
