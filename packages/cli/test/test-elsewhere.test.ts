import { describe, expect, it } from "vitest";
import { scratch } from "./cli.ts";

const CASE = { name: "a", event: "PreToolUse", expect: { decision: "deny" } };
const WIDE = { env: { COLUMNS: "300", NO_COLOR: "1" } };
const OWN_FOLDER = "a case runs in a folder of its own: ";

describe("a script that is there for its author, and not for a case", () => {
  const BESIDE = `${OWN_FOLDER}write hook: guard.sh, or in the command "$BELAY_PROJECT_DIR"/.belay/hooks/guard.sh`;
  const HOME = "a case has a home of its own, which is empty: ";
  const rows: [hook: string, hint: string | undefined][] = [
    ["sh guard.sh", BESIDE],
    ["bash ./guard.sh", BESIDE.replace("guard.sh", "./guard.sh")],
    ["python3 guard.sh", BESIDE],
    ["./guard.sh --strict", BESIDE.replace("guard.sh", "./guard.sh")],
    ["python3 ~/guard.py", HOME],
    ['sh "$HOME"/guard.sh', HOME],
    ["sh /no/such/guard.sh", undefined],
    ["sh gone.sh", undefined],
    ["no-such-program", undefined],
  ];
  it("is told how to name it", async () => {
    const { belay, file } = scratch();
    file(".belay/hooks/guard.sh", "#!/bin/sh\nexit 2\n", 0o755);
    for (const [index, [hook]] of rows.entries())
      file(`.belay/hooks/${index}.hooks.json`, JSON.stringify({ hook, cases: [CASE] }));
    const { stdout, code } = await belay(["test"], WIDE);
    const blocks = stdout.split(/^✗ .*hooks\.json/m).slice(1);
    expect([code, blocks.length]).toEqual([2, rows.length]);
    for (const [index, [hook, hint]] of rows.entries())
      expect([hook, /a case (?:runs in|has) .*/.exec(blocks[index] ?? "")?.[0]]).toEqual([
        hook,
        hint === undefined ? undefined : expect.stringContaining(hint),
      ]);
  });

  it("covers nothing, and is shown where it is written", async () => {
    const { belay, file } = scratch();
    file("hooks/guard.sh", "exit 2\n");
    file("hooks/a.hooks.json", JSON.stringify({ hook: "sh guard.sh", cases: [CASE] }));
    const { stdout } = await belay(["test", "--coverage"], WIDE);
    expect(stdout).toContain(
      "coverage: 0 of 1 hook ran\n  ✗ sh guard.sh  PreToolUse  hooks/a.hooks.json\n      it could not start in 1 case\n",
    );
  });
});

describe("a case file without hooks", () => {
  const NONE = "a.hooks.json:1: it names no hooks, and the project has none; ";
  const rows: [what: string, settings: object, next: string][] = [
    [
      "where another dialect has some",
      { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "exit 2" }] }] } },
      "found .claude/settings.json; add dialect: claude-code\n",
    ],
    [
      "where nobody has",
      { permissions: {} },
      "add config: settings.json, or hook: a script; or next: belay init\n",
    ],
  ];
  it.each(rows)("%s", async (_what, settings, next) => {
    const { belay, file } = scratch();
    file(".claude/settings.json", JSON.stringify(settings));
    file("a.hooks.json", JSON.stringify({ cases: [CASE] }));
    expect((await belay(["test"])).stderr).toContain(NONE + next);
  });

  it("is about those of the dialect that it names", async () => {
    const { belay, file } = scratch();
    file(
      ".claude/settings.json",
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "exit 2" }] }] } }),
    );
    file("a.hooks.json", JSON.stringify({ dialect: "claude-code", cases: [CASE] }));
    expect((await belay(["test"])).stdout).toContain("1 passed");
  });
});
