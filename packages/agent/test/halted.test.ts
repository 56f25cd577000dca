import { describe, expect, it } from "vitest";
import type { Agent } from "../src/agent-types.ts";
import type { Model } from "../src/models/model.ts";
import { scriptedModel } from "./scripted.ts";
import { stage } from "./stage.ts";

describe("a compaction that comes to nothing does not keep the next prompt", () => {
  const rows: [name: string, complete: Model["complete"], cut: (agent: Agent) => void][] = [
    ["it fails", () => Promise.reject(new Error("no network")), () => {}],
    ["it is aborted", () => new Promise(() => {}), (agent) => agent.abort()],
  ];
  for (const [name, complete, cut] of rows)
    it(name, async () => {
      const { agent, seen } = await stage({ model: { ...scriptedModel(["One.", "Two."]), complete } });
      await agent.send("first");
      const compacted = agent.compact();
      cut(agent);
      await compacted;
      expect(await agent.send("second")).toEqual({ reason: "done", text: "Two." });
      expect(seen()).toContain("text: second");
    });
});
