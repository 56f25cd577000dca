import { describe, expect, it } from "vitest";
import { run } from "./case-files.ts";

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
