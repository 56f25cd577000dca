import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isWritten, type StageOptions, stage } from "./stage.ts";

describe("what was said in a session and then cleared", () => {
  it("stays in its transcript when the session ends", async () => {
    const { agent, home } = await stage();
    await agent.send("first");
    await agent.clear();
    await agent.close("other");
    expect(existsSync(agent.transcriptPath)).toBe(true);
    expect(isWritten(home, "first")).toBe(true);
  });

  it("is not gone on with: an older session is, that has something to go on with", async () => {
    const older = await stage();
    await older.agent.send("older");
    await older.agent.close("other");
    const { project: cwd, home } = older;
    const cleared = await stage({ cwd, home });
    await cleared.agent.send("newer");
    await cleared.agent.clear();
    await cleared.agent.close("other");
    const resumed = await stage({ cwd, home, resume: true });
    expect(resumed.agent.sessionId).toBe(older.agent.sessionId);
  });
});

describe("a session leaves no transcript", () => {
  const BLOCK = { type: "json", json: { decision: "block", reason: "no" } };
  const rows: [name: string, options: StageOptions, does: "send" | "clear" | "compact"][] = [
    ["whose only prompt was blocked", { hooks: { UserPromptSubmit: [BLOCK] } }, "send"],
    ["that was only cleared", {}, "clear"],
    ["that was only compacted", {}, "compact"],
  ];
  for (const [name, options, does] of rows)
    it(name, async () => {
      const { agent } = await stage(options);
      await agent[does]("first");
      await agent.close("other");
      expect(existsSync(agent.transcriptPath)).toBe(false);
    });
});
