import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Model } from "../src/models/model.ts";
import type { Agent } from "../src/types.ts";
import { scriptedModel } from "./scripted.ts";
import { bash, STOP, stage, wants } from "./stage.ts";

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
  const replies = (command: string) => wants(bash(command));

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

describe("a stop that nothing has obeyed yet", () => {
  const NOTICE = { Notification: [STOP] };

  it("outlives a compaction", async () => {
    const { agent, seen, model } = await stage({ hooks: NOTICE });
    await agent.send("first");
    agent.noteIdle();
    await expect.poll(seen).toContain("error: halt");
    await agent.compact();
    expect(await agent.send("go")).toMatchObject(STOPPED);
    expect(model.requests).toHaveLength(1);
  });

  it("holds when it comes in the middle of a clear", async () => {
    const { agent, model } = await stage({
      hooks: {
        Notification: [`until [ -e now ]; do sleep 0.05; done; echo '${JSON.stringify(STOP.json)}'`],
        SessionStart: ["case $(cat) in *clear*) touch now; sleep 20;; esac"],
      },
    });
    agent.noteIdle();
    await agent.clear();
    expect(await agent.send("go")).toMatchObject(STOPPED);
    expect(model.requests).toEqual([]);
  });
});

describe("an abort while hooks are asked", () => {
  const aborted = async (agent: Agent, work: Promise<unknown>) => {
    await expect.poll(() => agent.state.runningHooks.length, { timeout: 10_000 }).toBe(1);
    agent.abort();
    return work;
  };

  it("whether the agent may stop is an abort", async () => {
    const { agent, seen } = await stage({ hooks: { Stop: ["sleep 20"] } });
    expect(await aborted(agent, agent.send("go"))).toMatchObject({ reason: "aborted" });
    expect(seen().at(-1)).toBe("warn: Aborted.");
  });

  it("at the end that comes with a clear keeps the conversation", async () => {
    const { agent, seen } = await stage({ hooks: { SessionEnd: ["sleep 20"] } });
    await agent.send("go");
    await aborted(agent, agent.clear());
    expect(seen()).toEqual(["text: go", "text: Done.", "warn: Aborted."]);
  });

  it("at the start that comes with a clear is said", async () => {
    const { agent, seen } = await stage({
      hooks: { SessionStart: ["case $(cat) in *clear*) sleep 20;; esac"] },
    });
    await agent.send("go");
    await aborted(agent, agent.clear());
    expect(seen().at(-1)).toBe("warn: Aborted.");
    expect(seen()).not.toContain("text: go");
  });
});

it("an agent that is closed tells no hook that it waits", async () => {
  const { agent } = await stage({ hooks: { Notification: ["true"] } });
  await agent.close("other");
  agent.noteIdle();
  await expect(agent.send("go")).rejects.toThrow("the session is closed");
  expect(agent.state.runningHooks).toEqual([]);
});
