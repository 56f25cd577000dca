import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { about, run } from "./case-files.ts";
import { type Scratch, scratch } from "./cli.ts";

/** Each list holds the one before it ten times: ten lines of text stand for ten billion values. */
const BILLIONS = [
  "x0: &x0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]",
  ...Array.from(
    { length: 9 },
    (_, at) => `x${at + 1}: &x${at + 1} [${Array(10).fill(`*x${at}`).join(", ")}]`,
  ),
].join(", ");
const ONE = "cases: [{ name: a, event: Stop }]\n";
const cases = (...lines: string[]) => `hook: 'true'\ncases:\n${lines.map((line) => `  ${line}\n`).join("")}`;
/** A file, a variable and a field may have these names. */
const NAMES = ["constructor", "prototype", "__proto__"];
const odd = (name: string, where: string, value: string) => [
  `1: case "a": ${where}.${name} is 7, where text`,
  `{ "hook": "true", "cases": [{ "name": "a", "event": "Stop", ${value.replace("NAME", name)} }] }`,
];

describe("belay test: what is no case file", () => {
  /** What is said of a text, behind the name of its file. */
  const YAML: Readonly<Record<string, string>> = {
    "3: ": "cases:\n  - name: a\n   event: x\n",
    "2: Map keys must be unique": "hook: 'true'\nhook: 'false'\n",
    "1: Unresolved tag: !shell": `hook: !shell 'true'\n${ONE}`,
    "1: confg: there is no such field; did you mean config?": `confg: x\n${ONE}`,
    "1: cases is an array, where at least one case is expected": "cases: []\n",
    "1: an alias stands inside its own anchor": cases(
      "- { name: a, event: Stop, expect: { updatedInput: &a { b: *a } } }",
    ),
    "1: Unresolved alias (the anchor must be set before the alias): gone": `${ONE}x: *gone\n`,
    "1: its aliases stand for too many values; repeat less of it": cases(
      `- { name: a, event: Stop, payload: { ${BILLIONS} } }`,
    ),
    "1: its aliases stand for too many values": `hook: 'true'\ndefaults: { payload: { ${BILLIONS} } }\n${ONE}`,
    "": "? [\u0000\n? [\u0000\n",
    "2: there is more than one document in it": "hook: 'true'\n---\ncases: []\n",
    "1: it cannot be read: it has 17000002 bytes": `# ${" ".repeat(17_000_000)}`,
    "1: the file is an array, where an object is expected": "- a\n",
    "3: case 1: name is missing": cases("- event: Stop"),
    '4: case "a": event is "Stopp"; did you mean Stop?': cases("- name: a", "  event: Stopp"),
    '5: case "a": skip is true, where text is expected': cases("- name: a", "  event: Stop", "  skip: true"),
    '5: case "a": expect.decison: there is no such field; did you mean decision?': cases(
      "- name: a\n    event: Stop\n    expect: { decison: deny }",
    ),
    '5: case "a": expect.reason: Invalid regular expression': cases(
      "- name: a\n    event: Stop\n    expect: { reason: /(/ }",
    ),
    '4: case "a" stands in line 3 as well; rename one': cases(
      "- { name: a, event: Stop }\n  - { name: a, event: Stop }",
    ),
    '3: case "a" has no event; add event, here or in defaults, or record': cases("- { name: a }"),
    "1: config: there is no gone.json": `config: gone.json\n${ONE}`,
    "1: config: there is no hoks.json; did you mean hooks.json?": `config: hoks.json\n${ONE}`,
    "2: hook: there is no script ./gaurd.sh; did you mean ./guard.sh?": `# a typo\nhook: ./gaurd.sh\n${ONE}`,
    "1: hook: there is no script other.py; it is looked for from the folder of this file": `hook: other.py\n${ONE}`,
    "1: hook: . is a folder; name a script in it, or a command in quotes": `hook: .\n${ONE}`,
    "2: hook stands beside config or plugin; keep one of them": `config: hooks.json\nhook: 'true'\n${ONE}`,
    "1: it names no hooks, and the project has none; add config: settings.json, or hook: a script; or next: belay init":
      ONE,
    ...Object.fromEntries(
      NAMES.flatMap((name) => [
        odd(name, "files", '"files": { "NAME": 7 }'),
        odd(name, "env", '"env": { "NAME": 7 }'),
        odd(name, "expect.files", '"expect": { "files": { "NAME": 7 } }'),
      ]),
    ),
  };
  const JSON_TEXTS: Readonly<Record<string, string>> = {
    "3: ": '{\n  "cases": [\n}',
    "2: hook stands twice, first in line 1": '{ "hook": "true",\n "hook": "false", "cases": [] }',
  };
  const BROKEN = [
    ...Object.entries(YAML).map(([said, text]) => ["yaml", text, said] as const),
    ...Object.entries(JSON_TEXTS).map(([said, text]) => ["json", text, said] as const),
  ];
  it("every problem of every file is said at its line, and nothing is run", async () => {
    const names = BROKEN.map(([ending], index) => `${index + 10}.hooks.${ending}`);
    const files = Object.fromEntries(BROKEN.map(([, text], index) => [names[index], text]));
    files["good.hooks.yaml"] = about("ls", "{ decision: none }");
    files["sub/a.hooks.json"] = `{ "cases": [{ "name": "a", "event": "Stop" }],\n  "hook": "../gaurd.sh" }`;
    files["sub/many.hooks.json"] = `{${'"a":1,'.repeat(20)}"a":1}`;
    const { code, stdout, stderr, project } = await run(files);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const lines = stderr.split("\n");
    const of = (name = "") => lines.filter((line) => line.startsWith(`${name}:`));
    for (const [index, [, , said]] of BROKEN.entries())
      expect(of(names[index])[0]).toContain(`${names[index]}:${said}`);
    expect(of("sub/a.hooks.json")).toEqual([
      "sub/a.hooks.json:2: hook: there is no script ../gaurd.sh; did you mean ../guard.sh?",
    ]);
    expect([of("sub/many.hooks.json").length, of("good.hooks.yaml")]).toEqual([10, []]);
    expect(lines.slice(-2)).toEqual([
      `belay: ${lines.length - 2} problems in the case files, and nothing was run; belay schema --cases says what a file holds`,
      "",
    ]);
    expect(readdirSync(join(project.home, "tmp"))).toEqual([]);
  });

  it("what is no plain file is not waited for", async () => {
    const { shell } = scratch();
    expect(await shell("mkfifo pipe.hooks.yaml; belay test pipe.hooks.yaml; echo $?")).toMatch(
      /^1\npipe\.hooks\.yaml:1: it cannot be read: it is no plain file\n/,
    );
  });

  it("aliases may stand for much, and an anchor in many cases", async () => {
    const many = Array.from({ length: 200 }, (_, at) => `- { name: n${at}, event: Stop, expect: *e }`);
    const text = cases("- { name: a, event: Stop, expect: &e { decision: none } }", ...many);
    const { code, stdout } = await run({ "a.hooks.yaml": text }, ["-t", "/^n19.$/"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("10 passed")]);
  });

  it("is an annotation at its line, where a reporter makes such", async () => {
    const yaml = "hook: 'true'\ncases:\n  - { nam: 'a%::b', event: Stop }\n";
    const wanted =
      "::error file=a.hooks.yaml,line=3::case 1: nam: there is no such field; did you mean name?\n";
    const { code, stdout, project } = await run({ "a.hooks.yaml": yaml }, ["--reporter", "github"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining(wanted)]);
    await project.belay(["test", "--reporter", "github", "-o", "out.txt"]);
    expect(readFileSync(join(project.project, "out.txt"), "utf8")).toBe(stdout);
  });
});

/** As JSON, which is YAML as well: in an object of JavaScript one of the names means something else. */
const named = (name: string, value: string) => `{ ${JSON.stringify(name)}: ${value} }`;

const caseFile = (hook: string, more: string) =>
  `{ "hook": ${JSON.stringify(hook)}, "cases": [{ "name": "a", "event": "Stop", ${more} }] }`;

it("a file, a variable and a field may have the name of a property that every object has", async () => {
  const files: Record<string, string> = {};
  for (const name of NAMES)
    for (const ending of ["yaml", "json"]) {
      const hook = `grep -qF '${named(name, '"field"').replaceAll(" ", "")}' && cat ${name} >&2 && printenv ${name} >&2; exit 2`;
      files[`all-${name}.hooks.${ending}`] = caseFile(
        hook,
        `"files": ${named(name, '"file\\n"')}, "env": ${named(name, '"variable"')}, "payload": { "more": ${named(name, '"field"')} },
  "expect": { "reason": "file\\nvariable", "files": ${named(name, '"file\\n"')} }`,
      );
      const shown = `tr , '\\n' | grep -F '${name}' >&2; exit 2`;
      files[`field-${name}.hooks.${ending}`] = caseFile(
        shown,
        `"payload": ${named(name, '"field"')}, "expect": { "reason": "/field/" }`,
      );
      files[`fails-${name}.hooks.${ending}`] = caseFile(
        "true",
        `"expect": { "files": ${named(name, '"x"')} }`,
      );
    }
  const { code, stdout } = await run(files);
  expect([code, stdout]).toEqual([2, expect.stringMatching(/\n6 failed, 12 passed/)]);
  expect(stdout.match(/^✗ fails-/gm)?.length).toBe(6);
});

const FOUND: readonly [word: string, files: readonly string[]][] = [
  ["ok", ["ok.hooks.yaml"]],
  ["yaml", ["yaml.hooks.json"]],
  ["b.hooks", ["b.hooks.yaml"]],
  [".json", ["yaml.hooks.json"]],
  ["sub", ["sub/c.hooks.yaml"]],
];
it("a word is not looked for in the ending that all case files have", async () => {
  const text = caseFile("true", '"expect": { "decision": "none" }');
  const names = ["ok.hooks.yaml", "b.hooks.yaml", "yaml.hooks.json", "sub/c.hooks.yaml"];
  const { project } = await run(Object.fromEntries(names.map((name) => [name, text])));
  for (const [word, files] of FOUND) {
    const { stdout } = await project.belay(["test", word, "-v"]);
    expect(stdout.match(/\S+\.hooks\.\w+/g)).toEqual(files);
  }
});

const CASES = `hook: ./answer.sh\ncases: [{ name: one, event: Stop, expect: { decision: block } }]\n`;
const ANSWER = "#!/bin/sh\nexit 2\n";

/** Cases that several hooks share stand once, outside what is searched. */
const shared = (to: Scratch) => {
  to.file("shared/cases.yaml", CASES);
  to.file("shared/deep/er/a.hooks.yaml", CASES);
  to.file("hooks/answer.sh", ANSWER, 0o755);
  to.file("hooks/own.hooks.yaml", CASES);
};

describe("belay test", () => {
  it("runs a case file that is a link, with the hook beside the link", async () => {
    const { code, stdout, stderr } = await run({}, ["hooks", "-v"], (to) => {
      shared(to);
      symlinkSync("../shared/cases.yaml", join(to.project, "hooks/linked.hooks.yaml"));
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("✓ hooks/linked.hooks.yaml  1 case");
    expect(stdout).toContain("2 passed");
  });

  it("says that one leads nowhere, and runs nothing; an editor's lock is none", async () => {
    const { code, stderr } = await run({}, ["hooks"], (to) => {
      shared(to);
      symlinkSync("gone.yaml", join(to.project, "hooks/linked.hooks.yaml"));
      symlinkSync("me@host.1", join(to.project, "hooks/.#own.hooks.yaml"));
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^hooks\/linked\.hooks\.yaml:1: .*\nbelay: 1 problem in the case files/);
  });

  it("follows no link to a folder, and says so where that leaves cases out", async () => {
    const { code, stdout, stderr } = await run({}, ["hooks"], (to) => {
      shared(to);
      const link = (name: string, target: string) => symlinkSync(target, join(to.project, "hooks", name));
      link("elsewhere", "../shared");
      link("around", "."); // its cases are found without it
      mkdirSync(join(to.project, "empty"));
      link("nothing", "../empty");
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 passed")]);
    expect(stderr).toBe(
      "belay: hooks/elsewhere is a link to a folder with case files, and was not looked into; next: belay test hooks/elsewhere\n",
    );
  });
});

const oneCase = (head: string, body: string) => `${head}\ncases: [{ name: a, ${body} }]\n`;

const PASSES: Readonly<Record<string, string>> = {
  "a decision": about("rm -rf /", "{ decision: deny, blocked: true, action: block-tool, by: guard }"),
  "a reason": about("rm -rf /", "{ reason: rm -rf is not allowed }"),
  "a reason by a pattern": about("rm -rf /", "{ reason: /NOT allowed$/i }"),
  "no reason, and no hook that decided": about("ls", "{ decision: none, reason: null, by: null }"),
  "a part of a message": about("rm -rf /", "{ agent: [is not] }"),
  "a message by a pattern, and a whole one": about(
    "rm -rf /",
    "{ agent: [/^rm/, { exact: rm -rf is not allowed }], user: [] }",
  ),
  context: about("context", "{ agent: [mind the gap], action: context-injected }"),
  "a rewrite": about("rewrite", "{ decision: allow, updatedInput: { command: ls -l }, interrupt: false }"),
  "no rewrite": about("ls", "{ updatedInput: null, updatedPrompt: null }"),
  "a stop, with the working folder": about("halt", '{ decision: stop, reason: "enough in {cwd}" }'),
  diagnostics: about("nonsense", "{ diagnostics: [output-invalid] }"),
  "no message, and no diagnostic": about("ls", "{ user: [], agent: [], diagnostics: [] }"),
  "who ran": about("ls", "{ runs: [guard] }"),
  "files and environment": about(
    "leave",
    '{ files: { left.txt: "hi at {home}\\nhello\\n", other.txt: null } }',
    '    files: { given.txt: "hello\\n" }\n    env: { WORD: hi }\n',
  ),
  "brackets that end at their key's column, or before it": `config: hooks.json
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
  "brackets in text are text": about(
    "leave",
    '{ files: { left.txt: "hi at {home}\\n{\\n}\\n  ]\\n" } }',
    "    env: {\n      WORD: hi\n    }\n    files:\n      given.txt: |\n        {\n        }\n          ]\n",
  ),
  "a tool with a sample of its own": oneCase(
    "config: hooks.json",
    "event: PreToolUse, payload: { tool_name: Read }, expect: { runs: [] }",
  ),
  "a script without settings": oneCase("hook: guard.sh", "event: PreToolUse, expect: { runs: [guard.sh] }"),
  "a command without settings": oneCase(
    'hook: "echo no >&2; exit 2"',
    'event: Stop, expect: { decision: block, reason: "no" }',
  ),
  "a folder": oneCase(
    'hook: "cat guard.sh >&2; exit 2"',
    "event: Stop, folder: ., expect: { reason: /rm -rf/ }",
  ),
  "a dialect": oneCase(
    "hook: exit 2\ndialect: claude-code",
    "event: PreCompact, expect: { decision: block }",
  ),
};

describe("belay test: what a case may expect", () => {
  it("passes where it comes", async () => {
    const entries = Object.entries(PASSES).map(([what, text]) => [`${what}.hooks.yaml`, text]);
    const { code, stdout, stderr } = await run(Object.fromEntries(entries));
    const passed = entries.map(([name]) => `✓ ${name}  1 case`);
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
