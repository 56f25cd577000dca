import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { search } from "../../src/tools/grep.ts";
import { type Input, type Scratch, scratch } from "./scratch.ts";

function tree(): Scratch {
  const made = scratch();
  made.write("a.ts", "const apple = 1;\nconst pear = 2;\n");
  made.write("b.md", "An Apple a day\r\nkeeps apples\r\n");
  made.write("src/c.ts", "// größer als ein apple €\n");
  made.write("src/deep/d.tsx", "plum\n");
  made.write(".env", "APPLE=1\n");
  made.write("binary", Buffer.from("apple\0apple\n"));
  made.write("node_modules/e.ts", "apple\n");
  made.write(".git/f.ts", "apple\n");
  symlinkSync("../a.ts", join(made.cwd, "src/link.ts"));
  symlinkSync("..", join(made.cwd, "src/up"));
  return made;
}

describe("what is found", () => {
  const content = { output_mode: "content" };
  const rows: [input: Input, found: string[]][] = [
    [{ pattern: "apple" }, ["a.ts", "b.md", "src/c.ts"]],
    [{ pattern: "apple", output_mode: "count" }, ["a.ts:1", "b.md:1", "src/c.ts:1"]],
    [{ pattern: "apple", "-i": true, output_mode: "count" }, [".env:1", "a.ts:1", "b.md:2", "src/c.ts:1"]],
    [
      { pattern: "apple", ...content },
      ["a.ts:1:const apple = 1;", "b.md:2:keeps apples", "src/c.ts:1:// größer als ein apple €"],
    ],
    [{ pattern: "apple", ...content, "-n": false, path: "a.ts" }, ["a.ts:const apple = 1;"]],
    [{ pattern: "apples$", ...content }, ["b.md:2:keeps apples"]],
    [{ pattern: "^const \\w+ = [2-9]", ...content }, ["a.ts:2:const pear = 2;"]],
    [{ pattern: "größer.*€" }, ["src/c.ts"]],
    [{ pattern: "GRÖSSER|GRÖßER", "-i": true }, ["src/c.ts"]],
    [{ pattern: "apple", glob: "*.ts" }, ["a.ts", "src/c.ts"]],
    [{ pattern: "apple", glob: "src/**/*.ts" }, ["src/c.ts"]],
    [{ pattern: "apple|plum", glob: "*.{md,tsx}" }, ["b.md", "src/deep/d.tsx"]],
    [{ pattern: "apple", path: "src" }, ["src/c.ts"]],
    [{ pattern: "apple", path: "node_modules" }, ["node_modules/e.ts"]],
    [{ pattern: "apple", path: "a.ts", glob: "*.md" }, []],
    [{ pattern: "cherry" }, []],
    [{ pattern: "apple.", path: "binary" }, []],
  ];
  it.each(rows)("%j", async (input, found) => {
    const result = await tree().call("Grep", input);
    expect(result.success).toBe(true);
    if (found.length > 0) expect(result.content).toBe(found.join("\n"));
    else expect(result.content).toMatch(/^no line matches /);
  });
});

describe("what is refused", () => {
  const rows: [input: Input, content: string | RegExp][] = [
    [{ pattern: "(a" }, /^the pattern \(a cannot be read: .*missing closing \)/],
    [{ pattern: "a(?=b)" }, /lookaround is not available/],
    [{ pattern: "(a)\\1" }, /cannot be read/],
    [{ pattern: "(a{500}){2}b{501}" }, /its repeats add up to more than 1000/],
    [{ pattern: "a", glob: "{a" }, /^the glob \{a cannot be read: a bracket or brace is not closed/],
    [{ pattern: "a", path: "scr" }, /^scr does not exist \(did you mean src\?\)/],
    [{ pattern: "a", path: "/dev/null" }, /^\/dev\/null is neither a file nor a folder/],
  ];
  it.each(rows)("%j", async (input, content) => {
    expect(await tree().call("Grep", input)).toEqual({
      content: expect.stringMatching(content),
      success: false,
    });
  });
});

describe("bounds", () => {
  it("lines or files up to head_limit, and a note", async () => {
    const { call, write } = scratch();
    for (const name of ["a", "b", "c"]) write(name, "x\n".repeat(300));
    const rows: [input: Input, entries: number, note: string | undefined][] = [
      [{ output_mode: "content" }, 250, "[the first 250 lines; there are more]"],
      [{ output_mode: "content", head_limit: 2 }, 2, "[the first 2 lines; there are more]"],
      [{ output_mode: "content", head_limit: 900 }, 900, undefined],
      [{ head_limit: 1 }, 1, "[the first 1 file; there are more]"],
      [{ head_limit: 3 }, 3, undefined],
      [{ output_mode: "count", head_limit: 2 }, 2, "[the first 2 files; there are more]"],
    ];
    for (const [input, entries, note] of rows) {
      const { content, response } = await call("Grep", { pattern: "x", ...input });
      const lines = content.split("\n");
      expect([input, lines.length, response?.truncated]).toEqual([
        input,
        entries + (note ? 1 : 0),
        note !== undefined,
      ]);
      if (note) expect(lines.at(-1)).toBe(note);
    }
  });

  it("30,000 characters, of each line 500 around the match, of each line 20,000 searched", async () => {
    const { call, write } = scratch();
    write(
      "long",
      `${`${"a".repeat(5000)}needle${"b".repeat(5000)}\n`.repeat(200)}${"c".repeat(30_000)}needle\n`,
    );
    const { content } = await call("Grep", { pattern: "needle", output_mode: "content" });
    expect(content.length).toBeLessThan(31_000);
    const lines = content.split("\n");
    expect(lines[0]).toMatch(/^long:1:…a*needleb*…$/);
    expect(lines.at(-1)).toBe(`[the first ${lines.length - 1} lines; there are more]`);
    expect(await call("Grep", { pattern: "cneedle" })).toMatchObject({
      content: "no line matches cneedle in .\n[1 line searched only up to 20000 characters]",
    });
  });

  it("a pattern that makes a backtracking engine hang, over 5 MB; the event loop goes on turning", async () => {
    const { call, write } = scratch();
    write("big.txt", `${"a".repeat(99)}!\n`.repeat(50_000));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    const { content } = await call("Grep", { pattern: "^(a+)+$" });
    clearInterval(timer);
    expect(content).toBe("no line matches ^(a+)+$ in .");
    expect(turns).toBeGreaterThan(5);
  });

  it("an abort in the middle of one file", async () => {
    const { call, write } = scratch();
    write("big.txt", `${"ab".repeat(50)}!\n`.repeat(100_000));
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await expect(call("Grep", { pattern: "(a|b)*(a|b)*c" }, controller.signal)).rejects.toThrow("enough");
  });

  it("of time", async () => {
    const { write, cwd } = scratch();
    for (let index = 0; index < 50; index += 1) write(`${index}.txt`, "a\n".repeat(100));
    const context = { cwd, signal: new AbortController().signal };
    const found = await search({ full: cwd, given: "." }, { pattern: "b" }, context, 0);
    expect(found).toMatchObject({
      content: expect.stringContaining("before everything was seen"),
      response: { truncated: true },
    });
  });
});
