import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch } from "./scratch.ts";

describe("a new content", () => {
  const rows: [name: string, path: string, content: string, said: string][] = [
    ["of a new file", "new.txt", "a\nb\n", "created new.txt (2 lines)"],
    ["in folders that do not exist", "a/b/c.txt", "a", "created a/b/c.txt (1 line)"],
    ["of an existing file", "old.txt", "größer\n€😀", "updated old.txt (2 lines)"],
    ["that is empty", "old.txt", "", "updated old.txt (0 lines)"],
    ["with CRLF", "new.txt", "a\r\nb\r\n", "created new.txt (2 lines)"],
  ];
  it.each(rows)("%s", async (_, path, content, said) => {
    const { call, write, cwd } = scratch();
    write("old.txt", "old\n");
    const [type] = said.split(" ");
    const lines = Number(/\((\d+)/.exec(said)?.[1]);
    expect(await call("Write", { file_path: path, content })).toEqual({
      content: said,
      success: true,
      response: { filePath: join(cwd, path), type, lines },
    });
    expect(readFileSync(join(cwd, path), "utf8")).toBe(content);
    expect(readdirSync(cwd, { recursive: true }).filter((name) => String(name).includes(".tmp"))).toEqual([]);
  });
});

it.each([0o755, 0o600, 0o640])("an existing file keeps its mode %o", async (mode) => {
  const { call, write } = scratch();
  const file = write("run.sh", "old");
  chmodSync(file, mode);
  await call("Write", { file_path: "run.sh", content: "new" });
  await call("Edit", { file_path: "run.sh", old_string: "new", new_string: "newer" });
  expect([statSync(file).mode & 0o777, readFileSync(file, "utf8")]).toEqual([mode, "newer"]);
});

describe("through links", () => {
  const rows: [name: string, target: string, said: string][] = [
    ["to a file", "elsewhere/real.txt", "updated link.txt (1 line)"],
    ["to nothing yet", "elsewhere/new.txt", "created link.txt (1 line)"],
    ["to a link", "second.txt", "updated link.txt (1 line)"],
  ];
  it.each(rows)("%s: the target is written and the link stays", async (_, target, said) => {
    const { call, write, cwd } = scratch();
    write("elsewhere/real.txt", "old");
    symlinkSync("elsewhere/real.txt", join(cwd, "second.txt"));
    symlinkSync(target, join(cwd, "link.txt"));
    expect(await call("Write", { file_path: "link.txt", content: "new" })).toMatchObject({ content: said });
    expect(lstatSync(join(cwd, "link.txt")).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(cwd, "second.txt")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, target), "utf8")).toBe("new");
  });
});

describe("what cannot be written", () => {
  const rows: [path: string, content: string][] = [
    ["folder", "cannot write folder: it is a folder"],
    ["file/a.txt", "cannot write file/a.txt: a part of its path is a file, not a folder"],
    ["circle", "cannot write circle: its links lead in a circle"],
    ["/dev/null", "cannot write /dev/null: it is a pipe, a socket or a device, not a file"],
    ["x".repeat(300), `cannot write ${"x".repeat(300)}: its name is too long`],
  ];
  it.each(rows)("%s", async (path, content) => {
    const { call, write, cwd } = scratch();
    mkdirSync(join(cwd, "folder"));
    write("file", "kept");
    symlinkSync("circle", join(cwd, "circle"));
    expect(await call("Write", { file_path: path, content: "new" })).toEqual({ content, success: false });
    expect(readdirSync(cwd).sort()).toEqual(["circle", "file", "folder"]);
    expect(readFileSync(join(cwd, "file"), "utf8")).toBe("kept");
  });
});

describe("races", () => {
  const big = (letter: string) => letter.repeat(3 * 1024 * 1024);

  it("two Writes of one file: it is one of them, whole, at every moment", async () => {
    const { call, write, cwd } = scratch();
    const file = write("a.txt", big("o"));
    const seen = new Set<string>();
    let isDone = false;
    const watching = (async () => {
      while (!isDone) {
        const text = readFileSync(file, "utf8");
        seen.add(`${text.length} ${text[0]}${text.at(-1)}`);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let round = 0; round < 5; round += 1)
      await Promise.all(
        ["x", "y"].map((letter) => call("Write", { file_path: "a.txt", content: big(letter) })),
      );
    isDone = true;
    await watching;
    const length = 3 * 1024 * 1024;
    for (const state of seen) expect([`${length} oo`, `${length} xx`, `${length} yy`]).toContain(state);
    expect(readdirSync(cwd)).toEqual(["a.txt"]);
  });

  it("50 Edits of one file at once, by two names: none is lost", async () => {
    const { call, write, cwd } = scratch();
    write("a.txt", Array.from({ length: 50 }, (_, index) => `<${index}>`).join("\n"));
    symlinkSync("a.txt", join(cwd, "b.txt"));
    const edits = Array.from({ length: 50 }, (_, index) =>
      call("Edit", {
        file_path: index % 2 ? "a.txt" : "b.txt",
        old_string: `<${index}>`,
        new_string: `done ${index}`,
      }),
    );
    expect((await Promise.all(edits)).filter(({ success }) => !success)).toEqual([]);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe(
      Array.from({ length: 50 }, (_, index) => `done ${index}`).join("\n"),
    );
  });

  it("an abort while it is written leaves the old content, and nothing beside it", async () => {
    const { call, write, cwd } = scratch();
    const file = write("a.txt", "old");
    const controller = new AbortController();
    const writing = call("Write", { file_path: "a.txt", content: "n".repeat(50_000_000) }, controller.signal);
    for (let tries = 0; tries < 2000 && readdirSync(cwd).length < 2; tries += 1)
      await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("enough"));
    await expect(writing).rejects.toThrow("enough");
    expect([readdirSync(cwd), readFileSync(file, "utf8")]).toEqual([["a.txt"], "old"]);
  });
});
