import { describe, expect, it } from "vitest";
import { ModelError } from "../src/models/model.ts";
import { stage } from "./stage.ts";

describe("models that fail", () => {
  it("an error ends the turn and the user reads it; the next prompt works", async () => {
    const { agent, model, seen } = await stage({
      replies: [new ModelError("key", "the key is wrong"), "Back again."],
    });
    expect(await agent.send("do it")).toMatchObject({ reason: "error", detail: "the key is wrong" });
    expect(seen()).toContain("error: the key is wrong");
    expect((await agent.send("again")).text).toBe("Back again.");
    expect(model.requests).toHaveLength(2);
  });

  it("a conversation that is too long is compacted, and the question asked once more", async () => {
    const { agent, model, seen } = await stage({
      replies: [new ModelError("context", "too long"), "Short enough."],
      hooks: {
        PreCompact: [
          {
            type: "json",
            json: {
              hookSpecificOutput: { hookEventName: "PreCompact", additionalContext: "keep the port number" },
            },
          },
        ],
      },
    });
    expect((await agent.send("do it")).text).toBe("Short enough.");
    expect(model.lastSent()).toContain("keep the port number");
    expect(model.lastSent()).toContain("do it");
    expect(seen().join("\n")).toContain("summary of the conversation");
  });

  it("compaction comes by itself before the model's memory is full", async () => {
    const { agent, model } = await stage({ contextTokens: 500, replies: ["x".repeat(1000)] });
    await agent.send("first");
    await agent.send("y".repeat(1500));
    await agent.send("third");
    expect(model.lastSent()).toContain("Summary of");
    expect(model.lastSent()).toContain("third");
    expect(model.lastSent()).not.toContain("first");
  });
});
