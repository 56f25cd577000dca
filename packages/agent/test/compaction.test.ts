import { describe, expect, it } from "vitest";
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
