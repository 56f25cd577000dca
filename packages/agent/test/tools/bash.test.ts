import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { scratch, sleep } from "./scratch.ts";

describe("what a command did", () => {
  const rows: [command: string, content: string, response: object][] = [
    ["echo hello", "hello", { stdout: "hello\n", stderr: "", interrupted: false, exitCode: 0 }],
    ["true", "[no output]", { stdout: "", stderr: "", interrupted: false, exitCode: 0 }],
    [
      "echo warned >&2",
      "[stderr]\nwarned",
      { stdout: "", stderr: "warned\n", interrupted: false, exitCode: 0 },
    ],
    [
      "echo out; echo err >&2; exit 3",
      "out\n[stderr]\nerr\n[exit code 3]",
      { stdout: "out\n", stderr: "err\n", interrupted: false, exitCode: 3 },
    ],
    ["exit 1", "[exit code 1]", { stdout: "", stderr: "", interrupted: false, exitCode: 1 }],
    ["echo a; kill -9 $$", "a\n[killed by SIGKILL]", { stdout: "a\n", stderr: "", interrupted: false }],
    ["cat; echo end", "end", { stdout: "end\n", stderr: "", interrupted: false, exitCode: 0 }],
    [
      "printf 'größer €😀'",
      "größer €😀",
      { stdout: "größer €😀", stderr: "", interrupted: false, exitCode: 0 },
    ],
  ];
  it.each(rows)("%s", async (command, content, response) => {
    expect(await scratch().call("Bash", { command })).toEqual({
      content,
      success: "exitCode" in response && response.exitCode === 0,
      response,
    });
  });
});

it("runs in the working folder", async () => {
  const { call, cwd } = scratch();
  expect(await call("Bash", { command: "pwd" })).toMatchObject({ content: cwd });
});

it("says what is missing when the working folder is gone", async () => {
  const { call, cwd } = scratch();
  const { content, success, response } = await call("Bash", { command: `rm -r '${cwd}'` }).then(() =>
    call("Bash", { command: "ls" }),
  );
  expect({ content, success, response }).toEqual({
    content: `[could not start: the working folder ${cwd} does not exist]`,
    success: false,
    response: { stdout: "", stderr: "", interrupted: false },
  });
});

describe("ended before its time", () => {
  /** Each beats into a file while it lives; the last ignores TERM. */
  const beat = (file: string) => `while :; do echo beat >> ${file}; sleep 0.02; done`;
  const rows: [name: string, command: string][] = [
    ["a loop", `echo begun; ${beat("beats")}`],
    ["a child in the background", `(${beat("beats")}) & echo begun; sleep 60`],
    [
      "one that ignores TERM, and so does its child",
      `trap '' TERM; echo begun; (${beat("beats")}) & ${beat("other")}`,
    ],
  ];
  const isStill = async (file: string) => {
    const before = statSync(file).size;
    await sleep(300);
    return before > 0 && statSync(file).size === before;
  };

  it.each(rows)("by its timeout: %s", async (_, command) => {
    const { call, cwd } = scratch();
    const started = performance.now();
    const result = await call("Bash", { command, timeout: 400 });
    expect(performance.now() - started).toBeLessThan(5000);
    expect(result).toEqual({
      content: "begun\n[no exit within 0.4 s; its group was ended]",
      success: false,
      response: expect.objectContaining({ stdout: "begun\n", stderr: "", interrupted: true }),
    });
    expect(await isStill(join(cwd, "beats"))).toBe(true);
  });

  it.each(rows)("by an abort: %s", async (_, command) => {
    const { call, cwd } = scratch();
    const controller = new AbortController();
    const started = performance.now();
    setTimeout(() => controller.abort(new Error("enough")), 400);
    await expect(call("Bash", { command }, controller.signal)).rejects.toThrow("enough");
    expect(performance.now() - started).toBeLessThan(5000);
    expect(await isStill(join(cwd, "beats"))).toBe(true);
  });
});

it("a child left in the background does not hold the answer, and lives on", async () => {
  const { call, cwd, write } = scratch();
  const waits = "(while [ ! -e go ]; do sleep 0.05; done; echo late > late.txt)";
  expect(await call("Bash", { command: `${waits} & echo now` })).toMatchObject({
    content: "now",
    success: true,
  });
  write("go", "");
  const late = join(cwd, "late.txt");
  for (let tries = 0; tries < 200 && !existsSync(late); tries += 1) await sleep(50);
  expect(existsSync(late)).toBe(true);
});

describe("long output", () => {
  const rows: [name: string, command: string, kept: string][] = [
    ["just fits", "head -c 30000 /dev/zero | tr '\\0' a", "a".repeat(30_000)],
    [
      "one more",
      "head -c 30001 /dev/zero | tr '\\0' a",
      `${"a".repeat(15_000)}\n[… 1 byte left out …]\n${"a".repeat(15_000)}`,
    ],
    [
      "50 MB, with an end of its own",
      "echo first; head -c 52428800 /dev/zero | tr '\\0' x; echo; echo last",
      `first\n${"x".repeat(15_000 - 6)}\n[… 52398812 bytes left out …]\n${"x".repeat(15_000 - 6)}\nlast`,
    ],
  ];
  it.each(rows)("%s", async (_, command, kept) => {
    const { content, success } = await scratch().call("Bash", { command });
    expect([success, content.length]).toEqual([true, kept.length]);
    expect(content).toBe(kept);
  });

  it("100 MB on either stream leave memory flat", async () => {
    const host = fileURLToPath(new URL("../hosts/flood.mjs", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [host]);
    const { lengths, grownMiB } = JSON.parse(stdout);
    const length = 30_000 + "\n[… 104827600 bytes left out …]\n".length;
    expect(lengths).toEqual([length, length]);
    expect(grownMiB).toBeLessThan(60);
  });
});
