import { describe, expect, it } from "vitest";
import { run } from "./case-files.ts";
import { scratch } from "./cli.ts";

/** A script or settings that stand among those of another system, and are read as Belay's own. */
describe("what belongs to another system is not read as ours without a word", () => {
  const SCRIPT = "#!/bin/sh\necho hello\n";
  const MISREAD = "stands in a folder of Claude Code, and is read as wave";

  const TRIED: [file: string, args: string[], dialect: string, says: string][] = [
    [".claude/hooks/greet.sh", [], "claude-code", "the folder that it stands in"],
    [".claude/hooks/more/greet.sh", [], "claude-code", "the folder that it stands in"],
    [".claude/hooks/greet.sh", ["--dialect", "wave"], "wave", ""],
    [".wave/hooks/greet.sh", [], "wave", ""],
    ["hooks/greet.sh", [], "wave", ""],
  ];
  it.each(TRIED)("belay try %s %j", async (name, args, dialect, says) => {
    const { belay, file } = scratch();
    file(name, SCRIPT);
    const { stderr, stdout } = await belay(["try", name, "Stop", "--json", ...args]);
    const { tries } = JSON.parse(stdout) as { tries: { outcome: { dialect: string } }[] };
    expect(tries.map(({ outcome }) => outcome.dialect)).toEqual([dialect]);
    expect(stderr).toBe(says && `belay: ${name} is read as ${dialect}, by ${says}\n`);
  });

  const hooks = (event: string, matcher: string) => ({
    [event]: [{ matcher, hooks: [{ type: "command", command: '"$CLAUDE_PROJECT_DIR"/hooks/greet.sh' }] }],
  });
  const SETTINGS: [file: string, settings: object, args: string[], tried: unknown[]][] = [
    [
      ".claude/settings.json",
      { hooks: hooks("PostToolUse", "Write|Edit") },
      [],
      [
        ["claude-code", "PostToolUse", "Write"],
        ["claude-code", "PostToolUse", "Edit"],
      ],
    ],
    [
      ".belay/settings.json",
      {
        dialect: "pact",
        hooks: { ...hooks("SessionStart", "resume"), ...hooks("PreToolUse", "^Notebook.*Read$") },
      },
      [],
      [
        ["pact", "SessionStart", "resume"],
        ["pact", "PreToolUse", "NotebookRead"],
      ],
    ],
    [
      ".claude/settings.json",
      { hooks: hooks("Stop", "") },
      ["--dialect", "wave"],
      [["wave", "Stop", undefined]],
    ],
    [
      ".claude/settings.json",
      { hooks: hooks("Stop", "") },
      ["PreCompact"],
      [["claude-code", "PreCompact", "manual"]],
    ],
  ];
  it.each(SETTINGS)("belay try, of a script that %s names in %j, %j", async (name, settings, args, tried) => {
    const { belay, file } = scratch();
    file("hooks/greet.sh", SCRIPT, 0o755);
    file(name, JSON.stringify(settings));
    const { stdout, stderr } = await belay(["try", "hooks/greet.sh", "--json", ...args]);
    const { tries } = JSON.parse(stdout) as {
      tries: { event: string; payload: Record<string, string>; outcome: { dialect: string } }[];
    };
    const found = tries.map(({ event, payload, outcome }) => {
      const { tool_name, source, trigger } = payload;
      return [outcome.dialect, event, tool_name ?? source ?? trigger];
    });
    expect(found).toEqual(tried);
    expect(stderr).toContain(`as ${name}:1 says`);
  });

  it("belay try says of a payload that no matcher fits that no agent would run it", async () => {
    const { belay, file } = scratch();
    file("hooks/greet.sh", SCRIPT, 0o755);
    file(".claude/settings.json", JSON.stringify({ hooks: hooks("PreToolUse", "Write") }));
    const { stderr } = await belay(["try", "hooks/greet.sh", "--payload", '{"tool_name":"Read"}']);
    expect(stderr).toContain('no matcher in the settings fits tool_name "Read"');
  });

  it("BELAY_DIALECT spares the flag, and is named; chat does not read it", async () => {
    const { belay, file } = scratch();
    file(".claude/settings.json", JSON.stringify(settings));
    const ask = (dialect: string, ...args: string[]) => belay(args, { env: { BELAY_DIALECT: dialect } });
    const { stdout, stderr } = await ask("claude-code", "why", "Stop", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      hooks: [{ source: expect.stringMatching(/\.claude\/settings\.json:1$/) }],
    });
    expect(stderr).toBe("belay: --dialect claude-code, from BELAY_DIALECT\n");
    const given = await ask("claude-code", "check", "--dialect=wave");
    expect(given.stderr).not.toContain("BELAY_DIALECT");
    const wrong = await ask("claude", "check");
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/BELAY_DIALECT.*claude-code/)]);
    const chat = await ask("no-dialect", "chat", "-p", "run echo hello", "--mode", "bypass");
    expect([chat.code, chat.stderr]).toEqual([
      0,
      "belay: hooks that are not read here: .claude/settings.json (--dialect claude-code)\n",
    ]);
    file(".claude/settings.json", "{}");
    file(".belay/settings.json", JSON.stringify(settings));
    expect((await ask("claude-code", "why", "Stop")).stdout).toContain("try: BELAY_DIALECT=");
  });

  const settings = { hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] } };
  const CASES: [what: string, head: string, isSaid: boolean][] = [
    ["a script", "hook: .claude/hooks/greet.sh", true],
    ["settings", "config: .claude/settings.json", true],
    ["a script, with a dialect", "hook: .claude/hooks/greet.sh\ndialect: claude-code", false],
    ["settings, with a dialect", "config: .claude/settings.json\ndialect: wave", false],
    ["other settings", "config: hooks.json", false],
  ];
  it.each(CASES)("belay test, with %s", async (_, head, isSaid) => {
    const { code, stdout } = await run({
      "a.hooks.yaml": `${head}\ncases:\n  - { name: a, event: Stop, expect: { decision: none } }\n`,
      ".claude/hooks/greet.sh": SCRIPT,
      ".claude/settings.json": JSON.stringify(settings),
      "hooks.json": JSON.stringify(settings),
    });
    const told = stdout.replaceAll(/\s+/g, " ");
    expect([code, told.includes(MISREAD)]).toEqual([0, isSaid]);
    expect(told.includes("fix: add dialect: claude-code to read it as there")).toBe(isSaid);
    expect(/\.hooks\.yaml:1 \S+ stands/.test(told)).toBe(isSaid);
  });
});
