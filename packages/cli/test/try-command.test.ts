import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Scratch, scratch } from "./cli.ts";

const SH = "#!/bin/sh\n";
const WIDE = { env: { COLUMNS: "150", NO_COLOR: "1" } };

interface Row {
  readonly what: string;
  readonly script: string;
  readonly text: string;
  readonly mode?: number;
  readonly args?: readonly string[];
  readonly code?: number;
  /** Each is somewhere in what is printed. */
  readonly shown: readonly string[];
  readonly events: readonly string[];
}

const REFUSING = [
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "PermissionRequest",
];

const ROWS: readonly Row[] = [
  {
    what: "a byte order mark before #!",
    script: "a.sh",
    text: `\uFEFF${SH}# a Stop hook\nexit 0\n`,
    shown: [
      "a.sh begins with a byte order mark (BOM) before its #!, so it is run as `/bin/sh a.sh`",
      "fix: save it as UTF-8 without BOM; or write",
    ],
    events: ["Stop"],
  },
  {
    what: "a script that says nothing of its event",
    script: "a.sh",
    text: `${SH}exit 0\n`,
    shown: ["a.sh may be for PreToolUse", "It said nothing to any sample"],
    events: REFUSING,
  },
  {
    what: "a script that names an event",
    script: "a.sh",
    text: `${SH}# a Stop hook\necho no >&2; exit 2\n`,
    shown: ["decide  block by a.sh: no", "agent   no"],
    events: ["Stop"],
  },
  {
    what: "a script that gives its event away by an answer",
    script: "a.py",
    text: '#!/usr/bin/env python3\nprint(\'{"hookSpecificOutput":{"permissionDecision":"deny"}}\')\n',
    code: 2,
    shown: ["script-no-event-name", "fault"],
    events: ["PreToolUse", "PermissionRequest"],
  },
  {
    what: "a script that gives its events away by a field",
    script: "a.sh",
    text: `${SH}grep -q stop_hook_active && exit 0\n`,
    shown: [],
    events: ["Stop", "SubagentStop"],
  },
  {
    what: "a call of the kind that a script seems to guard against",
    script: "a.sh",
    text: `${SH}# PreToolUse\ngrep -q 'rm -rf' || exit 0; echo no >&2; exit 2\n`,
    shown: [
      'Bash {"command":"npm test"}',
      'Bash {"command":"rm -rf /no/such/folder"}',
      "decide  deny by a.sh: no",
    ],
    events: ["PreToolUse", "PreToolUse"],
  },
  {
    what: "a file of the kind that a script seems to guard, for the tool it names",
    script: "a.sh",
    text: `${SH}# PreToolUse, Write\ngrep -q '[.]env' || exit 0; echo 'not .env' >&2; exit 2\n`,
    shown: ["decide  deny by a.sh: not .env"],
    events: ["PreToolUse", "PreToolUse"],
  },
  {
    what: "one payload per tool that a script names",
    script: "a.sh",
    text: `${SH}# PreToolUse for Write and Edit\nexit 0\n`,
    shown: ['PreToolUse  Write {"file_path"', 'PreToolUse  Edit {"file_path"'],
    events: ["PreToolUse", "PreToolUse"],
  },
  {
    what: "the event that was named",
    script: "a.sh",
    text: `${SH}# PreToolUse\nexit 2\n`,
    args: ["SessionStart"],
    shown: ["exit 2 refuses nothing at SessionStart"],
    events: ["SessionStart"],
  },
  {
    what: "a payload",
    script: "a.sh",
    text: `${SH}grep -q 'rm -rf' && { echo "not that" >&2; exit 2; }\nexit 0\n`,
    args: ["PreToolUse", "--payload", '{"tool_input":{"command":"rm -rf /"}}'],
    shown: ['event   PreToolUse  Bash {"command":"rm -rf /"}', "deny by a.sh: not that"],
    events: ["PreToolUse"],
  },
  {
    what: "a payload that names its event",
    script: "a.sh",
    text: `${SH}exit 0\n`,
    args: ["--payload", '{"hook_event_name":"UserPromptSubmit","prompt":"hello there"}'],
    shown: ["UserPromptSubmit  hello there"],
    events: ["UserPromptSubmit"],
  },
  {
    what: "a dialect",
    script: "a.sh",
    text: `${SH}exit 2\n`,
    args: ["PreCompact", "--dialect", "claude-code"],
    shown: ["decide  block by a.sh"],
    events: ["PreCompact"],
  },
  {
    what: "a script that is neither executable nor says who reads it",
    script: "a.py",
    text: "import sys\nsys.exit(2)\n",
    mode: 0o644,
    args: ["Stop"],
    shown: [
      "! a.py does not begin with #! and is not executable, so it is run as `python3 a.py`",
      "fix: put #!/usr/bin/env python3 in its first line; chmod +x a.py",
    ],
    events: ["Stop"],
  },
  {
    what: "a module",
    script: "a.ts",
    text: "export default (event: { prompt: string }) => ({ decision: 'block', reason: `no ${event.prompt}` });\n",
    mode: 0o644,
    args: ["UserPromptSubmit"],
    shown: ["block by a.ts: no Add a test for the parser"],
    events: ["UserPromptSubmit"],
  },
  {
    what: "a fault",
    script: "a.sh",
    text: `${SH}echo '{"decision":'\n`,
    args: ["Stop"],
    code: 2,
    shown: ["fault"],
    events: ["Stop"],
  },
];

function prepared({ script, text, mode = 0o755 }: Row): Scratch {
  const project = scratch();
  project.file(script, text, mode);
  return project;
}

describe("belay try", () => {
  it.each(ROWS.map((row) => [row.what, row] as const))("%s", async (_what, row) => {
    const project = prepared(row);
    const { code, stdout, stderr } = await project.belay(["try", row.script, ...(row.args ?? [])], WIDE);
    for (const text of row.shown) expect(stdout).toContain(text);
    const events = [...stdout.matchAll(/^event {3}(\w+)/gm)].map(([, event]) => event);
    expect({ code, stderr, events }).toEqual({ code: row.code ?? 0, stderr: "", events: row.events });
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
    expect([code, stdout]).toEqual([
      2,
      expect.stringContaining(
        "To 1 of 2 payloads it gave no answer of its own: any exit code but 0 and 2 is",
      ),
    ]);
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

  const COMMAND = "PreToolUse has no command; did you mean tool_input.command?";
  const SLIPS: readonly [args: readonly string[], said: string | undefined][] = [
    [["PreToolUse", '{"tool_inpt":{}}'], "PreToolUse has no tool_inpt; did you mean tool_input?"],
    [["PreToolUse", '{"command":"rm -rf /"}'], COMMAND],
    [['{"command":"rm -rf /"}'], COMMAND],
    [
      ["PreToolUse", '{"tool_name":"Write","file_path":".env"}'],
      "PreToolUse has no file_path; did you mean tool_input.file_path?",
    ],
    [["PreToolUse", '{"command":"of a host","tool_input":{"command":"ls"}}'], undefined],
    [["Stop", '{"command":"rm -rf /"}'], undefined],
    [['{"prompt":"hello"}'], undefined],
  ];
  it.each(SLIPS)("says what is probably a slip in the payload, and hands it on: %j", async (given, said) => {
    const args = ["try", "true", ...given.slice(0, -1), "--payload", given.at(-1) ?? ""];
    expect(await scratch().belay(args)).toMatchObject({
      code: 0,
      stderr: said === undefined ? "" : `belay: warning: ${said}\n`,
    });
  });
});
