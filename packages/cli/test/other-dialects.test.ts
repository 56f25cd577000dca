import { checkConfig } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import type { Report } from "./checking.ts";
import { scratch } from "./cli.ts";

const hooks = (event: string) =>
  JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: "command", command: "true" }] }] } });
const UNREAD = "belay: hooks that are not read here: ";

async function said(args: readonly string[], files: Readonly<Record<string, string>>): Promise<string> {
  const room = scratch();
  for (const [name, text] of Object.entries(files)) room.file(name, text);
  return (await room.belay(args)).stderr;
}

describe("a project with hooks of several dialects", () => {
  const BOTH = { ".belay/settings.json": hooks("Stop"), ".claude/settings.json": hooks("PreToolUse") };
  const ROWS: [args: string[], files: Record<string, string>, said: string][] = [
    [["check"], BOTH, `${UNREAD}.claude/settings.json (--dialect claude-code)\n`],
    [["check", "--json"], BOTH, `${UNREAD}.claude/settings.json (--dialect claude-code)\n`],
    [["check", "--dialect", "claude-code"], BOTH, `${UNREAD}.belay/settings.json (without --dialect)\n`],
    [
      ["check"],
      { ...BOTH, ".wave/settings.local.json": hooks("Stop"), "hooks/hooks.json": hooks("Stop") },
      `${UNREAD}.wave/settings.local.json (--dialect wave), hooks/hooks.json (--dialect pact), .claude/settings.json (--dialect claude-code)\n`,
    ],
    [["why", "PreToolUse"], BOTH, `${UNREAD}.claude/settings.json (--dialect claude-code)\n`],
    [["run", "PreToolUse"], BOTH, `${UNREAD}.claude/settings.json (--dialect claude-code)\n`],
    // Hooks of this dialect match, or its files were named, or the others hold none.
    [["why", "Stop"], BOTH, ""],
    [["run", "Stop"], BOTH, ""],
    [["run", "PreToolUse", "--json"], BOTH, ""],
    [["check", "--config", ".belay/settings.json"], BOTH, ""],
    [["check"], { ...BOTH, ".claude/settings.json": '{ "permissions": {} }' }, ""],
  ];
  it.each(ROWS)("belay %j", async (args, files, expected) => {
    expect(await said(args, files)).toBe(expected);
  });
});

describe("what only Belay knows, in a file of Claude Code", () => {
  const field = { type: "command", command: "true", onFailure: "block" };
  const named = (variable: string) => ({ type: "command", command: `"$${variable}"/guard.sh` });
  const unset = (name: string) =>
    `\`$${name}\` is not read by Claude Code: it is not set there, and what it names is not found`;
  const NOT_READ = '`"onFailure": "block"` is not read by Claude Code: a fault lets work go on there';
  const rows: [file: string, hook: object, told: string[]][] = [
    [".claude/settings.json", field, [NOT_READ]],
    ["../home/.claude/settings.json", field, [NOT_READ]],
    [".belay/settings.json", field, []],
    [".claude/settings.json", named("BELAY_PROJECT_DIR"), [unset("BELAY_PROJECT_DIR")]],
    [".claude/settings.json", named("WAVE_PROJECT_DIR"), [unset("WAVE_PROJECT_DIR")]],
    [".claude/settings.json", named("CLAUDE_PROJECT_DIR"), []],
    [".claude/settings.json", named("{BELAY_PROJECT_DIR:-$CLAUDE_PROJECT_DIR}"), []],
    [".belay/settings.json", named("BELAY_PROJECT_DIR"), []],
  ];
  it.each(rows)("%s: %j", async (file, hook, told) => {
    const room = scratch();
    room.file("guard.sh", "#!/bin/sh\n", 0o755);
    room.config({ PreToolUse: [{ hooks: [hook] }] }, file);
    const { project: cwd, home } = room;
    const dialect = file.startsWith(".belay") ? {} : { dialect: "claude-code" as const };
    const { problems } = await checkConfig({ cwd, home, ...dialect });
    const found = problems.filter(({ code }) => code === "config-belay-field");
    expect(found.map(({ message }) => message)).toEqual(told);
    for (const { fix } of found.filter(({ message }) => message.startsWith("`$")))
      expect(fix).toBe("Write $CLAUDE_PROJECT_DIR, which is set here as well.");
  });
});

describe("what only Belay reads past", () => {
  const plain = hooks("Stop");
  const TEXTS: [what: string, text: string, line: number | undefined][] = [
    ["plain JSON", plain, undefined],
    ["a comment", `{\n  // guards\n${plain.slice(1)}`, 2],
    ["a comma too many", `${plain.slice(0, -1)},\n}`, 2],
    ["one in a list", plain.replace("]", ",\n]"), 2],
    ["a comment behind a colon", plain.replace(":", ":\n/* guards */"), 2],
    ["a byte order mark", `\uFEFF${plain}`, 1],
  ];
  it.each(TEXTS)("in a file of Claude Code, which skips it whole: %s", async (_, text, line) => {
    const room = scratch();
    for (const name of [".claude/settings.json", ".belay/settings.json"]) room.file(name, text);
    const told = async (...args: string[]) =>
      JSON.parse((await room.belay(["check", "--json", ...args])).stdout) as Report;
    const found = expect.objectContaining({
      code: "config-belay-syntax",
      file: `${room.project}/.claude/settings.json`,
      line,
      message: expect.stringMatching(/^Claude Code skips the whole file/) as string,
    });
    const { problems } = await told("--dialect", "claude-code");
    const own = (await told()).problems;
    const isTold = (one: { code: string }) => one.code === "config-belay-syntax";
    expect([problems.filter(isTold), own.filter(isTold)]).toEqual([line === undefined ? [] : [found], []]);
  });
});

describe("a type of hook that only Claude Code runs, in its own file, is no error that keeps hooks off", () => {
  const AGENT = { type: "agent", prompt: "Is it safe?" };
  it.each([[[AGENT]], [[AGENT, { type: "command", command: "true" }]]])("%j", async (hooks) => {
    const room = scratch();
    room.config({ PreToolUse: [{ hooks }] }, ".claude/settings.json");
    const told = async (...args: string[]) => {
      const { code, stdout, stderr } = await room.belay([...args, "--dialect", "claude-code"]);
      return [code, /keeps an entry off/.test(stdout + stderr)];
    };
    expect(await told("trust", "--yes")).toEqual([0, false]);
    expect(await told("run", "PreToolUse")).toEqual([0, false]);
    expect(await told("why", "PreToolUse")).toEqual([0, false]);
    if (hooks.length > 1)
      expect(await told("replay", "--rerun", "--config", ".claude/settings.json")).toEqual([0, false]);
  });
});
