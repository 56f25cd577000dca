import { expect, it } from "vitest";
import { run } from "./case-files.ts";

const NAMES = ["constructor", "prototype", "__proto__"];
/** As JSON, which is YAML as well: in an object of JavaScript one of the names means something else. */
const named = (name: string, value: string) => `{ ${JSON.stringify(name)}: ${value} }`;

const caseFile = (hook: string, more: string) =>
  `{ "hook": ${JSON.stringify(hook)}, "cases": [{ "name": "a", "event": "Stop", ${more} }] }`;

it("a file, a variable and a field may have the name of a property that every object has", async () => {
  const files: Record<string, string> = {};
  for (const name of NAMES)
    for (const ending of ["yaml", "json"]) {
      const hook = `grep -qF '${named(name, '"field"').replaceAll(" ", "")}' && cat ${name} >&2 && printenv ${name} >&2; exit 2`;
      files[`all-${name}.hooks.${ending}`] = caseFile(
        hook,
        `"files": ${named(name, '"file\\n"')}, "env": ${named(name, '"variable"')}, "payload": { "more": ${named(name, '"field"')} },
  "expect": { "reason": "file\\nvariable", "files": ${named(name, '"file\\n"')} }`,
      );
      const shown = `tr , '\\n' | grep -F '${name}' >&2; exit 2`;
      files[`field-${name}.hooks.${ending}`] = caseFile(
        shown,
        `"payload": ${named(name, '"field"')}, "expect": { "reason": "/field/" }`,
      );
      files[`fails-${name}.hooks.${ending}`] = caseFile(
        "true",
        `"expect": { "files": ${named(name, '"x"')} }`,
      );
    }
  const { code, stdout } = await run(files);
  expect([code, stdout]).toEqual([2, expect.stringMatching(/\n6 failed, 12 passed/)]);
  expect(stdout.match(/^✗ fails-/gm)?.length).toBe(6);
});

const FOUND: readonly [word: string, files: readonly string[]][] = [
  ["ok", ["ok.hooks.yaml"]],
  ["yaml", ["yaml.hooks.json"]],
  ["b.hooks", ["b.hooks.yaml"]],
  [".json", ["yaml.hooks.json"]],
  ["sub", ["sub/c.hooks.yaml"]],
];
it("a word is not looked for in the ending that all case files have", async () => {
  const text = caseFile("true", '"expect": { "decision": "none" }');
  const names = ["ok.hooks.yaml", "b.hooks.yaml", "yaml.hooks.json", "sub/c.hooks.yaml"];
  const { project } = await run(Object.fromEntries(names.map((name) => [name, text])));
  for (const [word, files] of FOUND) {
    const { stdout } = await project.belay(["test", word, "-v"]);
    expect(stdout.match(/\S+\.hooks\.\w+/g)).toEqual(files);
  }
});
