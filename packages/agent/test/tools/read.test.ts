import { execFileSync } from "node:child_process";
import { closeSync, openSync, symlinkSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Input, scratch } from "./scratch.ts";

const numbered = (first: number, lines: readonly string[]) =>
  lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join("\n");
const words = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

describe("text", () => {
  const long = "x".repeat(2000);
  const rows: [name: string, file: string | Buffer, input: Input, content: string][] = [
    ["a file", "a\nb\n", {}, numbered(1, ["a", "b"])],
    ["without a last line end", "a\nb", {}, numbered(1, ["a", "b"])],
    ["empty lines", "\n\na\n", {}, numbered(1, ["", "", "a"])],
    ["CRLF and a BOM", "\uFEFFa\r\nb\r\n", {}, numbered(1, ["a", "b"])],
    ["unicode", "größer\n€ 😀\n漢字", {}, numbered(1, ["größer", "€ 😀", "漢字"])],
    ["bytes that are no UTF-8", Buffer.from([0x61, 0xff, 0x0a]), {}, numbered(1, ["a\uFFFD"])],
    ["an empty file", "", {}, "[the file is empty]"],
    ["from an offset", words(9).join("\n"), { offset: 8 }, numbered(8, ["line 8", "line 9"])],
    [
      "a part",
      words(9).join("\n"),
      { offset: 2, limit: 2 },
      `${numbered(2, ["line 2", "line 3"])}\n[lines 2 to 3; the file goes on: read it with offset 4]`,
    ],
    ["up to a very end", "a\nb\n", { limit: 2 }, numbered(1, ["a", "b"])],
    ["up to the very end", words(3).join("\n"), { limit: 3 }, numbered(1, words(3))],
    [
      "2000 lines and no more",
      words(2001).join("\n"),
      {},
      `${numbered(1, words(2000))}\n[lines 1 to 2000; the file goes on: read it with offset 2001]`,
    ],
    ["a line that just fits", `${long}\r\n`, {}, numbered(1, [long])],
    [
      "a line that does not",
      `${long}x\nb`,
      {},
      `${numbered(1, [`${long}…`, "b"])}\n[1 line cut at 2000 characters]`,
    ],
    [
      "a cut inside a character",
      `${"x".repeat(1999)}😀`,
      {},
      `${numbered(1, [`${"x".repeat(1999)}…`])}\n[1 line cut at 2000 characters]`,
    ],
  ];
  it.each(rows)("%s", async (_, file, input, content) => {
    const { call, write } = scratch();
    write("file.txt", file);
    expect(await call("Read", { file_path: "file.txt", ...input })).toEqual({ content, success: true });
  });
});

describe("what cannot be read", () => {
  const rows: [path: string, content: string][] = [
    ["folder", "folder is a folder: list it with Glob, or with ls in Bash"],
    ["reamde.md", "reamde.md does not exist (did you mean README.md?)"],
    ["folder/nothing-like-it", "folder/nothing-like-it does not exist"],
    ["nowhere/a.txt", "nowhere/a.txt does not exist, and neither does its folder CWD/nowhere"],
    ["README.md/a.txt", "cannot read README.md/a.txt: a part of its path is a file, not a folder"],
    ["binary", "binary is no text: a binary file of 5 bytes"],
    ["circle", "cannot read circle: its links lead in a circle"],
    ["pipe", "cannot read pipe: it is a pipe, a socket or a device, not a file"],
    ["/dev/zero", "cannot read /dev/zero: it is a pipe, a socket or a device, not a file"],
    ["n\0l", "cannot read n\0l: it is no path: it holds a NUL character"],
    ["x".repeat(300), `cannot read ${"x".repeat(300)}: its name is too long`],
  ];
  it.each(rows)("%s", async (path, content) => {
    const { call, write, cwd } = scratch();
    write("README.md", "hello");
    write("folder/a.txt", "a");
    write("binary", Buffer.from("ab\0cd"));
    symlinkSync("circle", join(cwd, "circle"));
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    expect(await call("Read", { file_path: path })).toEqual({
      content: content.replace("CWD", cwd),
      success: false,
    });
  });

  it("a line after the end", async () => {
    const { call, write } = scratch();
    write("a.txt", "a\nb\n");
    expect(await call("Read", { file_path: "a.txt", offset: 9 })).toEqual({
      content: "a.txt has no line 9: it has 2 lines",
      success: false,
    });
  });
});

describe("large files", () => {
  it("of 5 MB: the answer is bounded, and can be gone on with", async () => {
    const { call, write } = scratch();
    write(
      "big.txt",
      Array.from({ length: 5000 }, (_, index) => `${index + 1} ${"y".repeat(1000)}`).join("\n"),
    );
    const { content } = await call("Read", { file_path: "big.txt" });
    expect(content.length).toBeLessThan(205_000);
    const [, next] = /read it with offset (\d+)\]$/.exec(content) ?? [];
    expect(content).toContain(`\n${String(Number(next) - 1).padStart(6)}\t${Number(next) - 1} y`);
    const more = await call("Read", { file_path: "big.txt", offset: Number(next), limit: 1 });
    expect(more.content).toContain(`${next}\t${next} y`);
  });

  it("of 3 GB, one line of it, is not held in memory", async () => {
    const { call, cwd } = scratch();
    const file = join(cwd, "huge.txt");
    const handle = openSync(file, "w");
    writeSync(handle, `first\n${"z".repeat(100_000)}`);
    closeSync(handle);
    truncateSync(file, 3 * 1024 ** 3);
    expect(await call("Read", { file_path: "huge.txt", limit: 1 })).toEqual({
      content: `${numbered(1, ["first"])}\n[lines 1 to 1; the file goes on: read it with offset 2]`,
      success: true,
    });
  });

  it("of 100 MB, a line of it: the next one is found", async () => {
    const { call, cwd } = scratch();
    const file = join(cwd, "huge.txt");
    const handle = openSync(file, "w");
    writeSync(handle, "€".repeat(100_000));
    writeSync(handle, "\nlast €\n", 100 * 1024 ** 2);
    closeSync(handle);
    expect(await call("Read", { file_path: "huge.txt" })).toEqual({
      content: `${numbered(1, [`${"€".repeat(2000)}…`, "last €"])}\n[1 line cut at 2000 characters]`,
      success: true,
    });
  });

  it("an abort ends the reading of one", async () => {
    const { call, cwd } = scratch();
    const file = join(cwd, "huge.txt");
    const handle = openSync(file, "w");
    writeSync(handle, `first\n${"z".repeat(100_000)}`);
    closeSync(handle);
    truncateSync(file, 8 * 1024 ** 3);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 100);
    await expect(call("Read", { file_path: "huge.txt", offset: 5 }, controller.signal)).rejects.toThrow(
      "enough",
    );
  });
});
