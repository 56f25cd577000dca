import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "./case-files.ts";

/** A hook whose words would break any report that takes them as they are. */
const EVIL = `hook: 'printf "<b>&\\"]]>\\n::error::evil\\nnot ok 9 # SKIP\\033[31m" >&2; exit 2'
cases:
  - { name: good, event: Stop, expect: { decision: block } }
  - name: 'bad <"&> # x'
    event: Stop
    expect: { reason: other }
  - { name: later, event: Stop, skip: "not # yet" }
`;

/** How the hook ended, and its first words about it. */
const RAN = String.raw`printf "<b>&\"]]>\n::error::evil\nnot ok 9 # SKIP\033[31m" …: block, exit 2, stderr: <b>&"]]>`;
const RAN_XML = RAN.replaceAll("&", "&amp;")
  .replaceAll("<", "&lt;")
  .replaceAll(">", "&gt;")
  .replaceAll('"', "&quot;");

const timeless = (text: string) => text.replaceAll(/time="[\d.]+"/g, 'time="T"');

const JUNIT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="belay test" tests="3" failures="1" skipped="1" errors="0" time="T">
  <testsuite name="a.hooks.yaml" tests="3" failures="1" skipped="1" errors="0" time="T">
    <testcase name="good" classname="a.hooks.yaml" file="a.hooks.yaml" line="3" time="T"/>
    <testcase name="bad &lt;&quot;&amp;&gt; # x" classname="a.hooks.yaml" file="a.hooks.yaml" line="4" time="T"><failure message="reason: expected other, received &lt;b&gt;&amp;&quot;]]&gt; ⏎ ::error::evil ⏎ not ok 9 # SKIP\\u001b[31m">reason: expected other, received &lt;b&gt;&amp;&quot;]]&gt; ⏎ ::error::evil ⏎ not ok 9 # SKIP\\u001b[31m&#10;${RAN_XML}</failure></testcase>
    <testcase name="later" classname="a.hooks.yaml" file="a.hooks.yaml" line="7" time="T"><skipped message="not # yet"/></testcase>
  </testsuite>
</testsuites>
`;

const TAP = `TAP version 14
1..3
ok 1 - a.hooks.yaml: good
not ok 2 - a.hooks.yaml: bad <"&> \\# x
  ---
  at: "a.hooks.yaml:4"
  failed:
    - "reason: expected other, received <b>&\\"]]> ⏎ ::error::evil ⏎ not ok 9 # SKIP\\\\u001b[31m"
    - ${JSON.stringify(RAN)}
  ...
ok 3 - a.hooks.yaml: later # SKIP not \\# yet
`;

const GITHUB = `::error file=a.hooks.yaml,line=4,title=bad <"&> # x::reason: expected other, received <b>&"]]> ⏎ ::error::evil ⏎ not ok 9 # SKIP\\u001b[31m%0A${RAN}
`;

describe("belay test --reporter", () => {
  it.each([
    ["junit", JUNIT],
    ["tap", TAP],
    ["github", GITHUB],
  ])("%s", async (reporter, wanted) => {
    const { code, stdout, stderr } = await run({ "a.hooks.yaml": EVIL }, ["--reporter", reporter]);
    expect({ code, stderr, stdout: timeless(stdout) }).toEqual({ code: 2, stderr: "", stdout: wanted });
  });

  it("github names files from the checkout, whichever folder it works in", async () => {
    const { project } = await run({ "sub/a.hooks.yaml": EVIL, "sub/b.hooks.yaml": "[" });
    const report = async (file: string) => {
      const env = { GITHUB_WORKSPACE: project.project };
      const cwd = join(project.project, "sub");
      return (await project.belay(["test", file, "--reporter", "github"], { env, cwd })).stdout;
    };
    expect(await report("a.hooks.yaml")).toContain("::error file=sub/a.hooks.yaml,line=4,");
    expect(await report("b.hooks.yaml")).toContain("::error file=sub/b.hooks.yaml,line=1");
  });

  it("has stdout for itself where a program reads it", async () => {
    const args = ["--reporter", "junit", "--coverage", "--keep", "--update"];
    const { stdout, stderr } = await run({ "a.hooks.yaml": EVIL }, args);
    expect(timeless(stdout)).toBe(JUNIT);
    expect(stderr).toMatch(/^kept: .*\/case-1 {2}good\nkept: .*\n\ncoverage: [\s\S]*\nupdated 1 case: /);
  });

  it("junit holds nothing that XML or a screen cannot take", async () => {
    const name = "\u0000\u001b[2J\u009b2J\u202e\ud800\uffff\r]]>";
    const file = { hook: "true", cases: [{ name, event: "Stop", expect: { decision: "none" } }] };
    const { code, stdout } = await run({ "a.hooks.json": JSON.stringify(file) }, ["--reporter", "junit"]);
    expect(stdout).toContain(String.raw`name="\u0000\u001b[2J\u009b2J\u202e\ud800\uffff\u000d]]&gt;"`);
    expect(code).toBe(0);
  });

  it("writes the report to a file, and the text to the screen", async () => {
    const { project, stdout } = await run({ "a.hooks.yaml": EVIL }, ["--reporter", "tap", "-o", "out.tap"]);
    expect(stdout).toContain("1 failed, 1 passed, 1 skipped");
    expect(stdout).not.toContain("\u001b");
    expect(readFileSync(join(project.project, "out.tap"), "utf8")).toBe(TAP);
  });

  it("is in colour when that is asked for", async () => {
    const { project } = await run({ "a.hooks.yaml": EVIL });
    const { stdout } = await project.belay(["test"], { env: { FORCE_COLOR: "1", NO_COLOR: "" } });
    expect(stdout).toContain("\u001b[31m✗");
    const plain = await project.belay(["test"], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } });
    expect(plain.stdout).not.toContain("\u001b");
  });
});

it("cases in which no hook fired are counted, and marked by -v", async () => {
  const config = { PreToolUse: [{ matcher: "bash", hooks: [{ type: "command", command: "exit 2" }] }] };
  const files = {
    "h.json": JSON.stringify({ hooks: config }),
    "a.hooks.yaml":
      "config: h.json\ncases:\n  - { name: one, event: PreToolUse, expect: { decision: none } }\n",
  };
  const { code, stdout } = await run(files, ["-v"]);
  expect(stdout).toMatch(/one {2}no hook fired[\s\S]*1 passed, in 1 of them no hook fired/);
  expect(code).toBe(0);
});

describe("a case that fails", () => {
  const ADDS: readonly [word: string, field: string, value: unknown][] = [
    ["rewrite", "updatedInput", { command: "ls" }],
    ["context", "additionalContext", "mind the gap"],
  ];
  it.each(ADDS)("says of its hook what belay try says: %s", async (word, field, value) => {
    const answer = { hookSpecificOutput: { hookEventName: "PreToolUse", [field]: value } };
    const cases = [{ name: "one", event: "PreToolUse", expect: { decision: "deny" } }];
    const hook = `echo '${JSON.stringify(answer)}'`;
    const files = { "a.hooks.json": JSON.stringify({ hook, cases }) };
    for (const args of [[], ["--reporter", "junit"], ["--reporter", "tap"], ["--reporter", "github"]])
      expect((await run(files, args)).stdout).toContain(`: ${word}, exit 0`);
  });

  it("marks no field of an object for its comma", async () => {
    const updatedInput = { command: "ls", timeout: 5 };
    const answer = { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } };
    const cases = [{ name: "one", event: "PreToolUse", expect: { updatedInput: { command: "ls" } } }];
    const hook = `echo '${JSON.stringify(answer)}'`;
    const { stdout } = await run({ "a.hooks.json": JSON.stringify({ hook, cases }) });
    expect(stdout).toMatch(/ {3}\{\n +"command": "ls",?\n +\+ +"timeout": 5\n +\}\n/);
  });
});

describe("belay test --coverage", () => {
  const NOTE =
    "\n  a script named by hook: counts for itself; entries of settings count where a case file is about them\n";

  it("names what no case exercised", async () => {
    const { project } = await run({ "a.hooks.yaml": EVIL });
    const hook = (name: string, command = "cat >/dev/null") => ({ type: "command", command, name });
    project.config(
      {
        PreToolUse: [
          { matcher: "Bash|Write", hooks: [hook("guard", "exit 2"), { ...hook("off"), enabled: false }] },
          { matcher: "mcp__.*", hooks: [hook("remote")] },
        ],
        Stop: [{ hooks: [hook("last")] }],
      },
      "more.json",
    );
    project.file(
      "a.hooks.yaml",
      `config: more.json
cases:
  - { name: a, event: PreToolUse, expect: { decision: deny } }
  - { name: b, event: Stop, expect: { decision: none } }
`,
    );
    const { code, stdout } = await project.belay(["test", "--coverage"], { env: { COLUMNS: "200" } });
    expect(code).toBe(0);
    const place = String.raw`more\.json:\d+`;
    expect(stdout).toMatch(
      new RegExp(
        String.raw`coverage: 2 of 3 hooks ran
  ! guard  PreToolUse  ${place}
      1 case: deny; its matcher's Write never fired
  ✗ remote  PreToolUse  ${place}
      no case runs it \(matcher mcp__\.\*\)
  ✓ last  Stop  ${place}
      1 case: silence
  no case saw: allow, ask, rewrite, context, block, stop, fault
$`,
      ),
    );
  });

  it("says of which hooks it speaks, where a file names a script without settings", async () => {
    const cases = "cases: [{ name: a, event: PreToolUse, expect: { decision: none } }]\n";
    const script = { "a.hooks.yaml": `hook: guard.sh\n${cases}` };
    const settings = { "b.hooks.yaml": `config: hooks.json\n${cases}` };
    const rows: [files: Record<string, string>, head: string, isSaid: boolean][] = [
      [script, "coverage: 1 of 1 hook ran\n", true],
      [{ ...script, ...settings }, "coverage: 2 of 2 hooks ran\n", true],
      [settings, "coverage: 1 of 1 hook ran\n", false],
    ];
    for (const [files, head, isSaid] of rows) {
      const { stdout } = await run(files, ["--coverage"]);
      expect(stdout).toContain(head);
      expect(stdout.endsWith(NOTE)).toBe(isSaid);
    }
  });
});

const CASE = "cases: [{ name: a, event: Stop, expect: { decision: none } }]\n";
const RECORD = JSON.stringify({ event: "Stop", cwd: "", payload: {} });
const READ = {
  "a.hooks.yaml": `hook: script.sh\n${CASE}`,
  "b.hooks.yaml":
    "config: [hooks.json]\ncases: [{ name: b, record: one.json, expect: { decision: none } }]\n",
  "script.sh": "exit 0\n",
  "one.json": RECORD,
  "link.xml": "",
};

const NO_OUTPUT: readonly [what: string, output: string, file: string, args: readonly string[]][] = [
  ["a case file of the run", "a.hooks.yaml", "a.hooks.yaml", []],
  ["a case file that is not run", "./b.hooks.yaml", "b.hooks.yaml", ["a.hooks.yaml"]],
  ["a link to a case file", "link", "a.hooks.yaml", []],
  ["a script that is tested", "script.sh", "script.sh", []],
  ["the settings that are tested", "hooks.json", "hooks.json", []],
  ["a record that is fired", "one.json", "one.json", []],
];
it("--output is no file that cases are read from, which stays as it is", async () => {
  const { project } = await run(READ, [], ({ project }) =>
    symlinkSync("a.hooks.yaml", join(project, "link")),
  );
  for (const [what, output, file, args] of NO_OUTPUT) {
    const before = readFileSync(join(project.project, file), "utf8");
    const result = await project.belay(["test", ...args, "--reporter", "junit", "-o", output]);
    expect([what, result]).toEqual([
      what,
      {
        code: 1,
        stdout: "",
        stderr: `belay: --output ${output} is a file that cases are read from; name another file\n`,
      },
    ]);
    expect(readFileSync(join(project.project, file), "utf8")).toBe(before);
  }
});

it("--output takes the place of an earlier report", async () => {
  const args = ["--reporter", "junit", "-o", "old.xml"];
  const { code, project } = await run({ ...READ, "old.xml": "old ".repeat(9999) }, args);
  expect([code, readFileSync(join(project.project, "old.xml"), "utf8")]).toEqual([
    0,
    expect.stringMatching(/^<\?xml.*<\/testsuites>\n$/s),
  ]);
});

const NOT_RUN: readonly [reporter: string, old: string, now: RegExp][] = [
  [
    "junit",
    '<?xml version="1.0"?>\n<testsuites/>\n',
    /^<\?xml.*<testsuites [^>]*errors="1".*<error message="1 problem in [^>]*>c\.hooks\.yaml:1: .*<\/testsuites>\n$/s,
  ],
  [
    "tap",
    "TAP version 14\n1..1\nok 1 - a\n",
    /^TAP version 14\n# c\.hooks\.yaml:1: .*\nBail out! 1 problem in .*\n$/,
  ],
  ["github", "::warning file=a,line=1::old\n", /^::error file=c\.hooks\.yaml,line=1::.*\n$/],
  [
    "text",
    "✓ a.hooks.yaml  1 case\n",
    /^✗ 1 problem in the case files, and nothing was run\nc\.hooks\.yaml:1: .*\n$/,
  ],
];
it.each(NOT_RUN)("an old %s report does not outlive a run that could not be", async (reporter, old, now) => {
  const broken = { ...READ, "c.hooks.yaml": "hook: script.sh\n", "old.out": old };
  const { code, project } = await run(broken, ["--reporter", reporter, "-o", "old.out"]);
  expect(code).toBe(1);
  expect(readFileSync(join(project.project, "old.out"), "utf8")).toMatch(now);
  expect((await project.belay(["test", "nosuch", "--reporter", reporter, "-o", "old.out"])).code).toBe(1);
  expect(readFileSync(join(project.project, "old.out"), "utf8")).not.toMatch(now);
});

it.each(["junit", "github"])(
  "what is no report is not written over by %s where nothing was run",
  async (reporter) => {
    const broken = { ...READ, "c.hooks.yaml": "hook: script.sh\n" };
    const { code, project } = await run(broken, ["--reporter", reporter, "-o", "script.sh"]);
    expect([code, readFileSync(join(project.project, "script.sh"), "utf8")]).toEqual([1, "exit 0\n"]);
  },
);

/** A forgotten `only` leaves little of a suite, and a green one. */
describe("a case that says only", () => {
  const PASS = "event: PreToolUse, expect: { decision: none }";
  const FILES = {
    "a.hooks.yaml": `hook: "true"\ncases:\n  - { name: a, ${PASS} }\n  - name: b\n    only: true\n    event: Stop\n    expect: { decision: none }\n`,
    "b.hooks.json": JSON.stringify({
      hook: "exit 2",
      cases: [{ name: "c", event: "PreToolUse", expect: { decision: "none" } }],
    }),
  };
  const SAID = 'case "b" says only: cases without it are skipped, in every file';
  const REPORTS: readonly [reporter: string, said: string][] = [
    ["text", `! a.hooks.yaml:5  ${SAID}\n`],
    ["text", "1 passed, 2 skipped, 1 warning"],
    ["tap", `# warning: a.hooks.yaml:5: ${SAID}`],
    ["github", `::warning file=a.hooks.yaml,line=5::${SAID}`],
    ["junit", `<system-err>warning: a.hooks.yaml:5: ${SAID.replaceAll('"', "&quot;")}`],
  ];
  it("is run alone, and -v says why the others were not", async () => {
    const { stdout } = await run(FILES, ["-v"]);
    expect(stdout.match(/– .*/g)).toEqual(["– a  another case says only", "– c  another case says only"]);
  });
  it.each(REPORTS)("is warned of at its line: %s", async (reporter, said) => {
    const { code, stdout } = await run(FILES, ["--reporter", reporter]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(said)]);
  });
});
