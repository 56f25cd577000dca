import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startHost } from "./processes.ts";
import { codes, said, scratch, settings } from "./scratch.ts";
import { nested, PROJECT, ran } from "./trust-project.ts";

/** Every level can be read with its variable and without. */
function nestedInWays(command: string, depth: number): string {
  if (depth === 0) return command;
  return nestedInWays(`\${HOME:+u} "${command.replaceAll(/["\\$`]/g, "\\$&")}"`, depth - 1);
}

describe("a hook that is not looked through to its end cannot be trusted", () => {
  const many = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n));
  const rows: [why: string, command: string, files: string[]][] = [
    ["its command is longer than 16384 characters", `true ${"x ".repeat(9000)}`, []],
    ["its command quotes commands in commands too often", nested("sh a b", 8), []],
    ["its command quotes commands in commands too often", nestedInWays("a ".repeat(7300), 6), []],
    [
      "its command names more than 30 folders",
      `true ${many(40, (n) => `d${n}`).join(" ")}; cd sub && ./guard.sh`,
      [...many(40, (n) => `d${n}/x`), "sub/guard.sh"],
    ],
    ["it imports more than 256 files", "node a.js", many(300, (n) => `n${n}.js`)],
    ["it has too many words that may be names of files", `node ${many(2000, (n) => `./${n}`).join(" ")}`, []],
  ];
  it.each(rows)("%s", async (why, command, files) => {
    const room = scratch();
    for (const file of files) room.write(`project/${file}`, "");
    room.write("project/a.js", files.map((file) => `require("./${file}");`).join(""));
    room.write(PROJECT, settings("Stop", { type: "command", command, name: "guard" }));
    await room.trustAll();
    const outcome = await (await room.engine()).fire("Stop");
    expect([outcome.runs, codes(outcome)]).toEqual([[], ["hook-untrusted", "hook-not-trustable"]]);
    const message = `guard cannot be trusted as it is: ${why}, so an edit could go unseen`;
    expect(outcome.diagnostics[1]).toMatchObject({ hook: "guard", message });
    expect(said(outcome)[1]).toContain(message);
  });

  it("and is one that was edited, if it was trusted before", async () => {
    const room = scratch();
    const guard = { type: "command", command: "node a.js", onFailure: "block" };
    room.write("project/a.js", "");
    room.write(PROJECT, settings("PreToolUse", guard));
    await room.trustAll();
    const engine = await room.engine();
    const blocked = async () =>
      (await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} })).blocked;
    expect(await blocked()).toBe(false);
    const names = many(300, (n) => `./n${n}.js`);
    for (const name of names) room.write(`project/${name}`, "");
    room.write("project/a.js", names.map((name) => `require("${name}");`).join(""));
    await room.trustAll();
    expect(await blocked()).toBe(true);
  });
});

it("hooks that were never trusted are not looked through before an event", async () => {
  const room = scratch();
  for (let n = 0; n < 30; n += 1) room.write(`project/d${n}/x`, "");
  const folders = Array.from({ length: 30 }, (_, n) => `d${n}`).join(" ");
  const hooks = Array.from({ length: 300 }, (_, n) => ({
    type: "command",
    command: `node ${folders} ${"x y z ".repeat(300)} ${n}`,
  }));
  room.write(PROJECT, settings("SessionEnd", ...hooks));
  const engine = await room.engine();
  // To look through all of them takes longer than a test may.
  expect(codes(await engine.fire("Stop"))).toEqual(["hook-untrusted"]);
});

describe("what is no plain file is not read, whoever names it", () => {
  const UNCLEAR = "hook-untrusted hook-not-trustable\n";
  const rows: [name: string, hook: object, codes: unknown][] = [
    ["a pipe that looks like a script", { type: "command", command: "./pipe.sh" }, UNCLEAR],
    ["a pipe as a module", { type: "module", module: "../pipe.sh" }, UNCLEAR],
    ["a link to a pipe", { type: "module", module: "../link.mjs" }, UNCLEAR],
    ["stdin as a module", { type: "module", module: "/dev/stdin" }, UNCLEAR],
    ["a script that never ends", { type: "command", command: "./endless.sh" }, UNCLEAR],
    ["a device as a module", { type: "module", module: "/dev/zero" }, UNCLEAR],
    [
      "a file of the kernel that waits, to whoever may open it",
      { type: "module", module: "/proc/kmsg" },
      expect.stringMatching(/^hook-untrusted\b/),
    ],
    ["a folder", { type: "module", module: ".." }, "hook-untrusted\n"],
  ];
  it.each(rows)("%s", async (_name, hook, stdout) => {
    const room = scratch();
    execFileSync("mkfifo", [join(room.project, "pipe.sh")]);
    symlinkSync("pipe.sh", join(room.project, "link.mjs"));
    symlinkSync("/dev/zero", join(room.project, "endless.sh"));
    room.write(PROJECT, settings("Stop", hook));
    const host = startHost("untrusted.mjs", [room.project, room.home]);
    const limit = setTimeout(() => host.kill("SIGKILL"), 10_000);
    expect(await host.finished).toMatchObject({ signal: null, stdout });
    clearTimeout(limit);
  });
});

it.each(["pipe", "/dev/zero"])("a project's config file that is a link to %s is not read", async (target) => {
  const room = scratch();
  mkdirSync(join(room.project, ".belay"));
  execFileSync("mkfifo", [join(room.project, ".belay/pipe")]);
  symlinkSync(target, join(room.root, PROJECT));
  const host = startHost("untrusted.mjs", [room.project, room.home]);
  const limit = setTimeout(() => host.kill("SIGKILL"), 10_000);
  expect(await host.finished).toMatchObject({ signal: null, stdout: "config-unreadable\n" });
  clearTimeout(limit);
});

describe("commands that are hard to read do no harm", () => {
  const commands = [
    `true ${"x".repeat(5000)}`,
    `true '${"long text ".repeat(100)}'`,
    "true hooks.json/not/a/folder",
    "true / . .. ~ $HOME",
    "true 'unfinished",
    "true \\",
  ];
  it.each(commands.map((command) => [command.slice(0, 40), command]))("%s", async (_name, command) => {
    const room = scratch();
    room.write("project/hooks.json", "x");
    room.write(PROJECT, settings("Stop", { type: "command", command }));
    await room.trustAll();
    expect(await ran(room)).toBe(true);
  });
});
