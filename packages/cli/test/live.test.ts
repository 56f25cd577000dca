import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { milliseconds } from "../src/render/text.ts";
import { BIN, scratch } from "./cli.ts";
import { hasTmux, openTerminal } from "./tmux.ts";

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
  return { printed: () => printed, closed: once(child, "close") as Promise<[number | null]> };
}

describe.runIf(hasTmux())("while hooks run, on a terminal", () => {
  const open = () => {
    const { config, file, project, home } = scratch();
    const settings = config({
      PreToolUse: [{ hooks: [waiting("quick", "one"), waiting("slow", "two")] }],
    });
    const line = `${process.execPath} ${BIN} run PreToolUse --config ${settings}`;
    const env = { HOME: home, NO_COLOR: "", FORCE_COLOR: "" };
    return { file, ...openTerminal(line, { columns: 90, rows: 40, cwd: project, env }) };
  };

  it("says what fired at once, and which of them are being waited for", async () => {
    const { file, screen, shows, all, ended } = open();
    await shows("running: quick, slow");
    expect(screen()).toMatch(/^event +PreToolUse[\s\S]*match +2 of 2 hooks/);
    file("one", "");
    await shows("running: slow ");
    expect(screen()).not.toMatch(/decide|running: quick/);
    file("two", "");
    expect(await ended()).toBe(0);
    expect(all()).toMatch(/match +2 of 2 hooks.*\n+run +quick/);
    expect(all()).not.toContain("running:");
    expect(all().match(/event /g)).toHaveLength(1);
  });

  it("Ctrl-C names what was running", async () => {
    const { file, screen, shows, press, ended } = open();
    await shows("running: quick, slow");
    file("one", "");
    await shows("running: slow ");
    press("C-c");
    expect(await ended()).toBe(130);
    expect(screen()).toMatch(
      /^belay: interrupted while slow was running; it was ended, and nothing is decided$/m,
    );
    expect(screen()).not.toContain("running: slow");
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
