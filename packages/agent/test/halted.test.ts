import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Agent } from "../src/agent-types.ts";
import type { Model } from "../src/models/model.ts";
import { scriptedModel } from "./scripted.ts";
import { stage } from "./stage.ts";

const STOP = { type: "json", json: { continue: false, stopReason: "halt" } };
const UNSENT = "The prompt was not sent: a hook had stopped the agent. The next one of this session will be.";
const STOPPED = { reason: "stopped", detail: "halt" };

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

describe("a stop of a hook that is told that the agent waits", () => {
  const replies = (command: string) => [{ calls: [{ name: "Bash", input: { command } }] }, "Done."];

  it("ends the turn that asks, and the call is not made", async () => {
    const hooks = { Notification: [STOP] };
    const { agent, project, seen } = await stage({ hooks, replies: replies("touch ran"), answers: [] });
    expect(await agent.send("go")).toMatchObject(STOPPED);
    expect(agent.state.pending).toEqual([]);
    expect(seen()).toEqual([
      "text: go",
      "tool: Bash failed: Not run: a hook stopped the agent.",
      "error: halt",
    ]);
    expect(existsSync(join(project, "ran"))).toBe(false);
    expect((await agent.send("on")).reason).toBe("done");
  });

  it("ends what runs since, when the user was faster", async () => {
    const slow = `until [ -e ran ]; do sleep 0.05; done; echo '${JSON.stringify(STOP.json)}'`;
    const { agent, seen } = await stage({
      hooks: { Notification: [slow] },
      replies: replies("touch ran; sleep 20"),
      answers: [{ kind: "once" }],
    });
    expect(await agent.send("go")).toMatchObject(STOPPED);
    expect(seen()).toContain("tool: Bash failed: Bash was interrupted: a hook stopped the agent");
  });

  it("holds for the next prompt when the agent is idle", async () => {
    const { agent, seen, model } = await stage({ hooks: { Notification: [STOP] } });
    agent.noteIdle();
    await expect.poll(seen).toContain("error: halt");
    expect(await agent.send("go")).toMatchObject(STOPPED);
    expect(model.requests).toEqual([]);
    expect(seen()).toEqual(["error: halt", `warn: ${UNSENT}`]);
    expect((await agent.send("on")).reason).toBe("done");
  });
});

it("a stop at the end that comes with a clear holds for the next prompt", async () => {
  const { agent, model } = await stage({ hooks: { SessionEnd: [STOP] } });
  await agent.clear();
  expect(await agent.send("go")).toMatchObject(STOPPED);
  expect(model.requests).toEqual([]);
});
