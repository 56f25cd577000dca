import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelEvent } from "../src/models/model.ts";
import type { Answer } from "../src/types.ts";
import { asked, bash, type Hooks, stage, task, wants, write } from "./stage.ts";

const WARNING = "The command printed more than 30 KB: the agent reads that without its middle.";

describe("what does not end by itself", () => {
  it("a model that loops is stopped after its turns, and the user is told", async () => {
    const { agent, model, seen } = await stage({
      replies: [{ calls: [bash("true")] }],
      mode: "bypass",
      maxTurns: 5,
    });
    expect((await agent.send("loop")).reason).toBe("turn-limit");
    expect(model.requests).toHaveLength(5);
    expect(seen().at(-1)).toContain("stopped after 5 turns");
  });

  it("a subagent that loops is stopped, and the agent goes on without it", async () => {
    const loops = { calls: [bash("true")] };
    const { agent, seen } = await stage({
      replies: [{ calls: [task("loop")] }, loops, loops, "Done."],
      mode: "bypass",
      maxTurns: 2,
    });
    expect(await agent.send("go")).toEqual({ reason: "done", text: "Done." });
    expect(seen()).toContain("error: a subagent was stopped after 2 turns; the agent goes on without it");
  });

  it("a hook that blocks every stop is overruled by the cap, and the user is told", async () => {
    const { agent, model, seen } = await stage({ hooks: { Stop: ["echo once more >&2; exit 2"] } });
    expect((await agent.send("do it")).reason).toBe("done");
    expect(model.requests).toHaveLength(9);
    expect(seen().join("\n")).toContain("8");
  });

  it("an open question is denied by an abort, and by no answer of an unknown kind allowed", async () => {
    const { agent } = await stage({ replies: [{ calls: [bash("echo x > y")] }], answers: [] });
    const sent = agent.send("ask");
    await asked(agent);
    const [{ id } = { id: "" }] = agent.state.pending;
    expect(() => agent.answer(id, { kind: "no" } as unknown as Answer)).toThrow(TypeError);
    expect(agent.state.pending).toHaveLength(1);
    agent.abort();
    expect((await sent).reason).toBe("aborted");
    expect(agent.state.pending).toEqual([]);
  });

  const DEAF: readonly [when: string, said: readonly ModelEvent[]][] = [
    ["before its first word", []],
    ["in the middle of an answer", [{ type: "text", text: "Well, " }]],
  ];
  for (const [when, said] of DEAF)
    it(`a model that ignores its signal ${when} keeps neither an abort nor the end waiting`, async () => {
      const { agent, model } = await stage();
      let hanging = 0;
      model.stream = async function* () {
        yield* said;
        hanging += 1;
        await new Promise(() => {});
      };
      const sent = agent.send("hang");
      await expect.poll(() => hanging).toBe(1);
      agent.abort();
      expect((await sent).reason).toBe("aborted");
      const again = agent.send("hang again");
      await expect.poll(() => hanging).toBe(2);
      await agent.close("other");
      expect((await again).reason).toBe("aborted");
    });

  it("hooks at the end of a session have their time, and no more", async () => {
    const { agent } = await stage({ hooks: { SessionEnd: ["sleep 30"] } });
    const started = performance.now();
    await agent.close("other");
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("much at once", () => {
  it("of 50 calls only so many run at a time, and all have their result, in the order of the calls", async () => {
    const count = (name: string) =>
      `touch ${name}.runs; ls *.runs 2>/dev/null | wc -l >> counts; sleep 0.5; rm ${name}.runs; echo ${name}`;
    const calls = Array.from({ length: 50 }, (_, index) => bash(count(`${index}`)));
    const { agent, model, read } = await stage({ replies: wants(...calls), mode: "bypass" });
    expect((await agent.send("many")).reason).toBe("done");
    const results = model.requests[1]?.messages.flatMap((message) =>
      message.role === "tool" ? message.content : [],
    );
    expect(results?.map(({ result }) => result)).toEqual(calls.map((_, index) => `${index}`));
    const counts = read("counts").trim().split("\n").map(Number);
    expect(counts).toHaveLength(50);
    expect(Math.max(...counts)).toBeLessThanOrEqual(10);
    expect(Math.max(...counts)).toBeGreaterThan(1);
  });

  it("after the user's no, hooks are not asked about calls that had not come to their turn", async () => {
    const calls = Array.from({ length: 50 }, (_, index) => bash(`echo ${index} > x`));
    const { agent, read, seen } = await stage({
      replies: wants(...calls),
      hooks: { PreToolUse: ["echo x >> asked; sleep 0.3"] },
      answers: [{ kind: "deny" }],
    });
    expect((await agent.send("many")).reason).toBe("denied");
    expect(read("asked").trim().split("\n").length).toBeLessThan(50);
    expect(seen().filter((line) => line.startsWith("tool: Bash failed"))).toHaveLength(50);
  });

  const sleepy = "touch begun; sleep 20";
  const aborts: [name: string, calls: number, hooks: Hooks][] = [
    ["while a hook looks at the call", 1, { PreToolUse: [sleepy] }],
    ["while a hook answers in the user's place", 1, { PermissionRequest: [sleepy] }],
    ["while many questions are open", 20, { Notification: ["touch begun"] }],
  ];
  it.each(aborts)("an abort is no answer of the user: %s", async (_name, count, hooks) => {
    const calls = Array.from({ length: count }, (_, index) => bash(`touch f${index}`));
    const { agent, project, seen } = await stage({ replies: wants(...calls), hooks, answers: [] });
    const ending = agent.send("many");
    await expect.poll(() => existsSync(join(project, "begun")), { timeout: 10_000 }).toBe(true);
    if (count > 1) await asked(agent, count);
    agent.abort();
    expect((await ending).reason).toBe("aborted");
    const results = seen().filter((line) => line.startsWith("tool:"));
    expect(results).toEqual(Array(count).fill("tool: Bash failed: Not run: aborted by the user."));
    const wasAsked = readFileSync(agent.transcriptPath, "utf8").includes('"type":"asking"');
    expect(wasAsked).toBe(count > 1);
  });

  it("an abort ends hooks that are told of the waiting, in a turn and between turns", async () => {
    const { agent } = await stage({
      hooks: { Notification: ["sleep 20"] },
      answers: [],
      replies: [{ calls: [bash("true")] }],
    });
    const SOON = { timeout: 10_000 };
    const running = () => agent.state.runningHooks.length;
    const turn = agent.send("go");
    await expect.poll(running, SOON).toBe(1);
    agent.abort();
    expect((await turn).reason).toBe("aborted");
    await expect.poll(running, SOON).toBe(0);
    agent.noteIdle();
    await expect.poll(running, SOON).toBe(1);
    agent.abort();
    await expect.poll(running, SOON).toBe(0);
  });

  it("the user's no does not wait for the calls that run", async () => {
    const calls = [bash("touch x"), ...Array.from({ length: 20 }, () => bash("sleep 3"))];
    const { agent, seen } = await stage({
      replies: wants(...calls),
      permissions: { allow: ["Bash(sleep *)"] },
      answers: [{ kind: "deny" }],
    });
    expect((await agent.send("many")).reason).toBe("denied");
    const notRun = seen().filter((line) => line.endsWith("Not run: the turn had ended."));
    expect(notRun.length).toBeGreaterThanOrEqual(10);
  });

  it("50 questions are answered by one: this tool for the session", async () => {
    const calls = Array.from({ length: 50 }, (_, index) => write(`f${index}`));
    const { agent, questions } = await stage({
      replies: wants(...calls),
      answers: [{ kind: "session" }],
    });
    expect((await agent.send("many")).reason).toBe("done");
    expect(questions.length).toBeLessThanOrEqual(50);
    expect(agent.state.pending).toEqual([]);
  });

  it("a tool result of 5 MB is bounded before the model reads it, and the tool warns the user", async () => {
    const { agent, model, seen } = await stage({
      replies: wants(bash("head -c 5000000 /dev/zero | tr '\\0' x")),
      mode: "bypass",
    });
    expect((await agent.send("big")).reason).toBe("done");
    expect(model.lastSent().length).toBeLessThan(100_000);
    expect(seen()).toContain(`warn: ${WARNING}`);
    expect(model.lastSent()).not.toContain(WARNING);
  });
});
