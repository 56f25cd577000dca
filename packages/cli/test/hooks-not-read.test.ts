import { checkConfig } from "@belay/engine/internal";
import { describe, expect, it } from "vitest";
import type { Report } from "./checking.ts";
import { type Scratch, scratch } from "./cli.ts";
import { bash, GUARD } from "./recorded.ts";

/* Hooks that stand in a file and are off because of an error in it: no command takes them for hooks that are not there. */

const TYPO = { PreTooluse: [{ matcher: "Bash", hooks: [GUARD] }] };
const FLAT = { PreToolUse: [GUARD] };
const WIDE = { env: { COLUMNS: "200", NO_COLOR: "1" } };

const OFF: readonly [what: string, hooks: object][] = [
  ["an event that there is not", TYPO],
  ["an entry without its group", FLAT],
  ["no object of events", []],
];

describe.each(OFF)("with %s", (_, hooks) => {
  it("belay trust says that they are off, and what says more", async () => {
    const place = settings(hooks);
    for (const args of [["trust"], ["trust", "--yes"]])
      expect(await place.belay(args, WIDE)).toEqual({
        code: 1,
        stdout:
          "1 error keeps all hooks of this project off, so there is nothing to trust; next: belay check\n",
        stderr: "",
      });
  });

  it("belay run and belay why do", async () => {
    const place = scratch();
    place.config(hooks);
    const args = ["PreToolUse", "--config", "hooks.json"];
    const run = await place.belay(["run", ...args], WIDE);
    expect(run.stdout).toContain(
      "match   1 error keeps all hooks off; next: belay check --config hooks.json\n",
    );
    const why = await place.belay(["why", ...args], WIDE);
    expect(why.stdout).toMatch(
      /^0 would fire for PreToolUse\n1 error keeps an entry off\n✗ .*hooks\.json:1\n/,
    );
  });
});

describe("with one that is off beside one that is not", () => {
  const SIDES: readonly [what: string, hooks: object][] = [
    ["of another event", { ...bash(GUARD), ...{ Stopp: [{ hooks: [GUARD] }] } }],
    ["of the same", { PreToolUse: [...bash(GUARD).PreToolUse, GUARD] }],
  ];

  it.each(SIDES)("belay trust says both: %s", async (_, hooks) => {
    const place = settings(hooks);
    const off = "1 error keeps an entry off; next: belay check\n";
    const asked = await place.belay(["trust"], WIDE);
    expect(asked.stdout).toContain(`\n${off}1 new hook not trusted.`);
    expect(asked.code).toBe(1);
    const trusted = await place.belay(["trust", "--yes"], WIDE);
    expect([trusted.code, trusted.stdout]).toEqual([0, expect.stringContaining(`\n${off}Trusted 1 hook.`)]);
    const again = await place.belay(["trust"], WIDE);
    expect(again.stdout).toContain(`\n${off}1 hook trusted as it is: nothing to do.\n`);
    expect(again.code).toBe(0);
  });

  it("an error of the user's own file is nothing to trust", async () => {
    const place = settings(bash(GUARD));
    place.file("../home/.belay/settings.json", JSON.stringify({ hooks: TYPO }));
    const { code, stdout } = await place.belay(["trust", "--yes"], WIDE);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("keeps")]);
  });

  it("belay run counts one without an event for every event: it may have been meant for this one", async () => {
    const place = scratch();
    place.config({ ...TYPO, Stop: [{ hooks: [GUARD] }] });
    const { stdout } = await place.belay(["run", "PreToolUse", "--config", "hooks.json"], WIDE);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "match 0 of 0 hooks for PreToolUse fire 1 error keeps an entry off; next: belay check",
    );
  });

  it.each([
    ["a permission", { permissions: { allow: [7] } }],
    ["a setting of the file", { dialect: "none" }],
  ])("an error in %s keeps no hook off", async (_, more) => {
    const place = scratch();
    place.file("hooks.json", JSON.stringify({ hooks: bash(GUARD), ...more }));
    const { stdout } = await place.belay(["run", "PreToolUse", "--config", "hooks.json"], WIDE);
    expect(stdout).toContain("1 of 1 hook for PreToolUse fires\n");
    expect(stdout).not.toContain("keeps");
  });
});

/** A project with settings of its own. */
function settings(hooks: object): Scratch {
  const place = scratch();
  place.config(hooks, ".belay/settings.json");
  return place;
}

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

describe("a variable that only Belay sets, in a file of Claude Code", () => {
  const rows: [file: string, variable: string, isTold: boolean][] = [
    [".claude/settings.json", "BELAY_PROJECT_DIR", true],
    [".claude/settings.json", "WAVE_PROJECT_DIR", true],
    [".claude/settings.json", "CLAUDE_PROJECT_DIR", false],
    [".claude/settings.json", "{BELAY_PROJECT_DIR:-$CLAUDE_PROJECT_DIR}", false],
    [".belay/settings.json", "BELAY_PROJECT_DIR", false],
  ];
  it.each(rows)("%s: $%s", async (file, variable, isTold) => {
    const room = scratch();
    room.file("guard.sh", "#!/bin/sh\n", 0o755);
    room.config({ PreToolUse: [{ hooks: [{ type: "command", command: `"$${variable}"/guard.sh` }] }] }, file);
    const { project: cwd, home } = room;
    const dialect = file.startsWith(".belay") ? {} : { dialect: "claude-code" as const };
    const { problems } = await checkConfig({ cwd, home, ...dialect });
    const found = problems.filter(({ code }) => code === "config-belay-field");
    const told = {
      message: `\`$${variable}\` is not read by Claude Code: it is not set there, and what it names is not found`,
      fix: "Write $CLAUDE_PROJECT_DIR, which is set here as well.",
    };
    expect(found).toMatchObject(isTold ? [told] : []);
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
    ["a byte order mark, which it reads past as well", `\uFEFF${plain}`, undefined],
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
