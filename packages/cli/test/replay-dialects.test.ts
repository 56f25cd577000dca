import { describe, expect, it } from "vitest";
import { type Scratch, scratch } from "./cli.ts";

/* Under Claude Code exit 2 refuses whatever the JSON says; under the default dialect the JSON counts. */
const REFUSES = `echo '{"continue": true, "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'; echo never >&2; exit 2`;
const SETTINGS = JSON.stringify({
  hooks: { PreToolUse: [{ hooks: [{ type: "command", name: "guard", command: REFUSES }] }] },
});
const FILE = ".claude/settings.json";
const CLAUDE = ["--dialect", "claude-code"];
const WARNING = `belay: warning: ${FILE} stands in a folder of Claude Code, and is read as wave; add --dialect claude-code to read it as there\n`;
const OTHERWISE =
  "belay: 1 event was recorded under claude-code and fired under wave; next: the same with --dialect claude-code\n";

async function recordedUnderClaude(): Promise<Scratch> {
  const room = scratch();
  room.file(FILE, SETTINGS);
  await room.belay(["run", "PreToolUse", "--config", FILE, ...CLAUDE]);
  return room;
}

describe("belay replay --rerun of events of another dialect", () => {
  it("says that the config is read as another one, and that the records are not of it", async () => {
    const room = await recordedUnderClaude();
    const { code, stderr } = await room.belay(["replay", "--rerun", "--config", FILE]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: WARNING + OTHERWISE });
  });

  it("says nothing where they are fired as they were", async () => {
    const room = await recordedUnderClaude();
    const { code, stderr } = await room.belay(["replay", "--rerun", "--config", FILE, ...CLAUDE]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("says what a dialect that was chosen comes to, without another to choose", async () => {
    const room = await recordedUnderClaude();
    const { stderr } = await room.belay(["replay", "--rerun", "--config", FILE, "--dialect", "wave"]);
    expect(stderr).toBe("belay: 1 event was recorded under claude-code and fired under wave\n");
  });

  it("names the dialect whose hooks had run, where none is configured for this one", async () => {
    const room = await recordedUnderClaude();
    const { code, stderr } = await room.belay(["replay", "--rerun", "--decision", "deny"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--dialect claude-code") });
  });

  it("names it also where nothing loosened", async () => {
    const room = scratch();
    room.file(FILE, SETTINGS.replace(REFUSES.replaceAll('"', '\\"'), "true"));
    await room.belay(["run", "PreToolUse", "--config", FILE, ...CLAUDE]);
    const { code, stderr } = await room.belay(["replay", "--rerun"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        "belay: no hook ran, and 1 event had run hooks when recorded: none is configured, and they were of claude-code; next: the same with --dialect claude-code\n",
    });
  });
});
