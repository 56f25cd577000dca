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
});
