import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check, problemsOf, run } from "./checking.ts";
import { scratch } from "./cli.ts";

const ofModule = (module: string) => ({ Stop: [{ hooks: [{ type: "module", module }] }] });
const HOOK = "export default () => ({ x });";
const notFound = (name: string) => `it imports ${JSON.stringify(name)}, which is not found from there`;

test.each<[what: string, file: string, text: string, why?: string]>([
  ["a good one", "m.ts", "export default (input: object): object => ({});"],
  ["a named export", "m.mjs", "export const hook = () => {};"],
  ["a syntax error", "m.ts", "export default (: number) => {", ""],
  ["no export", "m.js", "const hook = 1;", "it exports no function (export default …)"],
  ["another file", "m.txt", "x", "its name does not end in one of .js .mjs .cjs .ts .mts .cts"],
  ["a package", "m.mjs", `import x from "lodash";\n${HOOK}`, notFound("lodash")],
  ["its part", "m.ts", `// a\n/* b */ import { x } from "@a/b/c";\n${HOOK}`, notFound("@a/b/c")],
  ["a file", "m.js", `import { x } from "./no.js"\nimport "./there.js";${HOOK}`, notFound("./no.js")],
  ["an export from one", "m.mjs", `export { x } from 'gone';\nconst x = 1;${HOOK}`, notFound("gone")],
  [
    "an import behind data",
    "m.mjs",
    `import x from "./there.json" with { type: "json" };\nimport "gone";\n${HOOK}`,
    notFound("gone"),
  ],
  ["only a type", "m.ts", `import type { X } from "lodash";\nconst x = 1 as X;${HOOK}`],
  [
    "what is there",
    "m.ts",
    `import "node:fs"; import "path"; import "have"; import { x } from "./there"; import "./typed.js";\n${HOOK}`,
  ],
  ["a package for import alone", "m.ts", `import x from "modern"; import y from "modern/x";\n${HOOK}`],
  ["what Belay brings", "m.ts", `import { defineHook as x } from "@belay/engine";\n${HOOK}`],
  ["text that looks so", "m.mjs", `const x = \`\nimport "lodash";\n\`; // import "lodash"\n${HOOK}`],
  ["one that may fail", "m.mjs", `const x = await import("lodash").catch(() => 1);\n${HOOK}`],
  ["other names", "m.mjs", `import x from "#x"; import y from "data:text/javascript,"; ${HOOK}`],
])("a module with %s", async (_what, file, text, why) => {
  const place = scratch();
  place.file(file, text);
  for (const name of ["there.js", "typed.ts"]) place.file(name, "export const x = 1;");
  place.file("there.json", "{}");
  place.file("node_modules/have/index.js", "");
  const exports = { ".": { import: "./x.js" }, "./x": { import: "./x.js" } };
  place.file("node_modules/modern/package.json", JSON.stringify({ exports }));
  const problems = await problemsOf(place, ofModule(`./${file}`));
  const told = ["module-does-not-load", expect.stringContaining(`${file} does not load: ${why}`)];
  expect(problems.map(({ code, message }) => [code, message])).toEqual(why === undefined ? [] : [told]);
});

test("a module that is not there", async () => {
  const problems = await problemsOf(scratch(), ofModule("./gone.ts"));
  expect(problems.map(({ code, fix }) => [code, fix])).toEqual([
    [
      "script-missing",
      "Create it or correct the path; a module is looked for beside its config file, then in the project.",
    ],
  ]);
});

test("a script that is not there, once for every hook that names it", async () => {
  const place = scratch();
  const config = place.file(
    "hooks.json",
    `{ "hooks": { "Stop": [\n${JSON.stringify(run("./gone.sh"))},\n${JSON.stringify(run("./gone.sh -x"))}] } }`,
  );
  const { problems } = await check(place, "--config", config);
  expect(problems.map(({ code, line }) => [code, line])).toEqual([
    ["script-missing", 2],
    ["script-missing", 3],
  ]);
});

test("a module is read, not executed", async () => {
  const place = scratch();
  place.file(
    "m.js",
    "import { writeFileSync } from 'node:fs'; writeFileSync('ran', ''); export default () => {};",
  );
  const config = place.config(ofModule("./m.js"));
  const ran = join(place.project, "ran");
  expect((await check(place, "--config", config)).problems).toEqual([]);
  expect(existsSync(ran)).toBe(false);
  await place.belay(["run", "Stop", "--config", config]);
  expect(existsSync(ran)).toBe(true);
});

test("a URL that a project's hook may not call", async () => {
  const place = scratch();
  const http = (url: string) => ({ hooks: [{ type: "http", url }] });
  place.file(
    ".belay/settings.json",
    JSON.stringify({ hooks: { Stop: [http("https://example.com/x"), http("http://127.0.0.1:9/x")] } }),
  );
  const { problems } = await check(place);
  expect(problems.map(({ code }) => code)).toEqual(["http-not-allowed", "config-untrusted"]);
});
