import { describe, expect, it } from "vitest";
import { about, run } from "./case-files.ts";

const PASSES: readonly [what: string, text: string][] = [
  ["a decision", about("rm -rf /", "{ decision: deny, blocked: true, action: block-tool, by: guard }")],
  ["a reason", about("rm -rf /", "{ reason: rm -rf is not allowed }")],
  ["a reason by a pattern", about("rm -rf /", "{ reason: /NOT allowed$/i }")],
  ["no reason, and no hook that decided", about("ls", "{ decision: none, reason: null, by: null }")],
  ["a part of a message", about("rm -rf /", "{ agent: [is not] }")],
  [
    "a message by a pattern, and a whole one",
    about("rm -rf /", "{ agent: [/^rm/, { exact: rm -rf is not allowed }], user: [] }"),
  ],
  ["context", about("context", "{ agent: [mind the gap], action: context-injected }")],
  ["a rewrite", about("rewrite", "{ decision: allow, updatedInput: { command: ls -l }, interrupt: false }")],
  ["no rewrite", about("ls", "{ updatedInput: null, updatedPrompt: null }")],
  ["a stop, with the working folder", about("halt", '{ decision: stop, reason: "enough in {cwd}" }')],
  ["diagnostics", about("nonsense", "{ diagnostics: [output-invalid] }")],
  ["no diagnostics", about("ls", "{ diagnostics: [] }")],
  ["who ran", about("ls", "{ runs: [guard] }")],
  [
    "files and environment",
    about(
      "leave",
      '{ files: { left.txt: "hi at {home}\\nhello\\n", other.txt: null } }',
      '    files: { given.txt: "hello\\n" }\n    env: { WORD: hi }\n',
    ),
  ],
  [
    "brackets that end at their key's column, or before it",
    `config: hooks.json
cases: [
  {
    name: a,
    event: PreToolUse,
    payload: {
      tool_input: { command: leave },
  },
    env: { WORD: "hi" },
    files: {
      given.txt: "}
        ]\\n"
    },
    expect: {
      files: { left.txt: "hi at {home}\\n} ]\\n" },
    },
  },
]
`,
  ],
  [
    "brackets in text are text",
    about(
      "leave",
      '{ files: { left.txt: "hi at {home}\\n{\\n}\\n  ]\\n" } }',
      "    env: {\n      WORD: hi\n    }\n    files:\n      given.txt: |\n        {\n        }\n          ]\n",
    ),
  ],
  [
    "a tool with a sample of its own",
    "config: hooks.json\ncases: [{ name: a, event: PreToolUse, payload: { tool_name: Read }, expect: { runs: [] } }]\n",
  ],
  ["no message, and no diagnostic", about("ls", "{ user: [], agent: [], diagnostics: [] }")],
  [
    "a script without settings",
    "hook: guard.sh\ndefaults: { event: PreToolUse }\ncases: [{ name: a, expect: { runs: [guard.sh] } }]\n",
  ],
  [
    "a command without settings",
    'hook: "echo no >&2; exit 2"\ncases: [{ name: a, event: Stop, expect: { decision: block, reason: "no" } }]\n',
  ],
  [
    "a folder",
    'hook: "cat guard.sh >&2; exit 2"\ncases: [{ name: a, event: Stop, folder: ., expect: { reason: /rm -rf/ } }]\n',
  ],
  [
    "a repository",
    'hook: "git rev-parse --show-toplevel >&2; exit 2"\ncases: [{ name: a, event: Stop, git: true, expect: { reason: "{cwd}" } }]\n',
  ],
  [
    "a dialect",
    "hook: exit 2\ndialect: claude-code\ncases: [{ name: a, event: PreCompact, expect: { decision: block } }]\n",
  ],
];

describe("belay test: what a case may expect", () => {
  it("passes where it comes", async () => {
    const files = Object.fromEntries(PASSES.map(([what, text]) => [`${what}.hooks.yaml`, text]));
    const { code, stdout, stderr } = await run(files);
    const passed = PASSES.map(([what]) => `✓ ${what}.hooks.yaml  1 case`);
    expect(stdout.split("\n").filter((line) => line.includes(".hooks."))).toEqual(passed.sort());
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("the hook that decided, by its command, where it has no name", async () => {
    const hook = { type: "command", command: 'sh "$BELAY_PROJECT_DIR"/hooks/g.sh' };
    const { code, stdout } = await run({
      "h.json": JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
      "hooks/g.sh": "exit 2",
      "a.hooks.yaml": `config: h.json
cases:
  - { name: a, event: PreToolUse, expect: { decision: deny, by: sh g.sh } }
`,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("1 passed") });
  });

  const FAILS: readonly [expected: string, command: string, shown: readonly string[]][] = [
    ["{ decision: deny }", "ls", ["decision", "- deny", "+ none", "guard: abstain, exit 0"]],
    ["{ reason: rm -rf is allowed }", "rm -rf /", ["- rm -rf is allowed", "+ rm -rf is not allowed"]],
    ["{ by: other }", "rm -rf /", ["by", "- other", "+ guard"]],
    ["{ agent: [] }", "rm -rf /", ["agent", "- (none)", "+ rm -rf is not allowed"]],
    ["{ user: [hello] }", "ls", ["user", "- hello", "+ (none)"]],
    ["{ updatedInput: { command: ls } }", "rewrite", ['-   "command": "ls"', '+   "command": "ls -l"']],
    ["{ diagnostics: [output-invalid] }", "ls", ["diagnostics", "- output-invalid", "+ (none)"]],
    ["{ runs: [] }", "ls", ["runs", "- (none)", "+ guard"]],
    [
      "{ blocked: true, action: stop, interrupt: true }",
      "ls",
      ["blocked", "- true", "+ false", "action", "+ continue", "interrupt"],
    ],
    ["{ files: { a.txt: hello } }", "ls", ["files", '-   "a.txt": "hello"']],
    ["{}", "ls", ["it expects nothing; --update writes what came"]],
    ["{ files: {} }", "ls", ["it expects nothing; --update writes what came"]],
  ];
  it("a failure is shown", async () => {
    const name = (index: number) => `${index + 10}.hooks.yaml`;
    const files = FAILS.map(([expected, command], index) => [name(index), about(command, expected)]);
    const { code, stdout } = await run(Object.fromEntries(files));
    const blocks = stdout.split(/^✗ /m).slice(1);
    expect([code, blocks.length]).toEqual([2, FAILS.length]);
    for (const [index, [, , shown]] of FAILS.entries()) {
      const lines = blocks[index]
        ?.split("\n")
        .map((line) => line.trim().replace("  - expected  + received", ""));
      expect(lines?.[1]).toBe(`✗ one  ${name(index)}:3`);
      for (const line of shown) expect(lines).toContain(line);
    }
  });

  const UNREADABLE: readonly [left: string, why: string][] = [
    ["mkfifo out", "it is no plain file"],
    ["ln -s /dev/zero out", "it is no plain file"],
    ["mkdir out", "it is a folder"],
  ];
  it("what is no file is not waited for", async () => {
    const cases = [{ name: "one", event: "Stop", expect: { files: { out: "x" } } }];
    const files = UNREADABLE.map(([hook], index) => [`${index}.hooks.json`, JSON.stringify({ hook, cases })]);
    const { code, stdout } = await run(Object.fromEntries(files));
    const said = [...stdout.matchAll(/expect\.files: out cannot be read: (.*)/g)].map(([, why]) => why);
    expect([code, said]).toEqual([2, UNREADABLE.map(([, why]) => why)]);
  });
});
