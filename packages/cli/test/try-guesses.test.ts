import { describe, expect, it } from "vitest";
import { guessEvents } from "../src/testing/guess-events.ts";
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
  ];
  it.each(WORDS)("not by a word that is no field: %s", (text) => {
    expect(guessEvents(text)).toEqual(guessEvents(""));
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
