import { expect, it } from "vitest";
import { bash, stage, wants } from "./stage.ts";

const WHY = "Bash needs a permission, and nobody is there to give it";
const ASK = { permissionDecision: "ask", permissionDecisionReason: "ask the boss" };
const HOOK = { type: "json", json: { hookSpecificOutput: { hookEventName: "PreToolUse", ...ASK } } };

it("why a hook wants the user asked is said to the user when nobody is there, and not to the agent", async () => {
  const { agent, model, seen } = await stage({
    hooks: { PreToolUse: [HOOK] },
    replies: wants(bash("ls")),
  });
  expect(await agent.send("go")).toEqual({ reason: "unanswered", text: "", detail: `${WHY}: ask the boss` });
  expect(seen()).toEqual(["text: go", `tool: Bash failed: ${WHY}`, "text: ask the boss"]);
  await agent.send("on");
  expect(model.lastSent()).toContain(WHY);
  expect(model.lastSent()).not.toContain("the boss");
});
