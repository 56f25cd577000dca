import { readFileSync } from "node:fs";
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
  - { name: later, event: Stop, skip: not # yet }
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
    const yaml = EVIL.replace("not # yet", '"not # yet"');
    const { code, stdout, stderr } = await run({ "a.hooks.yaml": yaml }, ["--reporter", reporter]);
    expect({ code, stderr, stdout: timeless(stdout) }).toEqual({ code: 2, stderr: "", stdout: wanted });
  });

  it("github names files from the checkout, whichever folder it works in", async () => {
    const yaml = EVIL.replace("not # yet", "later");
    const { project } = await run({ "sub/a.hooks.yaml": yaml, "sub/b.hooks.yaml": "[" });
    const report = async (file: string) => {
      const env = { GITHUB_WORKSPACE: project.project };
      const cwd = join(project.project, "sub");
      return (await project.belay(["test", file, "--reporter", "github"], { env, cwd })).stdout;
    };
    expect(await report("a.hooks.yaml")).toContain("::error file=sub/a.hooks.yaml,line=4,");
    expect(await report("b.hooks.yaml")).toContain("::error file=sub/b.hooks.yaml,line=1");
  });

  it("has stdout for itself where a program reads it", async () => {
    const yaml = EVIL.replace("not # yet", '"not # yet"');
    const args = ["--reporter", "junit", "--coverage", "--keep", "--update"];
    const { stdout, stderr } = await run({ "a.hooks.yaml": yaml }, args);
    expect(timeless(stdout)).toBe(JUNIT);
    expect(stderr).toMatch(/^kept: .*\/case-1 {2}good\nkept: .*\n\ncoverage: [\s\S]*\nupdated 1 case: /);
  });

  it("junit holds nothing that XML or a screen cannot take", async () => {
    const name = "\u0000\u001b[2J\u009b2J\u202e\ud800\uffff\r]]>";
    const file = { hook: "true", cases: [{ name, event: "Stop", expect: { decision: "none" } }] };
    const { code, stdout } = await run({ "a.hooks.json": JSON.stringify(file) }, ["--reporter", "junit"]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(String.raw`name="\u0000\u001b[2J\u009b2J\u202e\ud800\uffff\u000d]]&gt;"`),
    ]);
  });

  it("writes the report to a file, and the text to the screen", async () => {
    const yaml = EVIL.replace("not # yet", '"not # yet"');
    const { project, stdout } = await run({ "a.hooks.yaml": yaml }, ["--reporter", "tap", "-o", "out.tap"]);
    expect(stdout).toContain("1 failed, 1 passed, 1 skipped");
    expect(stdout).not.toContain("\u001b");
    expect(readFileSync(join(project.project, "out.tap"), "utf8")).toBe(TAP);
  });

  it("is in colour when that is asked for", async () => {
    const { project } = await run({ "a.hooks.yaml": EVIL.replace("not # yet", "later") });
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
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/one {2}no hook fired[\s\S]*1 passed, in 1 of them no hook fired/),
  ]);
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
    const { project } = await run({ "a.hooks.yaml": EVIL.replace("not # yet", "later") });
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
