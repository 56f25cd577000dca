import { describe, expect, it } from "vitest";
import { scriptedModel } from "./scripted.ts";
import { stage } from "./stage.ts";

const CONTEXT = { hookSpecificOutput: { hookEventName: "PreCompact", additionalContext: "branch: x" } };

/** What a hook says before a compaction, and what of it the model is sent after. */
const KEPT: [dialect: string, json: object, sent: RegExp][] = [
  ["wave", CONTEXT, /<hook event="PreCompact">\nbranch: x\n<\/hook>/],
  ["session-hooks", { systemMessage: "mind x" }, /mind x/],
];

describe("what hooks tell the agent before a compaction is kept through it", () => {
  for (const [reads, json, sent] of KEPT)
    for (const resumed of [false, true])
      it(`${reads}${resumed ? ", and in a resumed session" : ""}`, async () => {
        const hooks = { PreCompact: [{ type: "json", json }] };
        const first = await stage({ reads, hooks });
        await first.agent.send("first");
        await first.agent.compact();
        if (resumed) await first.agent.close("other");
        const { agent, model } = resumed ? await first.reopen() : first;
        await agent.send("second");
        const words = model.lastSent().replaceAll("\\n", "\n").replaceAll('\\"', '"');
        expect(words).toMatch(/Summary of \d+ characters/);
        expect(words).toMatch(sent);
        expect(words).not.toContain("first");
      });
});

describe("a model that gives no summary takes nothing from the conversation", () => {
  const UNCHANGED = "warn: The conversation was not compacted: the model gave no summary of it.";

  it("when the user asks for one", async () => {
    const { agent, seen } = await stage({
      model: { ...scriptedModel(["One."]), complete: async () => " \n" },
    });
    await agent.send("first");
    await agent.compact();
    expect(seen()).toEqual(["text: first", "text: One.", UNCHANGED]);
  });

  it("when the conversation has become long", async () => {
    const long = "long ".repeat(200);
    const model = { ...scriptedModel([long, "Two."]), complete: async () => "" };
    const { agent, seen } = await stage({ model, contextTokens: 200 });
    await agent.send("first");
    expect((await agent.send("second")).text).toBe("Two.");
    expect(seen()).toEqual(["text: first", `text: ${long}`, "text: second", UNCHANGED, "text: Two."]);
    expect(model.lastSent()).toContain("first");
  });
});
