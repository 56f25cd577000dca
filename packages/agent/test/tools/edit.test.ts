import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Input, scratch } from "./scratch.ts";

const replace = (old: string, put: string, more: Input = {}) => ({
  old_string: old,
  new_string: put,
  ...more,
});

describe("what is changed", () => {
  const rows: [name: string, before: string, input: Input, after: string, said: string][] = [
    ["one place", "a\nb\nc\n", replace("b", "B"), "a\nB\nc\n", "1 replacement, at line 2"],
    ["to nothing", "a\nb\nc\n", replace("b\n", ""), "a\nc\n", "1 replacement, at line 2"],
    [
      "every place",
      "x y x\nx",
      replace("x", "z", { replace_all: true }),
      "z y z\nz",
      "3 replacements, the first at line 1",
    ],
    [
      "nothing in it is a pattern",
      "a.*b $& (",
      replace(".*b $&", "$1$&$$"),
      "a$1$&$$ (",
      "1 replacement, at line 1",
    ],
    [
      "unicode",
      "größer € 😀\n漢字",
      replace("😀\n漢", "😎\n字"),
      "größer € 😎\n字字",
      "1 replacement, at line 1",
    ],
    [
      "lines of a CRLF file",
      "a\r\nb\r\nc\r\n",
      replace("a\nb", "1\n2\n3"),
      "1\r\n2\r\n3\r\nc\r\n",
      "1 replacement, at line 1",
    ],
    [
      "a word of a CRLF file",
      "a\r\nb\r\n",
      replace("b", "1\n2"),
      "a\r\n1\r\n2\r\n",
      "1 replacement, at line 2",
    ],
    [
      "CRLF given as it is",
      "a\r\nb\r\n",
      replace("a\r\nb", "1\r\n2"),
      "1\r\n2\r\n",
      "1 replacement, at line 1",
    ],
    [
      "one CRLF among LF stays",
      "a\r\nb\nc\nd\n",
      replace("c\nd", "1\n2"),
      "a\r\nb\n1\n2\n",
      "1 replacement, at line 3",
    ],
    ["a BOM stays", "\uFEFFa\nb", replace("a\nb", "c"), "\uFEFFc", "1 replacement, at line 1"],
    ["to the last character", "a\nb", replace("b", "b\n"), "a\nb\n", "1 replacement, at line 2"],
  ];
  it.each(rows)("%s", async (_, before, input, after, said) => {
    const { call, write } = scratch();
    const file = write("a.txt", before);
    expect(await call("Edit", { file_path: "a.txt", ...input })).toEqual({
      content: `updated a.txt: ${said}`,
      success: true,
      response: { filePath: file, replacements: Number.parseInt(said, 10) },
    });
    expect(readFileSync(file, "utf8")).toBe(after);
  });
});

describe("what is not", () => {
  const space = "with other whitespace: copy it exactly, with its indentation and line ends";
  const rows: [name: string, before: string | Buffer, input: Input, problem: string][] = [
    [
      "nothing to find",
      "a\n",
      replace("b", "c"),
      "old_string is not in the file: read the file again, it may have changed",
    ],
    [
      "other indentation",
      "f() {\n\treturn 1;\n}\n",
      replace("  return 1;\n}", "x"),
      `old_string is not in the file, but it is at line 2 ${space}`,
    ],
    [
      "other line ends",
      "z\na\r\nb\nc\nd\n",
      replace("a\nb", "x"),
      `old_string is not in the file, but it is at line 2 ${space}`,
    ],
    [
      "numbers of Read",
      "a\nb\n",
      replace("     1\ta\n     2\tb", "x"),
      "old_string is not in the file: leave out the line numbers that Read puts before each line",
    ],
    [
      "twice",
      "x\n\nx\n",
      replace("x", "y"),
      "old_string is in the file 2 times (lines 1, 3): give more of the text around the one that is meant, or set replace_all",
    ],
    [
      "many times",
      "x\n".repeat(9),
      replace("x", "y"),
      "old_string is in the file 9 times (lines 1, 2, 3, 4, 5 …): give more of the text around the one that is meant, or set replace_all",
    ],
    [
      "no UTF-8",
      Buffer.from([0x61, 0xff, 0x61]),
      replace("a", "b"),
      "it is no text in UTF-8, and would be damaged",
    ],
    [
      "far too much",
      "x".repeat(1000),
      replace("x", "y".repeat(50_000), { replace_all: true }),
      "the file would be longer than 20 MB after 1000 replacements",
    ],
  ];
  it.each(rows)("%s", async (_, before, input, problem) => {
    const { call, write } = scratch();
    const file = write("a.txt", before);
    expect(await call("Edit", { file_path: "a.txt", ...input })).toEqual({
      content: `cannot edit a.txt: ${problem}`,
      success: false,
    });
    expect(readFileSync(file)).toEqual(Buffer.from(before));
  });

  const places: [path: string, content: string][] = [
    ["b.txt", "b.txt does not exist (did you mean a.txt?)"],
    ["folder", "cannot edit folder: it is a folder"],
    ["/dev/null", "cannot edit /dev/null: it is a pipe, a socket or a device, not a file"],
    ["a.txt/b", "cannot edit a.txt/b: a part of its path is a file, not a folder"],
    ["dangling", "dangling does not exist"],
    ["/proc/self/pagemap", "cannot edit /proc/self/pagemap: it is longer than 20 MB"],
  ];
  it.each(places)("%s", async (path, content) => {
    const { call, write, cwd } = scratch();
    write("a.txt", "a");
    mkdirSync(join(cwd, "folder"));
    symlinkSync("nowhere", join(cwd, "dangling"));
    const result = await call("Edit", { file_path: path, ...replace("a", "b") });
    expect([result.success, result.content.slice(0, content.length)]).toEqual([false, content]);
  });

  it("the same by the same", async () => {
    expect(await scratch().call("Edit", { file_path: "a", ...replace("a", "a") })).toEqual({
      content: "old_string and new_string are the same: nothing to change",
      success: false,
    });
  });
});

it("one line of 5 MB", async () => {
  const { call, write } = scratch();
  const lines = Array.from({ length: 100_000 }, (_, index) => `${index} ${"x".repeat(45)}`);
  const file = write("big.txt", lines.join("\n"));
  const edit = replace("\n77777 x", "\nhere x");
  expect(await call("Edit", { file_path: "big.txt", ...edit })).toMatchObject({ success: true });
  lines[77_777] = `here ${"x".repeat(45)}`;
  expect(readFileSync(file, "utf8") === lines.join("\n")).toBe(true);
});
