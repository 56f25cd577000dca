import { describe, expect, it } from "vitest";
import { scratch } from "./cli.ts";

/* A dialect that the user names is read to the letter of its system (design §7); one that a file names is not. */

const DENY = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}';
const GUARD = { name: "guard", type: "command", command: `echo loading; echo '${DENY}'` };
const settings = (...groups: object[]) =>
  JSON.stringify({ dialect: "claude-code", hooks: { PreToolUse: groups } });
const CASE = JSON.stringify({
  config: "hooks.json",
  dialect: "claude-code",
  cases: [{ name: "refuses", event: "PreToolUse", expect: { decision: "deny" } }],
});

function place(config: string) {
  const { file, belay } = scratch();
  file("hooks.json", config);
  file("guard.sh", `#!/bin/sh\n${GUARD.command}\n`, 0o755);
  file("guard.hooks.json", CASE);
  return belay;
}

describe("a deny behind a line of log", () => {
  const rows: [line: string, code: number, says: string][] = [
    ["run PreToolUse --config hooks.json", 2, "decide  deny by guard"],
    ["run PreToolUse --config hooks.json --dialect claude-code", 0, "output-void"],
    ["try guard.sh PreToolUse --dialect claude-code", 0, "output-void"],
    ["test guard.hooks.json", 2, "- deny"],
  ];
  for (const [line, code, says] of rows)
    it(line, async () => {
      const { code: was, stdout } = await place(settings({ hooks: [GUARD] }))(line.split(" "));
      expect([was, stdout]).toEqual([code, expect.stringContaining(says)]);
    });

  it("loosens in a replay by the letter, and not in one without", async () => {
    const belay = place(settings({ hooks: [GUARD] }));
    await belay(["run", "PreToolUse", "--config", "hooks.json"]);
    expect((await belay(["replay"])).code).toBe(0);
    expect((await belay(["replay", "--dialect", "claude-code"])).code).toBe(2);
  });

  it("is decided again as it was, where it was read to the letter", async () => {
    const belay = place(settings({ hooks: [GUARD] }));
    await belay(["run", "PreToolUse", "--config", "hooks.json", "--dialect", "claude-code"]);
    expect(await belay(["replay"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("all as recorded"),
    });
  });
});

describe("one bad entry", () => {
  const BAD = { type: "command", command: "true" };
  const rows: [line: string, code: number, says: string][] = [
    ["run PreToolUse --config hooks.json", 2, "decide  deny by guard"],
    ["run PreToolUse --config hooks.json --dialect claude-code", 0, "Claude Code skips"],
    ["why PreToolUse --config hooks.json --dialect claude-code", 0, "Claude Code skips"],
    ["check --config hooks.json --dialect claude-code", 1, "config-file-void"],
  ];
  for (const [line, code, says] of rows)
    it(`${line}: ${says}`, async () => {
      const { code: was, stdout } = await place(settings({ hooks: [GUARD] }, BAD))(line.split(" "));
      expect([was, stdout]).toEqual([code, expect.stringContaining(says)]);
    });
});
