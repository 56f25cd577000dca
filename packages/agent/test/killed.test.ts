import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readTranscript } from "../src/conversation/transcript.ts";
import { isWritten, stage } from "./stage.ts";

const HOST = fileURLToPath(new URL("./hosts/session.mjs", import.meta.url));

/** Runs a session in a process of its own until `isTime`, kills it, and returns its id. */
async function killedSession(
  project: string,
  home: string,
  mode: string,
  prompt: string,
  isTime: () => boolean,
  model = "",
) {
  const host = spawn(process.execPath, [HOST, project, home, mode, prompt, model], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let id = "";
  host.stdout.on("data", (chunk) => {
    id += chunk;
  });
  const ended = new Promise((resolve) => host.on("exit", (_code, signal) => resolve(signal)));
  try {
    await expect.poll(isTime, { timeout: 20_000 }).toBe(true);
  } finally {
    host.kill("SIGKILL");
  }
  expect(await ended).toBe("SIGKILL");
  return id.trim();
}

function transcriptOf(id: string, home: string): string {
  const folder = join(home, ".belay", "sessions");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return join(folder, names.find((name) => name.endsWith(`${id}.jsonl`)) ?? "");
}

describe("kill -9 in the middle of a session, then --resume", () => {
  it("a session that was killed before anything was said in it is passed over", async () => {
    const hook = "test ! -e begins && exit 0; touch begun; sleep 20";
    const { agent, project, home } = await stage({ hooks: { SessionStart: [hook] } });
    await agent.send("something");
    await agent.close("other");
    writeFileSync(join(project, "begins"), "");
    await killedSession(project, home, "default", "", () => existsSync(join(project, "begun")));
    rmSync(join(project, "begins"));
    const again = await stage({ cwd: project, home, resume: true });
    expect(again.agent.sessionId).toBe(agent.sessionId);
  });

  it("a tool that had started is reported as interrupted and never run again by itself", async () => {
    const { project, home } = await stage();
    const started = join(project, "started");
    const prompt = "run echo once >> started; sleep 20";
    const id = await killedSession(project, home, "bypass", prompt, () => existsSync(started));
    const again = await stage({ cwd: project, home, resume: id, mode: "bypass", answers: [] });
    expect(again.agent.sessionId).toBe(id);
    expect(again.seen()).toContainEqual(expect.stringContaining("Bash was interrupted"));
    await again.agent.goOn();
    await again.agent.send("what happened?");
    expect(again.model.lastSent()).toContain("It is not known how far it got, and it was not run again");
    expect(again.model.lastSent()).toContain("sleep 20");
    expect(readFileSync(started, "utf8")).toBe("once\n");
  });

  it("a pending question is asked again; an allow then runs the call and the turn goes on", async () => {
    const { project, home } = await stage();
    const prompt = "write notes.txt: hello";
    const id = await killedSession(project, home, "default", prompt, () =>
      isWritten(home, '"type":"asking"'),
    );
    expect(existsSync(join(project, "notes.txt"))).toBe(false);
    const again = await stage({
      cwd: project,
      home,
      resume: id,
      answers: [{ kind: "once" }],
      replies: ["It is written."],
    });
    const end = await again.agent.goOn();
    expect(again.questions).toMatchObject([{ toolName: "Write", toolInput: { file_path: "notes.txt" } }]);
    expect(end).toMatchObject({ reason: "done", text: "It is written." });
    expect(readFileSync(join(project, "notes.txt"), "utf8")).toContain("hello");
    expect(readTranscript(again.agent.transcriptPath).pending).toEqual([]);
  });

  it("a question that does not fit its call any more is not asked: the call goes its way from the start", async () => {
    const { project, home } = await stage({ hooks: { PreToolUse: ["echo x >> looked"] } });
    const id = await killedSession(project, home, "default", "run touch asked", () =>
      isWritten(home, '"type":"asking"'),
    );
    const transcript = transcriptOf(id, home);
    const call = '"name":"Bash","input":{"command":"touch ';
    writeFileSync(transcript, readFileSync(transcript, "utf8").replace(`${call}asked`, `${call}tampered`));
    const again = await stage({ cwd: project, home, resume: id, answers: [{ kind: "once" }] });
    expect((await again.agent.goOn())?.reason).toBe("done");
    expect(again.questions).toMatchObject([{ toolInput: { command: "touch tampered" } }]);
    expect([existsSync(join(project, "asked")), existsSync(join(project, "tampered"))]).toEqual([
      false,
      true,
    ]);
    expect(again.read("looked")).toBe("x\nx\n");
    expect(again.seen()).toContainEqual(expect.stringContaining("does not fit its call"));
  });

  it("a call whose hooks were at work goes through them anew: what they had made of it is not said of it", async () => {
    const updatedInput = { command: "touch rewritten" };
    const rewrites = {
      type: "json",
      json: { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } },
    };
    const { project, home } = await stage({
      hooks: { PreToolUse: [rewrites], PermissionRequest: ["touch requested; sleep 20"] },
    });
    const id = await killedSession(project, home, "default", "run touch wanted", () =>
      existsSync(join(project, "requested")),
    );
    writeFileSync(join(home, ".belay", "settings.json"), "{}");
    const again = await stage({ cwd: project, home, resume: id, answers: [{ kind: "once" }] });
    expect((await again.agent.goOn())?.reason).toBe("done");
    expect([existsSync(join(project, "wanted")), existsSync(join(project, "rewritten"))]).toEqual([
      true,
      false,
    ]);
    expect(again.model.lastSent()).not.toContain("A hook changed this call");
    const past = readTranscript(again.agent.transcriptPath);
    expect(past.messages).toEqual(again.agent.state.messages);
  });

  const SUBAGENT = "ask a subagent to write notes.txt: hello";

  it("a pending question of a subagent is asked again; an allow lets it go on to the end of its task", async () => {
    const { project, home } = await stage({
      hooks: { PostToolUse: ["cat >> after.jsonl; echo >> after.jsonl"] },
    });
    const id = await killedSession(project, home, "default", SUBAGENT, () =>
      isWritten(home, '"type":"asking"'),
    );
    const again = await stage({
      cwd: project,
      home,
      resume: id,
      answers: [{ kind: "once" }],
      replies: ["The note is there.", "All done."],
    });
    expect(again.seen()).not.toContainEqual(expect.stringContaining("interrupted"));
    expect(await again.agent.goOn()).toMatchObject({ reason: "done", text: "All done." });
    expect(again.questions).toMatchObject([{ toolName: "Write", toolInput: { file_path: "notes.txt" } }]);
    expect(again.read("notes.txt")).toContain("hello");
    expect(again.seen()).toContain("tool: Task done: The note is there.");
    expect(again.model.requests[0]?.messages[0]).toMatchObject({ content: "write notes.txt: hello" });
    const after = again.read("after.jsonl").trim().split("\n");
    expect(after.map((line) => JSON.parse(line).tool_name)).toEqual(["Write", "Task"]);
    expect(readTranscript(again.agent.transcriptPath).pending).toEqual([]);
  });

  it("a pending question of a subagent stays open while nobody is there", async () => {
    const { project, home } = await stage();
    const id = await killedSession(project, home, "default", SUBAGENT, () =>
      isWritten(home, '"type":"asking"'),
    );
    const resumed = { cwd: project, home, resume: id };
    const alone = await stage(resumed);
    expect((await alone.agent.goOn())?.reason).toBe("unanswered");
    await alone.agent.close("other");
    const again = await stage({ ...resumed, answers: [{ kind: "deny" }] });
    expect((await again.agent.goOn())?.reason).toBe("denied");
    expect(again.questions).toMatchObject([{ toolName: "Write" }]);
    expect(existsSync(join(project, "notes.txt"))).toBe(false);
  });

  it("a subagent that asked nothing is interrupted with its task", async () => {
    const { project, home } = await stage();
    const started = join(project, "started");
    const prompt = "ask a subagent to run echo once >> started; sleep 20";
    const id = await killedSession(project, home, "bypass", prompt, () => existsSync(started));
    const again = await stage({ cwd: project, home, resume: id, mode: "bypass", answers: [] });
    expect(again.seen()).toContainEqual(expect.stringContaining("Task was interrupted"));
    expect(await again.agent.goOn()).toBeUndefined();
    expect(again.read("started")).toBe("once\n");
  });

  const CUT_OFF = "The last turn was cut off when this session ended; send a prompt to let the agent go on.";

  it("an answer that was still coming is kept as far as it had come, and said to be cut off", async () => {
    const { project, home } = await stage();
    const id = await killedSession(
      project,
      home,
      "bypass",
      "tell me",
      () => isWritten(home, "four. "),
      "slow",
    );
    const again = await stage({ cwd: project, home, resume: id });
    expect(again.seen()).toEqual([
      "text: tell me",
      expect.stringMatching(/^text: Once \u{1F986} two three four\. /u),
      `warn: ${CUT_OFF}`,
    ]);
    await again.agent.send("go on");
    expect(again.model.requests[0]?.messages).toMatchObject([
      { role: "user", content: "tell me" },
      { role: "assistant" },
      { role: "user", content: "go on" },
    ]);
    const third = await again.reopen();
    expect(third.seen()).toEqual(again.seen());
  });

  const moments: [name: string, prompt: string, until: string, model: string][] = [
    ["before its first word", "tell me", '"accepted"', "silent"],
    ["between a result and the next answer", "do it", '"success":true', "silent-after-call"],
  ];
  for (const [name, prompt, until, model] of moments)
    it(`a turn that was cut off ${name} is said to be, once`, async () => {
      const { project, home } = await stage();
      const id = await killedSession(project, home, "bypass", prompt, () => isWritten(home, until), model);
      const again = await stage({ cwd: project, home, resume: id });
      expect(again.seen().filter((line) => line === `warn: ${CUT_OFF}`)).toHaveLength(1);
      expect(await again.agent.goOn()).toBeUndefined();
      await again.agent.close("other");
      const third = await stage({ cwd: project, home, resume: id });
      expect(third.seen()).toEqual(again.seen());
    });

  it("nothing that was acknowledged is lost", async () => {
    const { project, home } = await stage();
    const third = join(project, "third");
    const prompt = "run echo $((40+2)); then run touch second; then run touch third && sleep 20";
    const id = await killedSession(project, home, "bypass", prompt, () => existsSync(third));
    const again = await stage({ cwd: project, home, resume: id, answers: [] });
    await again.agent.send("go on");
    const sent = again.model.requests[0]?.messages.flatMap<unknown>(({ content }) => content);
    const call = (command: string) => ({ type: "tool-call", input: { command } });
    const result = (text: unknown, success: boolean) => ({ type: "tool-result", result: text, success });
    expect(sent).toMatchObject([
      prompt,
      call("echo $((40+2))"),
      result("42", true),
      call("touch second"),
      result("[no output]", true),
      call("touch third && sleep 20"),
      result(expect.stringContaining("Bash was interrupted"), false),
      "go on",
    ]);
    expect(again.seen()).toContain("warn: 1 tool call was interrupted when this session ended last.");
  });

  it("a stop that follows a refused one says so in the resumed session, too", async () => {
    const note = "cat >> stops; echo >> stops; [ $(wc -l < stops) -gt 1 ] || { echo more >&2; exit 2; }";
    const replies = ["First.", { calls: [{ name: "Bash", input: { command: "touch ran" } }] }];
    const left = await stage({ replies, answers: [], hooks: { Stop: [note] } });
    const turn = left.agent.send("go");
    await expect.poll(() => left.agent.state.pending.length, { timeout: 10_000 }).toBe(1);
    const transcript = readFileSync(left.agent.transcriptPath, "utf8");
    await left.agent.close("other");
    await turn;
    writeFileSync(left.agent.transcriptPath, transcript);
    const again = await left.reopen({ mode: "bypass", replies: ["Done."] });
    await again.agent.goOn();
    const stops = readFileSync(join(left.project, "stops"), "utf8").trim().split("\n");
    expect(stops.map((line) => JSON.parse(line).stop_hook_active)).toEqual([false, true]);
  });
});
