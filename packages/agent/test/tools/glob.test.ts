import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { growthOf, LINEAR } from "../../../core/test/growth.ts";
import { globTest } from "../../src/tools/files/walk.ts";
import { find } from "../../src/tools/glob.ts";
import { type Input, type Scratch, scratch } from "./scratch.ts";

/** In this order from the oldest to the newest. */
const FILES = [
  "outside/deep/x.ts",
  "a.ts",
  "b.tsx",
  ".hidden/c.ts",
  "src/d.ts",
  "src/e.test.ts",
  "src/deep/f.ts",
  "src/deep/[id].ts",
  "src/größer €.md",
  "node_modules/pkg/g.ts",
  ".git/h.ts",
  "src/node_modules/i.ts",
];

function tree(): Scratch {
  const made = scratch();
  for (const [index, path] of FILES.entries()) utimesSync(made.write(path, ""), index + 1, index + 1);
  symlinkSync("../outside", join(made.cwd, "src/linked-folder"));
  symlinkSync("nowhere", join(made.cwd, "src/dangling.ts"));
  return made;
}

describe("which files", () => {
  const rows: [input: Input, files: string[]][] = [
    [{ pattern: "*.ts" }, ["a.ts"]],
    [{ pattern: "./*.ts" }, ["a.ts"]],
    [
      { pattern: "**/*.ts" },
      [
        "src/deep/[id].ts",
        "src/deep/f.ts",
        "src/e.test.ts",
        "src/d.ts",
        ".hidden/c.ts",
        "a.ts",
        "outside/deep/x.ts",
      ],
    ],
    [{ pattern: "*.{ts,tsx}" }, ["b.tsx", "a.ts"]],
    [{ pattern: "src/*.ts" }, ["src/e.test.ts", "src/d.ts"]],
    [{ pattern: "*.ts", path: "src" }, ["src/e.test.ts", "src/d.ts"]],
    [{ pattern: "deep/**", path: "src" }, ["src/deep/[id].ts", "src/deep/f.ts"]],
    [{ pattern: "src/d.ts" }, ["src/d.ts"]],
    [{ pattern: "src/deep/\\[id\\].ts" }, ["src/deep/[id].ts"]],
    [{ pattern: "src/?.ts" }, ["src/d.ts"]],
    [{ pattern: "[!a].ts*" }, ["b.tsx"]],
    [{ pattern: "**/*€*" }, ["src/größer €.md"]],
    [{ pattern: "{src,.hidden}/*.ts" }, ["src/e.test.ts", "src/d.ts", ".hidden/c.ts"]],
    [{ pattern: "../work/*.tsx" }, ["b.tsx"]],
    [{ pattern: "*/../../**" }, []],
    [{ pattern: "node_modules/*/*.ts" }, ["node_modules/pkg/g.ts"]],
    [{ pattern: "src/linked-folder/**" }, ["src/linked-folder/deep/x.ts"]],
    [{ pattern: "*.none" }, []],
  ];
  it.each(rows)("%j", async (input, files) => {
    const { call } = tree();
    const { content, success, response } = await call("Glob", input);
    expect([success, response]).toEqual([
      true,
      { filenames: files, numFiles: files.length, truncated: false },
    ]);
    if (files.length > 0) expect(content).toBe(files.join("\n"));
    else expect(content).toMatch(/^no file matches /);
  });

  it("from an absolute pattern, and those outside of the working folder by their full paths", async () => {
    const { call, cwd } = tree();
    const outside = join(cwd, "src");
    expect(await call("Glob", { pattern: `${cwd}/*.ts` })).toMatchObject({ content: "a.ts" });
    const elsewhere = scratch();
    expect(await elsewhere.call("Glob", { pattern: "*.md", path: outside })).toMatchObject({
      content: join(outside, "größer €.md"),
    });
  });

  it("a name with a line end in it cannot pass for two", async () => {
    const { call, write } = scratch();
    write("a\nb.ts", "");
    expect(await call("Glob", { pattern: "*" })).toMatchObject({ content: '"a\\nb.ts"' });
  });
});

describe("what is refused", () => {
  const rows: [input: Input, content: string][] = [
    [{ pattern: "{a,b" }, "the pattern {a,b cannot be read: a bracket or brace is not closed"],
    [{ pattern: "*", path: "scr" }, "scr does not exist (did you mean src?)"],
    [{ pattern: "*", path: "a.ts" }, "a.ts is a file, not a folder"],
  ];
  it.each(rows)("%j", async (input, content) => {
    expect(await tree().call("Glob", input)).toEqual({ content, success: false });
  });
});

it("200 of many, the last changed first", async () => {
  const { call, write } = scratch();
  for (let index = 0; index < 1200; index += 1)
    utimesSync(write(`${index % 7}/${index}.txt`, ""), index + 1, index + 1);
  const { content, response } = await call("Glob", { pattern: "**" });
  const newest = Array.from({ length: 200 }, (_, index) => `${(1199 - index) % 7}/${1199 - index}.txt`);
  expect(content.split("\n")).toEqual([
    ...newest,
    "[the 200 last changed of 1200: give a narrower pattern for others]",
  ]);
  expect(response).toMatchObject({ numFiles: 1200, truncated: true });
});

it("patterns that make a backtracking engine hang", async () => {
  const rows: [pattern: string, path: string, expected: boolean][] = [
    [`${"*a".repeat(30)}*b`, "a".repeat(250), false],
    [`${"*a".repeat(30)}*b`, `${"a".repeat(250)}b`, true],
    [`${"**/a/".repeat(20)}b`, `${"a/".repeat(200)}c`, false],
    [`${"{a,aa}".repeat(30)}b`, "a".repeat(60), false],
    [`${"+(a|aa)".repeat(10)}b`, "a".repeat(200), false],
  ];
  for (const [pattern, path, expected] of rows) {
    const test = await globTest(pattern);
    expect([pattern, test(path)]).toEqual([pattern, expected]);
    expect(growthOf(path, test)).toBeLessThan(LINEAR);
  }
});

describe("a long walk", () => {
  it("ends with its time, and says so", async () => {
    const { write, cwd } = scratch();
    for (let index = 0; index < 50; index += 1) write(`${index}/a.txt`, "");
    const { signal } = new AbortController();
    const found = await find({ full: cwd, given: "." }, { pattern: "**" }, { cwd, signal }, 0);
    expect(found.content).toContain("before everything was seen");
    expect(found.response).toMatchObject({ truncated: true });
    expect(found.response?.numFiles).toBeLessThan(50);
  });

  it.each<[string, Input]>([
    ["Glob", { pattern: "**/*.none" }],
    ["Grep", { pattern: "none", glob: "*.none" }],
  ])("%s ends with an abort", async (tool, input) => {
    const { call, cwd } = scratch();
    for (let index = 0; index < 40; index += 1)
      mkdirSync(join(cwd, `${index % 5}/${index}`), { recursive: true });
    const controller = new AbortController();
    const running = call(tool, input, controller.signal);
    setImmediate(() => controller.abort(new Error("enough")));
    await expect(running).rejects.toThrow("enough");
  });
});
