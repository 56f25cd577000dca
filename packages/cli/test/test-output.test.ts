import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "./case-files.ts";

const CASE = "cases: [{ name: a, event: Stop, expect: { decision: none } }]\n";
const RECORD = JSON.stringify({ event: "Stop", cwd: "", payload: {} });
const FILES = {
  "a.hooks.yaml": `hook: script.sh\n${CASE}`,
  "b.hooks.yaml":
    "config: [hooks.json]\ncases: [{ name: b, record: one.json, expect: { decision: none } }]\n",
  "script.sh": "exit 0\n",
  "one.json": RECORD,
  "link.xml": "",
};

const ROWS: readonly [what: string, output: string, file: string, args: readonly string[]][] = [
  ["a case file of the run", "a.hooks.yaml", "a.hooks.yaml", []],
  ["a case file that is not run", "./b.hooks.yaml", "b.hooks.yaml", ["a.hooks.yaml"]],
  ["a link to a case file", "link", "a.hooks.yaml", []],
  ["a script that is tested", "script.sh", "script.sh", []],
  ["the settings that are tested", "hooks.json", "hooks.json", []],
  ["a record that is fired", "one.json", "one.json", []],
];
it.each(ROWS)("--output is not %s, which stays as it is", async (_, output, file, args) => {
  let before = "";
  const { code, stdout, stderr, project } = await run(
    FILES,
    [...args, "--reporter", "junit", "-o", output],
    ({ project }) => {
      symlinkSync("a.hooks.yaml", join(project, "link"));
      before = readFileSync(join(project, file), "utf8");
    },
  );
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: "",
    stderr: `belay: --output ${output} is a file that cases are read from; name another file\n`,
  });
  expect(readFileSync(join(project.project, file), "utf8")).toBe(before);
});

it("--output takes the place of an earlier report", async () => {
  const { code, project } = await run({ ...FILES, "old.xml": "old ".repeat(9999) }, [
    "--reporter",
    "junit",
    "-o",
    "old.xml",
  ]);
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
  const broken = { ...FILES, "c.hooks.yaml": "hook: script.sh\n", "old.out": old };
  const { code, project } = await run(broken, ["--reporter", reporter, "-o", "old.out"]);
  expect(code).toBe(1);
  expect(readFileSync(join(project.project, "old.out"), "utf8")).toMatch(now);
  expect((await project.belay(["test", "nosuch", "--reporter", reporter, "-o", "old.out"])).code).toBe(1);
  expect(readFileSync(join(project.project, "old.out"), "utf8")).not.toMatch(now);
});

it.each(["junit", "github"])(
  "what is no report is not written over by %s where nothing was run",
  async (reporter) => {
    const broken = { ...FILES, "c.hooks.yaml": "hook: script.sh\n" };
    const { code, project } = await run(broken, ["--reporter", reporter, "-o", "script.sh"]);
    expect([code, readFileSync(join(project.project, "script.sh"), "utf8")]).toEqual([1, "exit 0\n"]);
  },
);
