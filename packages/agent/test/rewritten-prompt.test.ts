import { expect, it } from "vitest";
import { stage } from "./stage.ts";

it("a prompt that a hook rewrites is what the model is sent, the user sees, and a resumed session holds", async () => {
  const fields = { updatedPrompt: "the key is [gone]", additionalContext: "a key was taken out" };
  const json = { hookSpecificOutput: { hookEventName: "UserPromptSubmit", ...fields } };
  const played = await stage({ hooks: { UserPromptSubmit: [{ type: "json", json }] } });
  const { agent, model, seen } = played;
  expect((await agent.send("the key is hunter2")).reason).toBe("done");
  expect(model.requests[0]?.messages).toMatchObject([
    { role: "user", content: expect.stringMatching(/^the key is \[gone\]\n\n<hook.*a key was taken out/s) },
  ]);
  expect(seen()).toEqual(["text: the key is [gone]", "text: Done."]);
  await agent.close("other");
  const again = await played.reopen();
  expect(again.agent.state.messages).toEqual(agent.state.messages);
  expect(JSON.stringify(again.agent.state.messages)).not.toContain("hunter2");
});
