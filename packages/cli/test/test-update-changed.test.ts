import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editJson, parseSource, saysThat } from "../src/testing/read/source.ts";
import { run } from "./case-files.ts";

const CASES = `cases:
  - { name: a, event: Stop, expect: { decision: none } }
  - { name: b, event: Stop, expect: { decision: block } }
`;

describe("belay test --update of a file that was saved during the run", () => {
  const SAVED: readonly [what: string, text: string][] = [
    ["another order", `hook: "true"\n${CASES.replace("name: a", "name: x").replace("name: b", "name: a")}`],
    ["a comment more", `# Mine.\nhook: "true"\n${CASES}`],
    ["no cases at all", "garbage\n"],
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
