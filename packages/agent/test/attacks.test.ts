import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { asked, bash, crashAsking, stage, task, wants } from "./stage.ts";

const STOP = { type: "json", json: { continue: false, stopReason: "USER-ONLY" } };
/** Exits 2 on a secret, after a while. */
const SLOW_GUARD = "grep -q secret && { sleep 2; echo no >&2; exit 2; }; exit 0";

describe("a prompt that no hook has passed never reaches the model", () => {
  it("when the turn is aborted while hooks look at it", async () => {
    const { agent, model } = await stage({ hooks: { UserPromptSubmit: [SLOW_GUARD] } });
    const sent = agent.send("my secret");
    await expect.poll(() => agent.state.runningHooks.length).toBe(1);
    agent.abort();
    expect((await sent).reason).toBe("aborted");
    await agent.send("hello");
    expect(model.lastSent()).not.toContain("secret");
  });

  it("when the process ends while hooks look at it", async () => {
    const played = await stage({ hooks: { UserPromptSubmit: [SLOW_GUARD] } });
    void played.agent.send("my secret");
    await expect.poll(() => played.agent.state.runningHooks.length).toBe(1);
    const again = await played.reopen();
    await again.agent.send("hello");
    expect(again.model.lastSent()).not.toContain("secret");
  });
});

describe("a hook's stop holds at every moment", () => {
  it("before a compaction that comes by itself", async () => {
    const { agent, model } = await stage({
      hooks: { PreCompact: [STOP] },
      contextTokens: 300,
      replies: ["x".repeat(1200)],
    });
    await agent.send("first");
    expect(await agent.send("second")).toMatchObject({ reason: "stopped", detail: "USER-ONLY" });
    expect(model.requests).toHaveLength(1);
  });

  it("when the conversation is cleared: the next prompt is answered by it", async () => {
    const hook = `grep -q '"source":"clear"' && echo '{"continue":false,"stopReason":"enough"}'; exit 0`;
    const { agent, model } = await stage({ hooks: { SessionStart: [hook] } });
    await agent.clear();
    expect(await agent.send("hello")).toMatchObject({ reason: "stopped", detail: "enough" });
    expect(model.requests).toHaveLength(0);
  });

  /** A session that a crash left with a question, and then a hook that stops it unless there is a file `quiet`. */
  async function leftAsking() {
    const left = await stage({ replies: [{ calls: [bash("touch ran")] }], answers: [] });
    await crashAsking(left);
    const command = `[ -e quiet ] || echo '{"continue":false,"stopReason":"halt"}'`;
    const config = { hooks: { SessionStart: [{ hooks: [{ type: "command", command }] }] } };
    writeFileSync(join(left.home, ".belay", "settings.json"), JSON.stringify(config));
    const stopped = await left.reopen({ mode: "bypass", replies: ["Done."] });
    expect(await stopped.agent.goOn()).toMatchObject({ reason: "stopped", detail: "halt" });
    expect(await stopped.agent.send("hello")).toMatchObject({ reason: "stopped", detail: "halt" });
    const hasRun = () => existsSync(join(left.project, "ran"));
    expect([stopped.model.requests, hasRun()]).toEqual([[], false]);
    return { ...left, stopped, hasRun };
  }

  it("when a session is resumed: the turn that it was left in goes on with a resume that is not stopped", async () => {
    const { stopped, project, reopen, hasRun } = await leftAsking();
    await stopped.agent.close("other");
    writeFileSync(join(project, "quiet"), "");
    const again = await reopen({ mode: "bypass", replies: ["Done."] });
    expect([(await again.agent.goOn())?.reason, hasRun()]).toEqual(["done", true]);
  });

  it("when a session is resumed: a prompt that comes after it finds no open call", async () => {
    const { stopped, hasRun } = await leftAsking();
    expect((await stopped.agent.send("and now?")).reason).toBe("done");
    expect(stopped.seen()).toContain("tool: Bash failed: Not run: another prompt came first");
    expect(hasRun()).toBe(false);
  });

  it("in a subagent: it ends the turn, and the model does not read why", async () => {
    const { agent, model } = await stage({
      hooks: { PreToolUse: [`grep -q touch && echo '{"continue":false,"stopReason":"USER-ONLY"}'; exit 0`] },
      replies: [{ calls: [task("p")] }, { calls: [bash("touch x")] }, "Done."],
      mode: "bypass",
    });
    expect((await agent.send("go")).reason).toBe("stopped");
    await agent.send("next");
    expect(model.lastSent()).not.toContain("USER-ONLY");
  });

  it("in the user's place: the call is closed, and a resumed session does not make it", async () => {
    const hook = `[ -e quiet ] || echo '{"continue":false,"stopReason":"halt"}'`;
    const played = await stage({
      hooks: { PermissionRequest: [hook] },
      replies: [{ calls: [bash("touch ran")] }],
      answers: [],
    });
    expect((await played.agent.send("go")).reason).toBe("stopped");
    writeFileSync(join(played.project, "quiet"), "");
    const again = await played.reopen({ mode: "bypass" });
    expect(await again.agent.goOn()).toBeUndefined();
    expect(existsSync(join(played.project, "ran"))).toBe(false);
  });
});

describe("many calls at once", () => {
  it("more questions than fit: those are refused, and nobody has said no", async () => {
    const calls = Array.from({ length: 70 }, (_, index) => bash(`touch f${index}`));
    const { agent, seen } = await stage({ replies: wants(...calls), answers: [] });
    const turn = agent.send("many");
    const refused = () => seen().filter((line) => line.includes("Not asked: 64 questions are open already"));
    await expect.poll(() => [agent.state.pending.length, refused().length]).toEqual([64, 6]);
    for (const { id } of agent.state.pending) agent.answer(id, { kind: "once" });
    expect((await turn).reason).toBe("done");
    expect(seen().filter((line) => line.startsWith("tool: Bash done"))).toHaveLength(64);
  });

  const slow = (word: string) => `grep -q ${word} && sleep 1; exit 0`;

  it("after the user's no, what has not begun does not begin", async () => {
    const { agent, project } = await stage({
      hooks: { PreToolUse: [slow("late")] },
      permissions: { allow: ["Bash(touch late)"] },
      replies: wants(bash("rm x"), bash("touch late")),
      answers: [{ kind: "deny" }],
    });
    expect((await agent.send("go")).reason).toBe("denied");
    expect(existsSync(join(project, "late"))).toBe(false);
  });

  it("questions come in the order of the calls, however long their hooks take", async () => {
    const { agent, questions } = await stage({
      hooks: { PreToolUse: [slow("first")] },
      replies: wants(bash("touch first"), bash("touch second")),
      answers: [{ kind: "once" }, { kind: "once" }],
    });
    await agent.send("go");
    expect(questions.map(({ toolInput }) => toolInput.command)).toEqual(["touch first", "touch second"]);
  });

  it("a question that waits for its turn is not asked when it is allowed by then", async () => {
    const { agent, project, questions } = await stage({
      hooks: {
        PreToolUse: ["grep -q first || exit 0; until [ -e go ]; do sleep 0.05; done"],
        PermissionRequest: ["true"],
      },
      replies: wants(bash("touch first"), bash("touch second")),
      answers: [],
    });
    const turn = agent.send("go");
    const requested = () => agent.state.history.some(({ hookEvent }) => hookEvent === "PermissionRequest");
    await expect.poll(requested, { timeout: 10_000 }).toBe(true);
    agent.setMode("bypass");
    writeFileSync(join(project, "go"), "");
    expect((await turn).reason).toBe("done");
    expect(questions).toEqual([]);
  });

  it("ids that a model repeats or leaves out do not mix results up", async () => {
    const { agent, model } = await stage({
      files: { a: "AAA", b: "BBB", c: "CCC" },
      replies: [
        { calls: [{ id: "x", name: "Read", input: { file_path: "a" } }] },
        {
          calls: ["b", "c"].map((file) => ({
            id: file === "b" ? "x" : "",
            name: "Read",
            input: { file_path: file },
          })),
        },
        "Done.",
      ],
    });
    await agent.send("read");
    const results = model.requests[2]?.messages.flatMap((message) =>
      message.role === "tool" ? message.content : [],
    );
    expect(results?.map(({ result }) => result.trim().slice(-3))).toEqual(["AAA", "BBB", "CCC"]);
  });
});

describe("a model that repeats its ids", () => {
  it("has the questions of two subagents asked, one apart from the other", async () => {
    const { agent, questions, model } = await stage({
      replies: [
        { calls: [task("one"), task("two")] },
        { calls: [bash("touch a", "same")] },
        { calls: [bash("touch b", "same")] },
        "Done.",
      ],
      answers: [{ kind: "once" }, { kind: "once" }],
    });
    expect((await agent.send("go")).reason).toBe("done");
    expect(questions.map(({ toolInput }) => toolInput.command).sort()).toEqual(["touch a", "touch b"]);
    expect(questions.every(({ id }) => id.length <= 40)).toBe(true);
    expect(model.requests).toHaveLength(6);
  });
});

describe("rules outlive what hooks and crashes do", () => {
  it("a question that a crash left open is held against the rules of now", async () => {
    const played = await stage({ replies: [{ calls: [bash("touch ran"), bash("touch two")] }], answers: [] });
    void played.agent.send("go");
    await asked(played.agent, 2);
    const settings = { permissions: { deny: ["Bash(touch ran)"] } };
    writeFileSync(join(played.home, ".belay", "settings.json"), JSON.stringify(settings));
    const again = await played.reopen({ answers: [{ kind: "deny" }], replies: ["Done."] });
    expect((await again.agent.goOn())?.reason).toBe("denied");
    expect(again.questions.map(({ toolInput }) => toolInput.command)).toEqual(["touch two"]);
    expect(existsSync(join(played.project, "ran"))).toBe(false);
  });
});

describe("sessions and their transcripts", () => {
  it("foreign lines are left out", async () => {
    const played = await stage();
    await played.agent.send("first");
    await played.agent.close("other");
    const lines = ['{"type":"message"}', '{"type":"asking"}', "[]", '{"type":"reset","messages":[1]}'];
    appendFileSync(played.agent.transcriptPath, `${lines.join("\n")}\n`);
    const again = await played.reopen();
    await again.agent.send("second");
    expect(again.model.lastSent()).toContain("first");
    expect(again.agent.sessionId).toBe(played.agent.sessionId);
  });

  it("a pipe or a link to nowhere in their place is none", async () => {
    const played = await stage();
    await played.agent.send("first");
    await played.agent.close("other");
    const folder = dirname(played.agent.transcriptPath);
    execFileSync("mkfifo", [join(folder, "f.jsonl")]);
    symlinkSync("nowhere", join(folder, "l.jsonl"));
    const again = await stage({ cwd: played.project, home: played.home, resume: true });
    expect(again.agent.sessionId).toBe(played.agent.sessionId);
  });

  it("what hooks say at the end is seen when the conversation is cleared", async () => {
    const { agent, seen } = await stage({ hooks: { SessionEnd: ["echo end words >&2; exit 2"] } });
    await agent.clear();
    expect(seen().join("\n")).toContain("end words");
  });
});
