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
  "belay: hooks of 1 event were read as claude-code when recorded, and as wave now; next: the same with --dialect claude-code\n";

async function recordedUnderClaude(): Promise<Scratch> {
  const room = scratch();
  room.file(FILE, SETTINGS);
  await room.belay(["run", "PreToolUse", "--config", FILE, ...CLAUDE]);
  return room;
}

describe("belay replay --dialect, where nothing is run", () => {
  it("reads what hooks answered by another dialect", async () => {
    const room = await recordedUnderClaude();
    const { code, stdout } = await room.belay(["replay", "--dialect", "wave"], { env: { COLUMNS: "200" } });
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(/newly allowed: deny → allow \(loosened\) +guard/),
    ]);
    const same = await room.belay(["replay", ...CLAUDE]);
    expect([same.code, same.stdout]).toEqual([0, "1 event decided anew: all as recorded\n"]);
  });

  it.each(["no secret", "token=Zq7vR2xLm9Tw"])(
    "shows what the agent is told besides, with %s",
    async (word) => {
      const room = scratch();
      const json = {
        systemMessage: "TELL THE AGENT",
        hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "ctx" },
      };
      const config = room.config({ UserPromptSubmit: [{ hooks: [{ type: "json", name: "tells", json }] }] });
      await room.belay(["run", "UserPromptSubmit", "--config", config, "--prompt", `use ${word} please`]);
      const { stdout } = await room.belay(["replay", "--dialect", "session-hooks", "--json"]);
      expect(JSON.parse(stdout).changes).toMatchObject([
        { changes: ["context"], before: { context: ["ctx"] }, after: { context: ["ctx", "TELL THE AGENT"] } },
      ]);
      expect((await room.belay(["replay"])).stdout).toBe("1 event decided anew: all as recorded\n");
    },
  );
});

describe("belay replay --rerun of events of another dialect", () => {
  it("says that the config is read as another one, and that the records are not of it", async () => {
    const room = await recordedUnderClaude();
    const { code, stderr } = await room.belay(["replay", "--rerun", "--config", FILE]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: WARNING + OTHERWISE });
  });

  it("counts only events that ran hooks both times: of the others none was read otherwise", async () => {
    const room = await recordedUnderClaude();
    await room.belay(["run", "Stop", "--config", FILE, ...CLAUDE]);
    const { stdout, stderr } = await room.belay(["replay", "--rerun", "--config", FILE]);
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^2 events fired again/m), WARNING + OTHERWISE]);
  });

  it("says nothing where they are fired as they were", async () => {
    const room = await recordedUnderClaude();
    const { code, stderr } = await room.belay(["replay", "--rerun", "--config", FILE, ...CLAUDE]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("says what a dialect that was chosen comes to, without another to choose", async () => {
    const room = await recordedUnderClaude();
    const { stderr } = await room.belay(["replay", "--rerun", "--config", FILE, "--dialect", "wave"]);
    expect(stderr).toBe("belay: hooks of 1 event were read as claude-code when recorded, and as wave now\n");
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
