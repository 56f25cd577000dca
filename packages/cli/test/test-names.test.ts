import { expect, it } from "vitest";
import { run } from "./case-files.ts";

const NAMES = ["constructor", "prototype", "__proto__"];
/** As JSON, which is YAML as well: in an object of JavaScript one of the names means something else. */
const named = (name: string, value: string) => `{ ${JSON.stringify(name)}: ${value} }`;

const ENDINGS = ["yaml", "json"];
const ROWS = NAMES.flatMap((name) => ENDINGS.map((ending) => [name, ending] as const));

const caseFile = (hook: string, more: string) =>
  `{ "hook": ${JSON.stringify(hook)}, "cases": [{ "name": "a", "event": "Stop", ${more} }] }`;

it.each(ROWS)("a file, a variable and a field may be named %s (in %s)", async (name, ending) => {
  const hook = `grep -qF '${named(name, '"field"').replaceAll(" ", "")}' && cat ${name} >&2 && printenv ${name} >&2; exit 2`;
  const text = caseFile(
    hook,
    `"files": ${named(name, '"file\\n"')}, "env": ${named(name, '"variable"')}, "payload": { "more": ${named(name, '"field"')} },
  "expect": { "reason": "file\\nvariable", "files": ${named(name, '"file\\n"')} }`,
  );
  const { code, stdout } = await run({ [`a.hooks.${ending}`]: text });
  expect([code, stdout]).toEqual([0, expect.stringContaining("1 passed")]);
});

it.each(ROWS)("a payload may have a field named %s (in %s)", async (name, ending) => {
  const hook = `tr , '\\n' | grep -F '${name}' >&2; exit 2`;
  const text = caseFile(hook, `"payload": ${named(name, '"field"')}, "expect": { "reason": "/field/" }`);
  const { code, stdout } = await run({ [`a.hooks.${ending}`]: text });
  expect([code, stdout]).toEqual([0, expect.stringContaining("1 passed")]);
});

const WRONG: readonly [where: string, wrong: (name: string) => string][] = [
  ["files", (name) => `"files": ${named(name, "7")}`],
  ["env", (name) => `"env": ${named(name, "7")}`],
  ["expect.files", (name) => `"expect": { "files": ${named(name, "7")} }`],
];
it.each(NAMES.flatMap((name) => WRONG.map(([where, wrong]) => [name, where, wrong] as const)))(
  "what is wrong with %s in %s is said",
  async (name, where, wrong) => {
    const { code, stderr } = await run({ "a.hooks.yaml": caseFile("true", wrong(name)) });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`a.hooks.yaml:1: case "a": ${where}.${name} is 7, where text`),
    ]);
  },
);

it.each(NAMES)("a file named %s that is not as expected fails its case", async (name) => {
  const text = caseFile("true", `"expect": { "files": ${named(name, '"file"')} }`);
  const { code, stdout } = await run({ "a.hooks.json": text });
  expect([code, stdout]).toEqual([2, expect.stringContaining("1 failed")]);
});

const FOUND: readonly [word: string, files: readonly string[]][] = [
  ["ok", ["ok.hooks.yaml"]],
  ["yaml", ["yaml.hooks.json"]],
  ["b.hooks", ["b.hooks.yaml"]],
  [".json", ["yaml.hooks.json"]],
  ["sub", ["sub/c.hooks.yaml"]],
];
it.each(FOUND)(
  "the word %s is not looked for in the ending that all case files have",
  async (word, files) => {
    const text = caseFile("true", '"expect": { "decision": "none" }');
    const names = ["ok.hooks.yaml", "b.hooks.yaml", "yaml.hooks.json", "sub/c.hooks.yaml"];
    const { stdout } = await run(Object.fromEntries(names.map((name) => [name, text])), [word, "-v"]);
    expect(stdout.match(/\S+\.hooks\.\w+/g)).toEqual(files);
  },
);
