import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, test } from "vitest";
import { milliseconds } from "../src/render/text.ts";
import { BIN, scratch } from "./cli.ts";

const TERMINAL = fileURLToPath(new URL("./terminal.py", import.meta.url));
const waiting = (name: string, file: string) => ({
  type: "command",
  command: `while [ ! -e ${file} ]; do sleep 0.05; done`,
  name,
});

function started(child: ChildProcessWithoutNullStreams) {
  let printed = "";
  const take = (text: string) => (printed += text);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", take);
  child.stdin.on("error", () => {});
  const until = (text: string) => expect.poll(() => printed, { timeout: 20_000 }).toContain(text);
  return { printed: () => printed, until, closed: once(child, "close") as Promise<[number | null]> };
}

describe("while hooks run, on a terminal", () => {
  const open = () => {
    const { config, file, project, home } = scratch();
    const settings = config({
      PreToolUse: [{ hooks: [waiting("quick", "one"), waiting("slow", "two")] }],
    });
    const args = [TERMINAL, "90", process.execPath, BIN, "run", "PreToolUse", "--config", settings];
    const env = { ...process.env, HOME: home, TERM: "xterm-256color" };
    const child = spawn("python3", args, { cwd: project, env });
    return { child, file, ...started(child) };
  };

  it("says what fired at once, and which of them are being waited for", async () => {
    const { file, printed, until, closed } = open();
    await until("running: quick, slow");
    expect(stripVTControlCharacters(printed())).toMatch(/^event +PreToolUse[\s\S]*match +2 of 2 hooks/);
    file("one", "");
    await until("running: slow ");
    expect(printed()).not.toContain("decide");
    file("two", "");
    expect(await closed).toEqual([0, null]);
    const [, after = ""] = printed().split(/running: slow [\s\S]*\r\u001b\[2K(?!.*running)/);
    expect(stripVTControlCharacters(after)).toMatch(/^run +quick/);
    expect(printed().match(/event /g)).toHaveLength(1);
  });

  it("Ctrl-C names what was running", async () => {
    const { child, file, printed, until, closed } = open();
    await until("running: quick, slow");
    file("one", "");
    await until("running: slow ");
    child.stdin.write("\u0003");
    expect(await closed).toEqual([130, null]);
    expect(printed()).toContain(
      "\u001b[2Kbelay: interrupted while slow was running; it was ended, and nothing is decided\r\n",
    );
  });
});

test.each([[[]], [["--json"]]])("a signal names what was running in a pipe too: %j", async (flags) => {
  const { config, project, home } = scratch();
  const settings = config({
    Stop: [{ hooks: [{ type: "command", command: "touch here; sleep 60", name: "guard" }] }],
  });
  const args = [BIN, "run", "Stop", "--config", settings, ...flags];
  const child = spawn(process.execPath, args, { cwd: project, env: { ...process.env, HOME: home } });
  const { printed, closed } = started(child);
  await expect.poll(() => existsSync(join(project, "here")), { timeout: 20_000 }).toBe(true);
  child.kill("SIGTERM");
  expect(await closed).toEqual([143, null]);
  expect(printed()).toContain(
    "belay: interrupted while guard was running; it was ended, and nothing is decided\n",
  );
  expect(printed()).not.toMatch(/\u001b|running: /);
});

describe("times", () => {
  const rows: [time: number, text: string][] = [
    [0.2, "<1 ms"],
    [12.4, "12 ms"],
    [999.4, "999 ms"],
    [999.6, "1.0 s"],
    [6010, "6.0 s"],
    [61_000, "61.0 s"],
  ];
  for (const [time, text] of rows) it(text, () => expect(milliseconds(time)).toBe(text));
});
