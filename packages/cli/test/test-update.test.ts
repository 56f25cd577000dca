import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editJson, parseSource, saysThat } from "../src/testing/read/source.ts";
import { run } from "./case-files.ts";
import { scratch } from "./cli.ts";
import { belayWithoutRights } from "./without-rights.ts";

describe("belay test --update", () => {
  it("replaces what fails in YAML and keeps all around it", async () => {
    const before = `# The guard.
config: hooks.json

cases:
  # Dangerous.
  - name: "rm"   # short
    event: PreToolUse
    payload: { tool_input: { command: rm -rf / } }
    expect:
      decision: allow # is it?
      reason: |
        several
        lines
      agent:
        - other
      runs: [guard]

  - name: new
    event: PreToolUse
    payload: { tool_input: { command: context } }
  - { name: flow, event: PreToolUse, payload: { tool_input: { command: halt } } }
`;
    const { project, stdout } = await run({ "a.hooks.yaml": before }, ["--update"]);
    expect(stdout).toContain("updated 3 cases");
    expect(readFileSync(join(project.project, "a.hooks.yaml"), "utf8")).toBe(
      before
        .replace("allow #", "deny #")
        .replace("|\n        several\n        lines", '"rm -rf is not allowed"')
        .replace("- other", '["rm -rf is not allowed"]')
        .replace(/context .*\n/, '$&    expect: { decision: none, user: [], agent: ["mind the gap"] }\n')
        .replace(
          "halt } }",
          '$&, expect: { decision: stop, reason: "enough in {cwd}", by: guard, user: ["enough in {cwd}"], agent: [] }',
        ),
    );
    expect(await project.belay(["test"])).toMatchObject({ code: 0 });
  });

  it("shows what was updated as that, and what was not as failed", async () => {
    const before = `config: hooks.json
defaults: { event: PreToolUse, payload: { tool_input: { command: rm -rf / } } }
cases:
  - { name: right, expect: { decision: deny } }
  - { name: wrong, expect: { decision: none } }
  - { name: new }
  - { name: shared, expect: &e { decision: none } }
  - { name: other, payload: { tool_input: { command: ls } }, expect: *e }
`;
    const { code, stdout } = await run({ "a.hooks.yaml": before }, ["-u"]);
    expect([code, stdout.replace(/[\d.]+ m?s(?=\n)/, "N ms")]).toEqual([
      2,
      `✗ a.hooks.yaml  5 cases, 1 failed, 2 updated
  ~ wrong  updated
      decision  - expected  + received
        - none
        + deny
  ~ new  updated: it expected nothing
  ✗ shared  a.hooks.yaml:7
      decision  - expected  + received
        - none
        + deny
      guard: deny, exit 2, stderr: rm -rf is not allowed

1 failed, 2 updated, 2 passed, N ms
updated 2 cases: look at the difference before you keep it
`,
    ]);
  });

  const WHOLE =
    '{ decision: deny, reason: "rm -rf is not allowed", by: guard, user: [], agent: ["rm -rf is not allowed"] }';
  const BLOCK = "  - name: a\n    event: PreToolUse\n    payload: { tool_input: { command: rm -rf / } }\n";
  const RM = "event: PreToolUse, payload: { tool_input: { command: rm -rf / } }";
  const ROWS: readonly [name: string, before: string, after: string][] = [
    [
      "a key alone, which says null",
      `${BLOCK}    expect:\n      reason:\n      by:\n`,
      `${BLOCK}    expect:\n      reason: "rm -rf is not allowed"\n      by: guard\n`,
    ],
    [
      "a list at its key's column",
      `${BLOCK}    expect:\n      agent:\n      - other\n      - more\n      runs:\n      - guard\n`,
      `${BLOCK}    expect:\n      agent: ["rm -rf is not allowed"]\n      runs:\n      - guard\n`,
    ],
    [
      "what is merged from another",
      `  - { name: a, event: Stop, expect: &e { decision: none, reason: null } }
  - { name: b, ${RM}, expect: { <<: *e } }
`,
      `  - { name: a, event: Stop, expect: &e { decision: none, reason: null } }
  - { name: b, ${RM}, expect: { <<: *e, decision: deny, reason: "rm -rf is not allowed" } }
`,
    ],
    [
      "a comma or a comment at the end",
      `  - { name: a, ${RM}, }
  - { name: b, ${RM} # that
    }
`,
      `  - { name: a, ${RM}, expect: ${WHOLE}, }
  - { name: b, ${RM}, expect: ${WHOLE} # that
    }
`,
    ],
    [
      "nothing of what expects nothing",
      `  - { name: a, ${RM}, expect: {} }\n  - { name: b, ${RM}, expect: { files: {} } }\n`,
      `  - { name: a, ${RM}, expect: ${WHOLE} }\n  - { name: b, ${RM}, expect: ${WHOLE} }\n`,
    ],
    [
      "line ends of Windows",
      BLOCK.replaceAll("\n", "\r\n"),
      `${BLOCK}    expect: ${WHOLE}\n`.replaceAll("\n", "\r\n"),
    ],
  ];
  it.each(ROWS)("keeps %s", async (_, before, after) => {
    const head = "config: hooks.json\ncases:\n";
    const { project, stderr } = await run({ "a.hooks.yaml": head + before }, ["-u"]);
    expect([stderr, readFileSync(join(project.project, "a.hooks.yaml"), "utf8")]).toEqual(["", head + after]);
    expect(await project.belay(["test"])).toMatchObject({ code: 0 });
  });

  it("keeps JSON as it is, its comments and the mark at its beginning", async () => {
    const before = `\uFEFF{ // The guard.
  "config": "hooks.json", "cases": [
    { "name": "a", "event": "PreToolUse", "payload": { "tool_input": { "command": "rm -rf /" } } },
    { "name": "b", /* short */ "event": "Stop", "expect": { "decision": "allow" } } ] }\r\n`;
    const { project } = await run({ "a.hooks.json": before }, ["-u"]);
    expect(readFileSync(join(project.project, "a.hooks.json"), "utf8")).toBe(
      before
        .replace("allow", "none")
        .replace(
          "} } }",
          '} }, "expect": { "decision": "deny", "reason": "rm -rf is not allowed", "by": "guard", "user": [], "agent": ["rm -rf is not allowed"] } }',
        ),
    );
  });

  it("says of a file that cannot be written what came, and why nothing is written", async () => {
    const before = `hook: rm "$BELAY_PROJECT_DIR/a.hooks.yaml"; exit 2
cases: [{ name: a, event: Stop, expect: { decision: none } }]
`;
    const { code, stdout, stderr } = await run({ "a.hooks.yaml": before }, ["-u"]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: expect.stringContaining("  ✗ a  a.hooks.yaml:2\n"),
      stderr: expect.stringMatching(/^a\.hooks\.yaml:2: a was not updated: ENOENT: no such file/),
    });
  });

  const SHARED: readonly [name: string, cases: string][] = [
    [
      "an alias",
      `  - { name: a, event: Stop, expect: &e { decision: none } }\n  - { name: b, ${RM}, expect: *e }\n`,
    ],
    [
      "an anchor",
      `  - { name: b, ${RM}, expect: { decision: &d none } }\n  - { name: a, event: Stop, expect: { decision: *d } }\n`,
    ],
  ];
  it("writes once what cases share that came to the same", async () => {
    const before = `config: hooks.json
cases:
  - { name: a, ${RM}, expect: &e { decision: none } }
  - { name: b, ${RM}, expect: *e }
`;
    const { project, code, stdout, stderr } = await run({ "a.hooks.yaml": before }, ["-u"]);
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining("updated 2 cases:"), ""]);
    expect(readFileSync(join(project.project, "a.hooks.yaml"), "utf8")).toBe(
      before.replace("decision: none", "decision: deny"),
    );
  });

  it.each(SHARED)("leaves alone what stands behind %s, and says so", async (_, cases) => {
    const before = `config: hooks.json\ncases:\n${cases}  - { name: c, ${RM}, expect: { decision: none } }\n`;
    const { project, code, stdout, stderr } = await run({ "a.hooks.yaml": before }, ["-u"]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("updated 1 case:")]);
    expect(stderr).toMatch(/^a\.hooks\.yaml:\d: b was not updated: more of the file would change with it/);
    const last = before.lastIndexOf("none");
    expect(readFileSync(join(project.project, "a.hooks.yaml"), "utf8")).toBe(
      `${before.slice(0, last)}deny${before.slice(last + 4)}`,
    );
  });
});

const CASES = `cases:
  - { name: a, event: Stop, expect: { decision: none } }
  - { name: b, event: Stop, expect: { decision: block } }
`;

describe("belay test --update of a file that was saved during the run", () => {
  const SAVED: readonly [what: string, text: string][] = [
    ["a comment more", `# Mine.\nhook: "true"\n${CASES}`],
    ["what is no YAML", "{ broken: [\n"],
  ];
  it.each(SAVED)("writes nothing over %s, and says so", async (_, saved) => {
    const hook = 'cat "$BELAY_PROJECT_DIR/saved" > "$BELAY_PROJECT_DIR/a.hooks.yaml"; exit 2';
    const { code, stdout, stderr, project } = await run(
      { "a.hooks.yaml": `hook: ${JSON.stringify(hook)}\n${CASES}`, saved },
      ["-u"],
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: expect.stringContaining("1 failed, 1 passed"),
      stderr: "a.hooks.yaml:3: a was not updated: the file has changed meanwhile; run it again\n",
    });
    expect(stdout).not.toContain("updated");
    expect(readFileSync(join(project.project, "a.hooks.yaml"), "utf8")).toBe(saved);
  });
});

describe("belay test --update says of each case why it was not written", () => {
  const ROWS: readonly [what: string, hook: string, more: string, why: string][] = [
    ["its hook crashed", "exit 1", "", "its hook gave no answer of its own; correct the hook"],
    ["it hides behind a refusal", "if", "", "its hook gave no answer of its own; correct the hook"],
    ["it has no record", "true", ", record: gone.json", "it could not be run"],
  ];
  it.each(ROWS)("%s", async (_, hook, more, why) => {
    const text = `hook: "${hook}"\ncases:\n  - { name: a, event: PreToolUse${more} }\n`;
    const { code, stderr, project } = await run({ "a.hooks.yaml": text }, ["-u"]);
    expect([code, stderr]).toEqual([2, `a.hooks.yaml:3: a was not updated: ${why}\n`]);
    expect(readFileSync(join(project.project, "a.hooks.yaml"), "utf8")).toBe(text);
  });
});

it("a change that has no place in a file was not made", async () => {
  const edits = [{ path: ["cases", 0, "expect", "decision"], value: "deny" }];
  const text = '{ "cases": [] }';
  const before = await parseSource("a.json", text);
  const after = await parseSource("a.json", await editJson(text, edits));
  expect(saysThat(after, before, edits)).toBe(false);
});

const CASE = "{ name: a, event: Stop, expect: { decision: none } }";
/** More than the disk of these tests takes. */
const LONG = `hook: exit 2\n# ${"long ".repeat(1000)}\ncases: [${CASE}]\n# the end\n`;
const UPDATED = LONG.replace("none", "block");

describe("belay test --update leaves a case file whole", () => {
  it("where the disk takes no more, and says so", async () => {
    const { file, project, shell } = scratch();
    const path = file("a.hooks.yaml", LONG);
    const said = await shell("ulimit -f 2; belay test -u");
    expect(readFileSync(path, "utf8")).toBe(LONG);
    expect(said).toMatch(/^a\.hooks\.yaml:3: a was not updated: EFBIG: .*; the file is as it was$/m);
    expect(readdirSync(project)).toEqual([".git", "a.hooks.yaml"]);
  });

  it("where its folder takes no other file, and says so", async () => {
    const { file, project, home } = scratch();
    const path = file("a.hooks.yaml", LONG);
    chmodSync(path, 0o666);
    chmodSync(project, 0o555);
    const said = await belayWithoutRights(project, home, ["test", "-u"]);
    chmodSync(project, 0o755);
    expect(readFileSync(path, "utf8")).toBe(LONG);
    expect(said).toMatch(/^a\.hooks\.yaml:3: a was not updated: EACCES: .*; the file is as it was$/m);
  });

  it("with its mode, and a link to it as a link", async () => {
    const { code, project } = await run({ "shared/cases.yaml": LONG }, ["-u"], (to) => {
      chmodSync(join(to.project, "shared/cases.yaml"), 0o640);
      symlinkSync("shared/cases.yaml", join(to.project, "a.hooks.yaml"));
    });
    const target = join(project.project, "shared/cases.yaml");
    expect([code, readFileSync(target, "utf8")]).toEqual([0, UPDATED]);
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(lstatSync(join(project.project, "a.hooks.yaml")).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(project.project, "shared"))).toEqual(["cases.yaml"]);
  });
});
