import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Scratch, scratch } from "./cli.ts";

const DENY = "echo no >&2; exit 2";
const command = (text: string, more: object = {}) => ({ type: "command", command: text, ...more });
const CLAUDE = ".claude/settings.json";
const BELAY = ".belay/settings.json";

/** Claude Code's settings with a guard, and a hook that only it runs. */
const THEIRS = `${JSON.stringify(
  {
    model: "x",
    hooks: {
      PreToolUse: [
        { matcher: "Bash", hooks: [command(DENY, { timeout: 5 }), { type: "agent", prompt: "look" }] },
        { matcher: "Write", hooks: [command("true")] },
      ],
      Stop: [{ hooks: [command("true")] }],
    },
  },
  null,
  4,
)}\n`;

const text = ({ project }: Scratch, name: string) => readFileSync(join(project, name), "utf8");
const json = (stage: Scratch, name: string) => JSON.parse(text(stage, name));
const CALL = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };

describe("belay adopt", () => {
  it("moves hooks, puts the relay in their place, and runs them in another agent", async () => {
    const stage = scratch();
    stage.file(CLAUDE, THEIRS);
    const before = await stage.belay(["adopt", "claude-code"]);
    expect(before).toMatchObject({ code: 1, stdout: expect.stringContaining("Nothing was written.") });
    expect(text(stage, CLAUDE)).toBe(THEIRS);
    const { code, stdout, stderr } = await stage.belay(["adopt", "claude-code", "--yes"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("3 hooks: into Belay's settings");
    expect(stdout).toContain("1 hook that the agent");
    expect(json(stage, BELAY)).toEqual({
      dialect: "claude-code",
      hooks: {
        PreToolUse: [
          { matcher: "Bash", hooks: [command(DENY, { timeout: 5 })] },
          { matcher: "Write", hooks: [command("true")] },
        ],
        Stop: [{ hooks: [command("true")] }],
      },
    });
    const relay = (call: string) => ({
      hooks: [command(`${stage.home}/.belay/bin/belay-hook claude-code ${call}`, { timeout: 600 })],
    });
    expect(json(stage, CLAUDE)).toEqual({
      model: "x",
      hooks: {
        PreToolUse: [
          { matcher: "Bash", hooks: [{ type: "agent", prompt: "look" }] },
          relay("PreToolUse || exit 2"),
        ],
        Stop: [relay("Stop")],
      },
    });
    const asked = await stage.belay(["hook", "codex"], { input: JSON.stringify(CALL) });
    expect(asked.stdout).toContain('"permissionDecision":"deny"');
    expect(await stage.belay(["doctor"])).toMatchObject({ code: 0 });
    expect(await stage.belay(["adopt", "claude-code", "--undo", "--yes"])).toMatchObject({ code: 0 });
    expect(text(stage, CLAUDE)).toBe(THEIRS);
    expect(existsSync(join(stage.project, BELAY))).toBe(false);
  });

  it("keeps what stands in Belay's settings, and trusts none of it", async () => {
    const stage = scratch();
    const ours =
      '{\n  // ours\n  "dialect": "claude-code",\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "old" }] }] }\n}\n';
    stage.file(BELAY, ours);
    stage.file(CLAUDE, THEIRS);
    await stage.belay(["adopt", "claude-code", "--yes"]);
    expect(text(stage, BELAY)).toContain("// ours");
    const { stdout } = await stage.belay(["doctor"]);
    expect(stdout).toMatch(/not trusted, so they do not run: [^,]*old;/);
    stage.file(BELAY, text(stage, BELAY).replace("// ours", "// mine"));
    const undone = await stage.belay(["adopt", "claude-code", "--undo", "--yes"]);
    expect(undone).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("was edited since; nothing was changed"),
    });
    stage.file(BELAY, text(stage, BELAY).replace("// mine", "// ours"));
    await stage.belay(["adopt", "claude-code", "--undo", "--yes"]);
    expect([text(stage, BELAY), text(stage, CLAUDE)]).toEqual([ours, THEIRS]);
  });

  it("adopts a user's hooks, which need no trust", async () => {
    const { belay, home, file } = scratch();
    file("../home/.claude/settings.json", THEIRS);
    expect(await belay(["adopt", "claude-code", "--user", "--yes"])).toMatchObject({ code: 0 });
    const asked = await belay(["hook", "codex"], { input: JSON.stringify(CALL) });
    expect(asked.stdout).toContain('"permissionDecision":"deny"');
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toContain(
      "belay-hook claude-code Stop",
    );
  });

  const refused: [what: string, agent: string, make: (stage: Scratch) => unknown, says: string][] = [
    ["an agent with other words", "gemini", () => {}, "written for its own tools and payloads"],
    [
      "a file without hooks",
      "claude-code",
      ({ file }) => file(CLAUDE, "{}"),
      "has no command hooks of its own",
    ],
    [
      "our settings by another dialect",
      "claude-code",
      (stage) => {
        stage.file(CLAUDE, THEIRS);
        stage.config({ Stop: [{ hooks: [command("true")] }] }, BELAY);
      },
      "is read by the dialect wave",
    ],
    [
      "a hook that Belay would not read",
      "claude-code",
      ({ file }) => file(CLAUDE, THEIRS.replace('"timeout": 5', '"timeout": "5"')),
      "these hooks would not run in Belay",
    ],
    ["nothing to undo", "claude-code --undo", () => {}, "nothing was adopted from Claude Code here"],
  ];
  for (const [what, agent, make, says] of refused)
    it(`refuses ${what}`, async () => {
      const stage = scratch();
      make(stage);
      const { code, stderr } = await stage.belay(["adopt", ...agent.split(" "), "--yes"]);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) });
    });

  it("decides nothing for an agent", async () => {
    const { belay, project } = scratch();
    writeFileSync(join(project, "x"), "");
    const { code, stderr } = await belay(["adopt", "claude-code", "--yes"], { env: { CLAUDECODE: "1" } });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("an agent must not change its own hooks"),
    });
  });
});
