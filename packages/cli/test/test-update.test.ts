import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "./case-files.ts";

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
    expect(readFileSync(join(project.project, "a.hooks.yaml"), "utf8")).toBe(`# The guard.
config: hooks.json

cases:
  # Dangerous.
  - name: "rm"   # short
    event: PreToolUse
    payload: { tool_input: { command: rm -rf / } }
    expect:
      decision: deny # is it?
      reason: "rm -rf is not allowed"
      agent:
        ["rm -rf is not allowed"]
      runs: [guard]

  - name: new
    event: PreToolUse
    payload: { tool_input: { command: context } }
    expect: { decision: none, user: [], agent: ["mind the gap"] }
  - { name: flow, event: PreToolUse, payload: { tool_input: { command: halt } }, expect: { decision: stop, reason: "enough in {cwd}", by: guard, user: ["enough in {cwd}"], agent: [] } }
`);
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
    expect([code, stdout.replace(/\d+ ms/, "N ms")]).toEqual([
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

  it("does the same in JSON with comments", async () => {
    const before = `{
  // The guard.
  "config": "hooks.json",
  "cases": [
    {
      "name": "rm", /* short */
      "event": "PreToolUse",
      "payload": { "tool_input": { "command": "rm -rf /" } },
      "expect": { "decision": "allow", "by": "guard" }
    }
  ]
}
`;
    const { project } = await run({ "a.hooks.json": before }, ["-u"]);
    expect(readFileSync(join(project.project, "a.hooks.json"), "utf8")).toBe(
      before.replace('"allow"', '"deny"'),
    );
  });

  const WHOLE =
    '{ decision: deny, reason: "rm -rf is not allowed", by: guard, user: [], agent: ["rm -rf is not allowed"] }';
  const RM = "event: PreToolUse, payload: { tool_input: { command: rm -rf / } }";
  const ROWS: readonly [name: string, file: string, before: string, after: string][] = [
    [
      "a key alone, which says null",
      "a.hooks.yaml",
      `  - { name: a, ${RM}, expect: { by: guard } }
  - name: b
    event: PreToolUse
    payload: { tool_input: { command: rm -rf / } }
    expect:
      reason:
      by:
`,
      `  - { name: a, ${RM}, expect: { by: guard } }
  - name: b
    event: PreToolUse
    payload: { tool_input: { command: rm -rf / } }
    expect:
      reason: "rm -rf is not allowed"
      by: guard
`,
    ],
    [
      "a list at its key's column",
      "a.hooks.yaml",
      `  - name: a
    event: PreToolUse
    payload: { tool_input: { command: rm -rf / } }
    expect:
      agent:
      - other
      - more
      runs:
      - guard
`,
      `  - name: a
    event: PreToolUse
    payload: { tool_input: { command: rm -rf / } }
    expect:
      agent: ["rm -rf is not allowed"]
      runs:
      - guard
`,
    ],
    [
      "what is merged from another",
      "a.hooks.yaml",
      `  - { name: a, event: Stop, expect: &e { decision: none, reason: null } }
  - { name: b, ${RM}, expect: { <<: *e } }
`,
      `  - { name: a, event: Stop, expect: &e { decision: none, reason: null } }
  - { name: b, ${RM}, expect: { <<: *e, decision: deny, reason: "rm -rf is not allowed" } }
`,
    ],
    [
      "a comma or a comment at the end",
      "a.hooks.yaml",
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
      "a.hooks.yaml",
      `  - { name: a, ${RM}, expect: {} }\n  - { name: b, ${RM}, expect: { files: {} } }\n`,
      `  - { name: a, ${RM}, expect: ${WHOLE} }\n  - { name: b, ${RM}, expect: ${WHOLE} }\n`,
    ],
    [
      "line ends of Windows",
      "a.hooks.yaml",
      `  - name: a\r
    event: PreToolUse\r
    payload: { tool_input: { command: rm -rf / } }\r
`,
      `  - name: a\r
    event: PreToolUse\r
    payload: { tool_input: { command: rm -rf / } }\r
    expect: ${WHOLE}\r
`,
    ],
  ];
  it.each(ROWS)("keeps %s", async (_, file, before, after) => {
    const head = "config: hooks.json\ncases:\n";
    const { project, stderr } = await run({ [file]: head + before }, ["-u"]);
    expect([stderr, readFileSync(join(project.project, file), "utf8")]).toEqual(["", head + after]);
    expect(await project.belay(["test"])).toMatchObject({ code: 0 });
  });

  it("keeps JSON on one line as it is, and the mark at its beginning", async () => {
    const before = `\uFEFF{ "config": "hooks.json", "cases": [ { "name": "a", "event": "PreToolUse", "payload": { "tool_input": { "command": "rm -rf /" } } } ] }\r\n`;
    const { project } = await run({ "a.hooks.json": before }, ["-u"]);
    expect(readFileSync(join(project.project, "a.hooks.json"), "utf8")).toBe(
      before.replace(
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
