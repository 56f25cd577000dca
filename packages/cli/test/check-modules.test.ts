import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, run } from "./checking.ts";
import { scratch } from "./cli.ts";

describe("modules and http", () => {
  const rows: [what: string, file: string, text: string, detail: string[]][] = [
    ["a good module", "m.ts", "export default (input: object): object => ({});", []],
    ["a named export", "m.mjs", "export const hook = () => {};", []],
    ["a syntax error", "m.ts", "export default (: number) => {", ["m.ts does not load: "]],
    [
      "no export",
      "m.js",
      "const hook = 1;",
      ["m.js does not load: it exports no function (export default …)"],
    ],
    [
      "another kind of file",
      "m.txt",
      "x",
      ["m.txt does not load: its name does not end in one of .js .mjs .cjs .ts .mts .cts"],
    ],
  ];
  test.each(rows)("%s", async (_what, file, text, detail) => {
    const place = scratch();
    place.file(file, text);
    const config = place.config({ Stop: [{ hooks: [{ type: "module", module: `./${file}` }] }] });
    const { problems } = await check(place, "--config", config);
    expect(problems.map(({ message }) => message)).toEqual(
      detail.map((start) => expect.stringContaining(start)),
    );
  });

  const HOOK = "export default () => ({ x });";
  const imports: [what: string, file: string, text: string, missing: string[]][] = [
    ["a package", "m.mjs", `import x from "lodash";\n${HOOK}`, ['"lodash"']],
    [
      "a part of one, behind a comment",
      "m.ts",
      `// a\n/* b */ import { x } from "@a/b/c";\n${HOOK}`,
      ['"@a/b/c"'],
    ],
    ["a file", "m.js", `import { x } from "./gone.js"\nimport "./there.js";${HOOK}`, ['"./gone.js"']],
    ["an export from one", "m.mjs", `export { x } from 'gone';\nconst x = 1;${HOOK}`, ['"gone"']],
    [
      "one behind data",
      "m.mjs",
      `import x from "./there.json" with { type: "json" };\nimport "gone";\n${HOOK}`,
      ['"gone"'],
    ],
    ["only a type", "m.ts", `import type { X } from "lodash";\nconst x = 1 as X;${HOOK}`, []],
    [
      "what is there",
      "m.ts",
      `import "node:fs"; import "path"; import "have/x"; import { x } from "./there";\n${HOOK}`,
      [],
    ],
    ["what Belay brings", "m.ts", `import { defineHook as x } from "@belay/engine";\n${HOOK}`, []],
    ["text that looks so", "m.mjs", `const x = \`\nimport "lodash";\n\`; // import "lodash"\n${HOOK}`, []],
    ["one that may fail", "m.mjs", `const x = await import("lodash").catch(() => 1);\n${HOOK}`, []],
    [
      "other ways to name one",
      "m.mjs",
      `import x from "#x"; import y from "data:text/javascript,"; ${HOOK}`,
      [],
    ],
  ];
  test.each(imports)("an import of %s", async (_what, file, text, missing) => {
    const place = scratch();
    place.file(file, text);
    place.file("there.js", "export const x = 1;");
    place.file("there.ts", "export const x = 1;");
    place.file("there.json", "{}");
    place.file("node_modules/have/package.json", "{}");
    const config = place.config({ Stop: [{ hooks: [{ type: "module", module: `./${file}` }] }] });
    const { problems } = await check(place, "--config", config);
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual(
      missing.map(
        (name) =>
          `module-does-not-load: ${file} does not load: it imports ${name}, which is not found from there`,
      ),
    );
  });

  test("a module that is not there", async () => {
    const place = scratch();
    const config = place.config({ Stop: [{ hooks: [{ type: "module", module: "./gone.ts" }] }] });
    const { code, problems } = await check(place, "--config", config);
    expect([code, problems.map(({ code: found, fix }) => [found, fix])]).toEqual([
      1,
      [
        [
          "script-missing",
          "Create it or correct the path; a module is looked for beside its config file, then in the project.",
        ],
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
    const config = place.config({ Stop: [{ hooks: [{ type: "module", module: "./m.js" }] }] });
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
});
