import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { scratch } from "./cli.ts";

interface Explained {
  hooks: { hook: string; fires: boolean; because: string; explanation: string }[];
}

const entry = (name: string, more: object = {}) => ({
  type: "command",
  command: `touch ran-${name}`,
  name,
  ...more,
});

describe("why", () => {
  const hooks = {
    PreToolUse: [
      { hooks: [entry("always")] },
      { matcher: "Bash|Edit", hooks: [entry("listed")] },
      { matcher: "^Ba", hooks: [entry("pattern")] },
      { matcher: "bash", hooks: [entry("wrong-case")] },
      { matcher: "Write", hooks: [entry("other")] },
      { hooks: [entry("off", { enabled: false })] },
      { hooks: [entry("twin", { name: "always", command: "touch ran-always" })] },
    ],
    Stop: [{ hooks: [entry("elsewhere")] }],
  };
  const expected = [
    ["always", true, "fires", "no matcher: every time"],
    ["listed", true, "fires", '"Bash|Edit" matches tool_name "Bash"'],
    ["pattern", true, "fires", '"^Ba" matches tool_name "Bash"'],
    ["wrong-case", false, "matcher", 'tool_name "Bash" is none of "bash" (names are case-sensitive)'],
    ["other", false, "matcher", 'tool_name "Bash" is none of "Write"'],
    ["off", false, "disabled", "enabled is false"],
    ["always", false, "duplicate", "the same handler is configured earlier and runs once"],
    ["elsewhere", false, "other-event", "it waits for Stop"],
  ];

  test("explains every configured hook and runs none", async () => {
    const { belay, config, project } = scratch();
    const file = config(hooks);
    const { code, stdout } = await belay(["why", "PreToolUse", "--json", "--config", file]);
    const { hooks: explained } = JSON.parse(stdout) as Explained;
    expect(
      explained.map(({ hook, fires, because, explanation }) => [hook, fires, because, explanation]),
    ).toEqual(expected);
    expect(explained[1]).toMatchObject({ source: `${file}:1`, path: "hooks.PreToolUse[1].hooks[0]" });
    expect(code).toBe(0);
    expect(readdirSync(project).filter((name) => name.startsWith("ran-"))).toEqual([]);
    const inWords = (await belay(["why", "PreToolUse", "--config", file])).stdout;
    for (const text of [
      "3 would fire for PreToolUse",
      "hooks.PreToolUse[1].hooks[0] in ",
      "are case-sensitive)",
    ])
      expect(inWords).toContain(text);
  });

  test("a project hook that is not trusted does not fire, and the next command is named", async () => {
    const { belay, file } = scratch();
    file(".belay/settings.json", JSON.stringify({ hooks }));
    const { stdout } = await belay(["why", "PreToolUse"]);
    expect(stdout).toContain("0 would fire");
    expect(stdout).toContain("Next: belay trust");
  });

  test("a guard edited since it was trusted: run, why and check say the same", async () => {
    const { belay, file } = scratch();
    await belay(["init"]);
    file(".belay/hooks/guard.sh", "#!/bin/sh\n# edited\n", 0o755);
    const rows: [args: string[], code: number, says: string[]][] = [
      [
        ["run", "PreToolUse"],
        2,
        ["1 of 1 hook for PreToolUse fires", "deny by guard", "trust it: belay trust"],
      ],
      [["why", "PreToolUse"], 0, ["1 would fire", "refuses without being run. Next: belay trust"]],
      [["check"], 0, ["hook-edited", "refuses each PreToolUse", "trust it: belay trust"]],
    ];
    for (const [args, code, says] of rows) {
      const result = await belay(args, { env: { COLUMNS: "1000" } });
      const text = result.stdout.replaceAll(/[\s│]+/g, " ");
      expect(result.code).toBe(code);
      for (const words of says) expect(text).toContain(words);
      expect(text).not.toMatch(/will not run|not trusted|by hand|remove onFailure/);
    }
  });

  test("an entry of the event that is off stands beside the hooks, not after those of other events", async () => {
    const { belay, file } = scratch();
    const settings = file(
      "hooks.json",
      JSON.stringify({ hooks: { Stop: [entry("flat")], SessionEnd: [{ hooks: [entry("other")] }] } }),
    );
    const { stdout } = await belay(["why", "Stop", "--config", settings], { env: { COLUMNS: "1000" } });
    expect(stdout).toBe(`0 would fire for Stop
1 error keeps an entry off
✗ ${settings}:1
    hooks.Stop[0] is a hook where a group is expected; it is off
    fix: Wrap it: {"hooks": [ … ]}, with an optional "matcher" beside "hooks".
1 would not
· other
    it waits for SessionEnd
    hooks.SessionEnd[0].hooks[0] in ${settings}:1
`);
  });

  test("errors are counted as errors: one entry may have several", async () => {
    const { belay, config } = scratch();
    const settings = config({ Stop: [{ hooks: [{ type: "command", timeout: "x", name: 7 }] }] });
    const { stdout } = await belay(["why", "Stop", "--config", settings]);
    expect(stdout).toMatch(/^0 would fire for Stop\n3 errors keep entries off\n/);
  });

  test("a folder whose name breaks the line does not break it here", async () => {
    const { belay, config } = scratch();
    const settings = config({ Stop: [{ hooks: [entry("guard")] }] }, "odd\n9 would fire/hooks.json");
    const { stdout } = await belay(["why", "Stop", "--config", settings], { env: { COLUMNS: "1000" } });
    expect(stdout.split("\n").filter((line) => line.includes("would fire"))).toEqual([
      "1 would fire for Stop",
      expect.stringContaining("hooks.Stop[0].hooks[0] in "),
    ]);
  });
});
