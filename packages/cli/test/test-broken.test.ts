import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { about, run } from "./case-files.ts";
import { scratch } from "./cli.ts";

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
const TOO_MANY = "1: its aliases stand for too many values; repeat less of it";
const odd = (name: string, where: string, value: string): [string, string, string] => [
  "yaml",
  `{ "hook": "true", "cases": [{ "name": "a", "event": "Stop", ${value.replace("NAME", name)} }] }`,
  `1: case "a": ${where}.${name} is 7, where text`,
];

describe("belay test: what is no case file", () => {
  const BROKEN: readonly [ending: string, text: string, said: string][] = [
    ["yaml", "cases:\n  - name: a\n   event: x\n", "3: "],
    ["json", '{\n  "cases": [\n}', "3: "],
    ["json", '{ "hook": "true",\n "hook": "false", "cases": [] }', "2: hook stands twice, first in line 1"],
    ["yaml", "hook: 'true'\nhook: 'false'\n", "2: Map keys must be unique"],
    ["yaml", `hook: !shell 'true'\n${ONE}`, "1: Unresolved tag: !shell"],
    ["yaml", `confg: x\n${ONE}`, "1: confg: there is no such field; did you mean config?"],
    ["yaml", "cases: []\n", "1: cases is an array, where at least one case is expected"],
    [
      "yaml",
      cases("- { name: a, event: Stop, expect: { updatedInput: &a { b: *a } } }"),
      "1: an alias stands inside its own anchor",
    ],
    ["yaml", `${ONE}x: *gone\n`, "1: Unresolved alias (the anchor must be set before the alias): gone"],
    ["yaml", cases(`- { name: a, event: Stop, payload: { ${BILLIONS} } }`), TOO_MANY],
    ["yaml", `hook: 'true'\ndefaults: { payload: { ${BILLIONS} } }\n${ONE}`, TOO_MANY],
    ["yaml", "? [\u0000\n? [\u0000\n", ""],
    ["yaml", "hook: 'true'\n---\ncases: []\n", "2: there is more than one document in it"],
    ["yaml", `# ${" ".repeat(17_000_000)}`, "1: it cannot be read: it has 17000002 bytes"],
    ["yaml", "- a\n", "1: the file is an array, where an object is expected"],
    ["yaml", cases("- event: Stop"), "3: case 1: name is missing"],
    ["yaml", cases("- name: a", "  event: Stopp"), '4: case "a": event is "Stopp"; did you mean Stop?'],
    [
      "yaml",
      cases("- name: a", "  event: Stop", "  skip: true"),
      '5: case "a": skip is true, where text is expected',
    ],
    [
      "yaml",
      cases("- name: a", "  event: Stop", "  expect: { decison: deny }"),
      '5: case "a": expect.decison: there is no such field; did you mean decision?',
    ],
    [
      "yaml",
      cases("- name: a", "  event: Stop", "  expect: { reason: /(/ }"),
      '5: case "a": expect.reason: Invalid regular expression',
    ],
    [
      "yaml",
      cases("- { name: a, event: Stop }", "- { name: a, event: Stop }"),
      '4: case "a" stands in line 3 as well; rename one',
    ],
    ["yaml", cases("- { name: a }"), '3: case "a" has no event; add event, here or in defaults, or record'],
    ["yaml", `config: gone.json\n${ONE}`, "1: config: there is no gone.json"],
    ["yaml", `config: hoks.json\n${ONE}`, "1: config: there is no hoks.json; did you mean hooks.json?"],
    [
      "yaml",
      `# a typo\nhook: ./gaurd.sh\n${ONE}`,
      "2: hook: there is no script ./gaurd.sh; did you mean ./guard.sh?",
    ],
    [
      "yaml",
      `hook: other.py\n${ONE}`,
      "1: hook: there is no script other.py; it is looked for from the folder of this file",
    ],
    ["yaml", `hook: .\n${ONE}`, "1: hook: . is a folder; name a script in it, or a command in quotes"],
    [
      "yaml",
      `config: hooks.json\nhook: 'true'\n${ONE}`,
      "2: hook stands beside config or plugin; keep one of them",
    ],
    [
      "yaml",
      ONE,
      "1: it names no hooks, and the project has none; add config: settings.json, or hook: a script; or next: belay init",
    ],
    ...["constructor", "prototype", "__proto__"].flatMap((name) => [
      odd(name, "files", '"files": { "NAME": 7 }'),
      odd(name, "env", '"env": { "NAME": 7 }'),
      odd(name, "expect.files", '"expect": { "files": { "NAME": 7 } }'),
    ]),
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
    const { code, stdout } = await run({ "a.hooks.yaml": text });
    expect([code, stdout]).toEqual([0, expect.stringContaining("201 passed")]);
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
