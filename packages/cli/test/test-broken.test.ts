import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { about, run } from "./case-files.ts";

describe("belay test: what is no case file", () => {
  const BROKEN: readonly [name: string, text: string, said: string][] = [
    ["a.hooks.yaml", "cases:\n  - name: a\n   event: x\n", "a.hooks.yaml:3: "],
    ["a.hooks.json", '{\n  "cases": [\n}', "a.hooks.json:3: "],
    [
      "a.hooks.json",
      '{ "hook": "true",\n "hook": "false", "cases": [] }',
      "a.hooks.json:2: hook stands twice, first in line 1",
    ],
    [
      "a.hooks.yaml",
      "confg: x\ncases: [{ name: a, event: Stop }]\n",
      "a.hooks.yaml:1: confg: there is no such field; did you mean config?",
    ],
    ["a.hooks.yaml", "cases: []\n", "a.hooks.yaml:1: cases is an array, where at least one case is expected"],
    [
      "a.hooks.yaml",
      "hook: 'true'\ncases: [{ name: a, event: Stop, expect: { updatedInput: &a { b: *a } } }]\n",
      "a.hooks.yaml:1: it cannot be read: an alias stands inside its own anchor",
    ],
    ["a.hooks.yaml", "? [\u0000\n? [\u0000\n", "1 problem in the case files, and nothing was run"],
    ["a.hooks.yaml", "hook: 'true'\n---\ncases: []\n", "there is more than one document in it"],
    ["a.hooks.json", `{${'"a":1,'.repeat(20)}"a":1}`, "10 problems in the case files, and nothing was run"],
    [
      "a.hooks.yaml",
      `# ${" ".repeat(17_000_000)}`,
      "a.hooks.yaml:1: it cannot be read: it has 17000002 bytes",
    ],
    ["a.hooks.yaml", "- a\n", "a.hooks.yaml:1: the file is an array, where an object is expected"],
    ["a.hooks.yaml", "hook: 'true'\ncases:\n  - event: Stop\n", "a.hooks.yaml:3: case 1: name is missing"],
    [
      "a.hooks.yaml",
      "hook: 'true'\ncases:\n  - name: a\n    event: Stopp\n",
      'a.hooks.yaml:4: case "a": event is "Stopp"; did you mean Stop?',
    ],
    [
      "a.hooks.yaml",
      "hook: 'true'\ncases:\n  - name: a\n    event: Stop\n    skip: true\n",
      'a.hooks.yaml:5: case "a": skip is true, where text is expected',
    ],
    [
      "a.hooks.yaml",
      "hook: 'true'\ncases:\n  - name: a\n    event: Stop\n    expect: { decison: deny }\n",
      'a.hooks.yaml:5: case "a": expect.decison: there is no such field; did you mean decision?',
    ],
    [
      "a.hooks.yaml",
      "hook: 'true'\ncases:\n  - name: a\n    event: Stop\n    expect: { reason: /(/ }\n",
      'a.hooks.yaml:5: case "a": expect.reason: Invalid regular expression',
    ],
    [
      "a.hooks.yaml",
      "hook: 'true'\ncases:\n  - { name: a, event: Stop }\n  - { name: a, event: Stop }\n",
      'a.hooks.yaml:4: case "a" stands in line 3 as well; rename one',
    ],
    [
      "a.hooks.yaml",
      "hook: 'true'\ncases:\n  - { name: a }\n",
      'a.hooks.yaml:3: case "a" has no event; add event, here or in defaults, or record',
    ],
    [
      "a.hooks.yaml",
      "config: gone.json\ncases: [{ name: a, event: Stop }]\n",
      "a.hooks.yaml:1: config: there is no gone.json",
    ],
    [
      "a.hooks.yaml",
      "# a typo\nhook: ./gaurd.sh\ncases: [{ name: a, event: Stop }]\n",
      "a.hooks.yaml:2: hook: there is no script ./gaurd.sh; did you mean ./guard.sh?\n",
    ],
    [
      "cases/a.hooks.json",
      '{ "cases": [{ "name": "a", "event": "Stop" }],\n  "hook": "../gaurd.sh" }',
      "cases/a.hooks.json:2: hook: there is no script ../gaurd.sh; did you mean ../guard.sh?\n",
    ],
    [
      "a.hooks.yaml",
      "hook: other.py\ncases: [{ name: a, event: Stop }]\n",
      "a.hooks.yaml:1: hook: there is no script other.py; it is looked for from the folder of this file\n",
    ],
    [
      "a.hooks.yaml",
      "hook: .\ncases: [{ name: a, event: Stop }]\n",
      "a.hooks.yaml:1: hook: . is a folder; name a script in it, or a command in quotes\n",
    ],
    [
      "a.hooks.yaml",
      "config: hoks.json\ncases: [{ name: a, event: Stop }]\n",
      "a.hooks.yaml:1: config: there is no hoks.json; did you mean hooks.json?\n",
    ],
    [
      "a.hooks.yaml",
      "config: hooks.json\nhook: 'true'\ncases: [{ name: a, event: Stop }]\n",
      "a.hooks.yaml:2: hook stands beside config or plugin; keep one of them",
    ],
  ];
  it.each(BROKEN)("%s %j", async (name, text, said) => {
    const { code, stdout, stderr } = await run({ [name]: text });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(said);
  });

  const USAGE: readonly [args: readonly string[], said: string][] = [
    [["gone"], 'no path of 1 case file has "gone" in it, and no such file is there'],
    [["guard.sh"], "guard.sh is no case file"],
    [["-t", "gone"], 'no case has "gone" in its name'],
    [["-t", "/(/"], "belay: -t /(/ is no pattern"],
    [["--name", "/(/"], "belay: --name /(/ is no pattern"],
    [["--reporter", "junitt"], 'there is no reporter "junitt"; did you mean junit?'],
    [["--parallel", "0"], '--parallel "0" is no number of cases'],
    [["--output", "no/such/file"], "cannot be written"],
  ];
  it.each(USAGE)("%j", async (args, said) => {
    const { code, stdout, stderr } = await run({ "a.hooks.yaml": about("ls", "{ decision: none }") }, args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(said);
  });

  it("a pipe, which is not waited for", async () => {
    const { project } = await run({});
    await project.shell("mkfifo a.hooks.yaml");
    const { code, stderr } = await project.belay(["test", "a.hooks.yaml"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("a.hooks.yaml:1: it cannot be read: it is no plain file\n"),
    ]);
  });

  it("no file at all", async () => {
    const { code, stderr } = await run({});
    expect(code).toBe(1);
    expect(stderr).toContain("there is no case file in .; cases stand in files named *.hooks.yaml");
  });

  it("says every problem of every file, and that none of them was run", async () => {
    const cases = "cases: [{ name: a, event: Stop, expect: { decision: none } }]\n";
    const { code, stdout, stderr } = await run({
      "a.hooks.yaml": `hook: ./gaurd.sh\n${cases}`,
      "b.hooks.yaml": `hook: ./guard.sh\n${cases}`,
      "c.hooks.yaml": cases,
      "d.hooks.yaml": `hok: ./guard.sh\n${cases}`,
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: `a.hooks.yaml:1: hook: there is no script ./gaurd.sh; did you mean ./guard.sh?
c.hooks.yaml:1: it names no hooks, and the project has none; add config: settings.json, or hook: a script; or next: belay init
d.hooks.yaml:1: hok: there is no such field; did you mean hook?
belay: 3 problems in the case files, and nothing was run; belay schema --cases says what a file holds
`,
    });
  });

  it("is an annotation at its line, where a reporter makes such", async () => {
    const yaml = "hook: 'true'\ncases:\n  - { nam: 'a%::b', event: Stop }\n";
    const wanted =
      "::error file=a.hooks.yaml,line=3::case 1: nam: there is no such field; did you mean name?\n";
    const { code, stdout } = await run({ "a.hooks.yaml": yaml }, ["--reporter", "github"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining(wanted)]);
    const args = ["--reporter", "github", "-o", "out.txt"];
    const { project } = await run({ "a.hooks.yaml": yaml }, args);
    expect(readFileSync(join(project.project, "out.txt"), "utf8")).toBe(stdout);
  });

  it("no hooks at all", async () => {
    const { code, stderr, project } = await run({ "a.hooks.yaml": "cases: [{ name: a, event: Stop }]\n" });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("names no hooks, and the project has none"),
    });
    expect(readdirSync(join(project.home, "tmp"))).toEqual([]);
  });
});
