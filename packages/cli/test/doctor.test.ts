import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Scratch, scratch } from "./cli.ts";

/** What is found, as one text, with the programs on the PATH that the test makes. */
async function examine({ belay, project }: Scratch) {
  const env = { PATH: `${join(project, "bin")}:/usr/bin:/bin` };
  const { code, stdout } = await belay(["doctor"], { env: { ...env, COLUMNS: "1000", NO_COLOR: "1" } });
  const json = JSON.parse((await belay(["doctor", "--json"], { env })).stdout);
  expect(json.ok).toBe(code === 0);
  return { code, stdout, json };
}

const hook = (command = "true") => [{ hooks: [{ type: "command", command }] }];

describe("belay doctor", () => {
  it("says that nothing is installed", async () =>
    expect(await examine(scratch())).toMatchObject({
      code: 0,
      stdout: "Nothing is installed. Next: belay install <agent>\n",
    }));

  it("says what stands where, and which version answers", async () => {
    const stage = scratch();
    const { belay, config, file } = stage;
    config({ PreToolUse: hook(), Notification: hook() }, ".belay/settings.json");
    await belay(["trust", "--yes"]);
    await belay(["install", "codex", "--yes"]);
    file("bin/codex", "#!/bin/sh\necho codex-cli 0.1.0\n", 0o755);
    const { code, stdout, json } = await examine(stage);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining(".codex/hooks.json: PreToolUse\n"),
    });
    expect(stdout).toContain("version 0.1.0 answers, and 0.166.0 was measured");
    expect(stdout).toContain("hooks for Notification never run there");
    expect(stdout).toContain("type /hooks");
    expect(stdout).toContain(
      "script gone, refused; Node gone, refused; killed, refused; limit reached, runs",
    );
    expect(json.agents).toMatchObject([
      { agent: "codex", version: "0.1.0", holdings: [{ scope: "project" }] },
    ]);
  });

  const CODEX = ".codex/hooks.json";
  const wrong: [what: string, agents: string[], break_: (stage: Scratch) => unknown, says: string][] = [
    [
      "a hook that nobody trusts",
      ["codex"],
      ({ config }) => config({ PreToolUse: hook() }, ".belay/settings.json"),
      "next: belay trust",
    ],
    [
      "a hook that no entry calls",
      ["codex"],
      ({ home }) => {
        const settings = JSON.stringify({ hooks: { Stop: hook() } });
        writeFileSync(join(home, ".belay/settings.json"), settings);
      },
      "hooks for Stop do not run there: no entry calls them; next: belay install codex",
    ],
    [
      "a guard that came later, where the agent can close the door",
      ["claude-code"],
      ({ home }) => {
        const [group] = hook();
        const guard = { ...group?.hooks[0], onFailure: "block" };
        writeFileSync(
          join(home, ".belay/settings.json"),
          JSON.stringify({ hooks: { PreToolUse: [{ hooks: [guard] }] } }),
        );
      },
      "a guard of PreToolUse would let calls pass when the relay fails; next: belay install claude-code",
    ],
    [
      "a relay that is gone",
      ["codex"],
      ({ home }) => rmSync(join(home, ".belay/bin/belay-hook")),
      "belay-hook, which is not there; next: belay install codex",
    ],
    [
      "a Belay that is gone",
      ["codex"],
      ({ home }) =>
        writeFileSync(join(home, ".belay/bin/belay-hook.paths"), `${process.execPath}\n/nowhere\n`),
      "the relay starts /nowhere, which is not there",
    ],
    ["entries that are gone", ["codex"], ({ file }) => file(CODEX, "{}"), `the entries in ${CODEX} are gone`],
    ["a broken file", ["codex"], ({ file }) => file(CODEX, "{\n{"), `${CODEX}:2: it is no JSON`],
    [
      "an entry twice",
      ["codex"],
      ({ file, project }) => {
        const text = readFileSync(join(project, CODEX), "utf8");
        const { hooks } = JSON.parse(text);
        file(CODEX, JSON.stringify({ hooks: { PreToolUse: [...hooks.PreToolUse, ...hooks.PreToolUse] } }));
      },
      `PreToolUse stands twice in ${CODEX}`,
    ],
    [
      "a matcher around our entry",
      ["codex"],
      ({ file, project }) => {
        const text = readFileSync(join(project, CODEX), "utf8");
        file(CODEX, text.replace('"hooks": [', '"matcher": "Write", "hooks": ['));
      },
      "a matcher keeps PreToolUse from other tools than Write; next: belay install codex",
    ],
    [
      "a file that takes the place",
      ["droid"],
      ({ file }) => file(".factory/hooks.json", "{}"),
      ".factory/hooks.json takes the place of .factory/settings.json",
    ],
    [
      "hooks that are switched off",
      ["claude-code"],
      ({ file, project }) => {
        const text = readFileSync(join(project, ".claude/settings.json"), "utf8");
        file(".claude/settings.json", text.replace("{", '{\n  "disableAllHooks": true,'));
      },
      "all hooks are switched off in .claude/settings.json:2",
    ],
  ];
  for (const [what, agents, break_, says] of wrong)
    it(`exits 1 beside ${what}`, async () => {
      const stage = scratch();
      await stage.belay(["install", ...agents, "--yes"]);
      break_(stage);
      const { code, stdout } = await examine(stage);
      expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(says) });
    });

  it("says which agents load the files of others", async () => {
    const stage = scratch();
    await stage.belay(["install", "claude-code", "cursor", "--yes"]);
    await stage.belay(["install", "cursor", "--user", "--yes"]);
    const { code, stdout } = await examine(stage);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("it also loads .claude/settings.json"),
    });
    expect(stdout).toContain("an event comes twice");
    expect(stdout.match(/it also loads/g)).toHaveLength(1);
  });
});
