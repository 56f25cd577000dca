import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { growthOf, LINEAR, timesAsLong } from "../../core/test/growth.ts";
import { importedPaths } from "../src/config/import-names.ts";
import { codes, scratch, settings } from "./scratch.ts";

/** Of one folder, each another: ././, .//, .///./ */
function spelling(n: number): string {
  return `.${n.toString(2).replaceAll("0", "/").replaceAll("1", "/.")}/`;
}

/** What a module imports is part of its trust, however the import is written: no bound of the scan leaves one out. */

const PROJECT = "project/.belay/settings.json";
const MiB = 1024 * 1024;

async function trusted(text: string) {
  const room = scratch();
  room.write("project/.belay/a.mjs", text);
  room.write("project/.belay/b.mjs", "export default {};");
  room.write(PROJECT, settings("Stop", { type: "module", module: "./a.mjs", name: "guard" }));
  await room.trustAll();
  const fire = async () => (await room.engine()).fire("Stop");
  return { ...room, fire };
}

describe("an edit of what is imported asks again", () => {
  const rows: [name: string, text: string][] = [
    ["behind very many comments", `import b from ${"/**/".repeat(5000)} "./b.mjs"; export default () => b;`],
    [
      "behind very many lines of comment",
      `import b from${" // x\n".repeat(5000)} "./b.mjs"; export default () => b;`,
    ],
    ["by a very long name", `import b from "./${"./".repeat(20_000)}b.mjs"; export default () => b;`],
    ["by a name over two lines", "const b = await import(`./\nb.mjs`); export default () => b.default;"],
    ["by a name with the escape of a line break", 'import b from "./\\nb\\t.mjs"; export default () => b;'],
  ];
  it.each(rows)("%s", async (_name, text) => {
    const { fire, write } = await trusted(text);
    expect((await fire()).runs).toMatchObject([{ hook: "guard" }]);
    expect(codes(await fire())).toEqual([]);
    write("project/.belay/b.mjs", "export default { x: 1 };");
    expect((await fire()).runs).toEqual([]);
  });
});

it("a module too large to be read whole cannot be trusted: what it imports would go unseen", async () => {
  const filler = "\n".repeat(6 * MiB);
  const { fire } = await trusted(`${filler}import b from "./b.mjs"; export default () => b;${filler}`);
  const outcome = await fire();
  expect([outcome.runs, codes(outcome)]).toEqual([[], ["hook-untrusted", "hook-not-trustable"]]);
  expect(outcome.diagnostics[1]?.message).toContain("it has a script of more than 10 MB");
});

it("a text made to be slow to look through is not", async () => {
  const endless = await trusted("/**/ from /*");
  await endless.fire();
  const pieces = [
    "import /*import*/",
    "import//import\n",
    "from /*from */ /*",
    "from`from'from\"",
    "import(\\",
  ];
  const { fire } = await trusted(`/*${pieces.map((piece) => piece.repeat(20_000)).join("*/ /*")}`);
  await fire();
  for (const piece of pieces)
    expect(growthOf(`/*${piece.repeat(5000)}`, (text) => [...importedPaths(text, "/p")])).toBeLessThan(
      LINEAR,
    );
});

it("an import that is repeated without end is looked for once, as quickly as one that is no file's", () => {
  const look = (name: string) => {
    const text = `from"${name}"\n`.repeat(100_000);
    return () => [...importedPaths(text, "/p")];
  };
  expect(look("./a")().filter((path) => path !== undefined)).toEqual([resolve("/p/a")]);
  expect(timesAsLong(look("./a"), look("b/a"), 4)).toBeLessThan(4);
});

describe("what would take long at every event cannot be trusted, and does not take long", () => {
  const lines = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n));
  const large = `"${"x".repeat(9 * MiB)}"`;
  const rows: [why: string, files: Record<string, string>][] = [
    [
      "it has too many words that may be names of files",
      { "a.mjs": lines(400_000, (n) => `import"./${n}";`).join("\n") },
    ],
    [
      "it has files of more than 64 MB in all",
      {
        "a.mjs": lines(9, (n) => `import "./n${n}.mjs";`).join("\n"),
        ...Object.fromEntries(lines(9, (n) => `n${n}.mjs`).map((name) => [name, large])),
      },
    ],
    [
      "it has too many words that may be names of files",
      { "a.mjs": lines(200_000, (n) => `from"${spelling(n)}a"`).join("\n") },
    ],
    ["it has too many words that may be names of files", { "a.mjs": "import '".repeat(600_000) }],
  ];
  it.each(rows)("%s", async (why, files) => {
    const { fire, write } = await trusted("export default () => {};");
    for (const [name, text] of Object.entries(files)) write(`project/.belay/${name}`, text);
    const started = performance.now();
    const outcome = await fire();
    expect(performance.now() - started).toBeLessThan(10_000);
    expect([outcome.runs, codes(outcome)]).toEqual([[], ["hook-untrusted", "hook-not-trustable"]]);
    expect(outcome.diagnostics[1]?.message).toContain(why);
  });
});

it("a large package.json of very many folders is not read for each, nor kept", async () => {
  const { fire, write, project } = await trusted("export default () => {};");
  const names = Array.from({ length: 60 }, (_, n) => `d${n}`);
  write("project/.belay/d/package.json", JSON.stringify({ main: "y".repeat(9 * MiB) }));
  for (const name of names) symlinkSync("d", join(project, ".belay", name));
  write("project/.belay/a.mjs", names.map((name) => `require("./${name}");`).join("\n"));
  const started = performance.now();
  const outcome = await fire();
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(codes(outcome)).toEqual(["hook-untrusted", "hook-not-trustable"]);
  expect(outcome.diagnostics[1]?.message).toContain("it has files of more than 64 MB in all");
});
