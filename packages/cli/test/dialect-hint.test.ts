import { describe, expect, it } from "vitest";
import { run } from "./case-files.ts";
import { scratch } from "./cli.ts";

/** A script or settings that stand among those of another system, and are read as Belay's own. */
describe("what belongs to another system is not read as ours without a word", () => {
  const SCRIPT = "#!/bin/sh\necho hello\n";
  const MISREAD = "stands in a folder of Claude Code, and is read as wave";

  const TRIED: [file: string, args: string[], isSaid: boolean][] = [
    [".claude/hooks/greet.sh", [], true],
    [".claude/greet.sh", [], true],
    [".claude/hooks/greet.sh", ["--dialect", "wave"], false],
    [".wave/hooks/greet.sh", [], false],
    ["hooks/greet.sh", [], false],
  ];
  it.each(TRIED)("belay try %s %j", async (name, args, isSaid) => {
    const { belay, file } = scratch();
    file(name, SCRIPT);
    const { stderr } = await belay(["try", name, "Stop", ...args]);
    const said = `belay: warning: ${name} ${MISREAD}; add --dialect claude-code to read it as there\n`;
    expect(stderr).toBe(isSaid ? said : "");
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
