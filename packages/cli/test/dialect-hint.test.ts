import { describe, expect, it } from "vitest";
import { runEach } from "./case-files.ts";
import { scratch } from "./cli.ts";

interface Tried {
  readonly event: string;
  readonly payload: Readonly<Record<string, string>>;
  readonly outcome: { readonly dialect: string };
}

/** A script or settings that stand among those of another system, and are read as Belay's own. */
describe("what belongs to another system is not read as ours without a word", () => {
  const SCRIPT = "#!/bin/sh\necho hello\n";
  const MISREAD = "stands in a folder of Claude Code, and is read as wave";

  /** What was tried, as one word each: dialect, event, tool or source or trigger. */
  const tried = (stdout: string) =>
    (JSON.parse(stdout) as { tries: Tried[] }).tries.map(({ event, payload, outcome }) => {
      const { tool_name, source, trigger } = payload;
      return [outcome.dialect, event, tool_name ?? source ?? trigger ?? ""].join(" ").trim();
    });

  const SCRIPTS: [file: string, args: string[], dialect: string, says: string][] = [
    [".claude/hooks/more/greet.sh", [], "claude-code", "the folder that it stands in"],
    [".claude/hooks/greet.sh", ["--dialect", "wave"], "wave", ""],
    [".wave/hooks/greet.sh", [], "wave", ""],
    ["hooks/greet.sh", [], "wave", ""],
  ];
  it.each(SCRIPTS)("belay try %s %j", async (name, args, dialect, says) => {
    const { belay, file } = scratch();
    file(name, SCRIPT);
    const { stderr, stdout } = await belay(["try", name, "Stop", "--json", ...args]);
    expect(tried(stdout)).toEqual([`${dialect} Stop`]);
    expect(stderr).toBe(says && `belay: ${name} is read as ${dialect}, by ${says}\n`);
  });

  const hooks = (event: string, matcher: string) => ({
    [event]: [{ matcher, hooks: [{ type: "command", command: '"$CLAUDE_PROJECT_DIR"/hooks/greet.sh' }] }],
  });
  const STOP = { hooks: hooks("Stop", "") };
  const TOOLS = { hooks: hooks("PostToolUse", "Write|Edit") };
  const PACT = {
    dialect: "pact",
    hooks: { ...hooks("SessionStart", "resume"), ...hooks("PreToolUse", "^Notebook.*Read$") },
  };
  const CLAUDE = ".claude/settings.json";
  const SETTINGS: [file: string, settings: object, args: string[], expected: string[]][] = [
    [CLAUDE, TOOLS, [], ["claude-code PostToolUse Write", "claude-code PostToolUse Edit"]],
    [".belay/settings.json", PACT, [], ["pact SessionStart resume", "pact PreToolUse NotebookRead"]],
    [CLAUDE, STOP, ["--dialect", "wave"], ["wave Stop"]],
    [CLAUDE, STOP, ["PreCompact"], ["claude-code PreCompact manual"]],
  ];
  it.each(SETTINGS)(
    "belay try, of a script that %s names in %j, %j",
    async (name, settings, args, expected) => {
      const { belay, file } = scratch();
      file("hooks/greet.sh", SCRIPT, 0o755);
      file(name, JSON.stringify(settings));
      const { stdout, stderr } = await belay(["try", "hooks/greet.sh", "--json", ...args]);
      expect([tried(stdout), stderr]).toEqual([expected, expect.stringContaining(`as ${name}:1 says`)]);
    },
  );

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
  const CASES: [head: string, isSaid: boolean][] = [
    ["hook: .claude/hooks/greet.sh", true],
    ["config: .claude/settings.json", true],
    ["hook: .claude/hooks/greet.sh\ndialect: claude-code", false],
    ["config: .claude/settings.json\ndialect: wave", false],
    ["config: hooks.json", false],
  ];
  it("belay test", async () => {
    const texts = CASES.map(
      ([head]) => `${head}\ncases:\n  - { name: a, event: Stop, expect: { decision: none } }\n`,
    );
    const { code, blocks } = await runEach(texts, [], ({ file, config }) => {
      file(".claude/hooks/greet.sh", SCRIPT);
      for (const name of [".claude/settings.json", "hooks.json"]) config(settings.hooks, name);
    });
    expect(code).toBe(0);
    const said = `:1 \\S+ ${MISREAD} fix: add dialect: claude-code to read it as there`;
    expect(blocks.map((block) => new RegExp(said).test(block))).toEqual(CASES.map(([, isSaid]) => isSaid));
  });
});
