import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readTranscript } from "../src/conversation/transcript.ts";
import { bash, crashAsking, type Hooks, isWritten, type StageOptions, stage } from "./stage.ts";

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

interface Left {
  readonly prompt: string;
  readonly hooks?: Hooks;
  readonly mode?: string;
  readonly model?: string;
  /** Killed when the project has this file, or a transcript this text. */
  readonly untilFile?: string;
  readonly untilWritten?: string;
}

const ASKING = '"type":"asking"';

/** A session that was killed, and can be resumed. */
async function left({ prompt, hooks = {}, mode = "bypass", model, untilFile, untilWritten = "" }: Left) {
  const { project, home, has } = await stage({ hooks });
  const isTime = () => (untilFile === undefined ? isWritten(home, untilWritten) : has(untilFile));
  const id = await killedSession(project, home, mode, prompt, isTime, model);
  const resume = (options: StageOptions = {}) => stage({ cwd: project, home, resume: id, ...options });
  return { id, home, has, resume };
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
    const prompt = "run echo once >> started; sleep 20";
    const killed = await left({ prompt, untilFile: "started" });
    const again = await killed.resume({ mode: "bypass", answers: [] });
    expect(again.agent.sessionId).toBe(killed.id);
    expect(again.seen()).toContainEqual(expect.stringContaining("Bash was interrupted"));
    await again.agent.goOn();
    await again.agent.send("what happened?");
    expect(again.model.lastSent()).toContain("It is not known how far it got, and it was not run again");
    expect(again.model.lastSent()).toContain("sleep 20");
    expect(again.read("started")).toBe("once\n");
  });

  it("a pending question is asked again; an allow then runs the call and the turn goes on", async () => {
    const prompt = "write notes.txt: hello";
    const killed = await left({ prompt, untilWritten: ASKING, mode: "default" });
    expect(killed.has("notes.txt")).toBe(false);
    const again = await killed.resume({
      answers: [{ kind: "once" }],
      replies: ["It is written."],
    });
    const end = await again.agent.goOn();
    expect(again.questions).toMatchObject([{ toolName: "Write", toolInput: { file_path: "notes.txt" } }]);
    expect(end).toMatchObject({ reason: "done", text: "It is written." });
    expect(again.read("notes.txt")).toContain("hello");
    expect(readTranscript(again.agent.transcriptPath).pending).toEqual([]);
  });

  it("a question that does not fit its call any more is not asked: the call goes its way from the start", async () => {
    const killed = await left({
      prompt: "run touch asked",
      hooks: { PreToolUse: ["echo x >> looked"] },
      untilWritten: ASKING,
      mode: "default",
    });
    const transcript = transcriptOf(killed.id, killed.home);
    const call = '"name":"Bash","input":{"command":"touch ';
    writeFileSync(transcript, readFileSync(transcript, "utf8").replace(`${call}asked`, `${call}tampered`));
    const again = await killed.resume({ answers: [{ kind: "once" }] });
    expect((await again.agent.goOn())?.reason).toBe("done");
    expect(again.questions).toMatchObject([{ toolInput: { command: "touch tampered" } }]);
    expect([killed.has("asked"), killed.has("tampered")]).toEqual([false, true]);
    expect(again.read("looked")).toBe("x\nx\n");
    expect(again.seen()).toContainEqual(expect.stringContaining("does not fit its call"));
  });

  it("a call whose hooks were at work goes through them anew: what they had made of it is not said of it", async () => {
    const updatedInput = { command: "touch rewritten" };
    const rewrites = {
      type: "json",
      json: { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } },
    };
    const killed = await left({
      prompt: "run touch wanted",
      hooks: { PreToolUse: [rewrites], PermissionRequest: ["touch requested; sleep 20"] },
      untilFile: "requested",
      mode: "default",
    });
    writeFileSync(join(killed.home, ".belay", "settings.json"), "{}");
    const again = await killed.resume({ answers: [{ kind: "once" }] });
    expect((await again.agent.goOn())?.reason).toBe("done");
    expect([killed.has("wanted"), killed.has("rewritten")]).toEqual([true, false]);
    expect(again.model.lastSent()).not.toContain("A hook changed this call");
    const past = readTranscript(again.agent.transcriptPath);
    expect(past.messages).toEqual(again.agent.state.messages);
  });

  const SUBAGENT = "ask a subagent to write notes.txt: hello";

  it("a pending question of a subagent is asked again; an allow lets it go on to the end of its task", async () => {
    const killed = await left({
      prompt: SUBAGENT,
      hooks: { PostToolUse: ["cat >> after.jsonl; echo >> after.jsonl"] },
      untilWritten: ASKING,
      mode: "default",
    });
    const again = await killed.resume({
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
    const killed = await left({ prompt: SUBAGENT, untilWritten: ASKING, mode: "default" });
    const alone = await killed.resume();
    expect((await alone.agent.goOn())?.reason).toBe("unanswered");
    await alone.agent.close("other");
    const again = await killed.resume({ answers: [{ kind: "deny" }] });
    expect((await again.agent.goOn())?.reason).toBe("denied");
    expect(again.questions).toMatchObject([{ toolName: "Write" }]);
    expect(killed.has("notes.txt")).toBe(false);
  });

  it("a subagent that asked nothing is interrupted with its task", async () => {
    const prompt = "ask a subagent to run echo once >> started; sleep 20";
    const killed = await left({ prompt, untilFile: "started" });
    const again = await killed.resume({ mode: "bypass", answers: [] });
    expect(again.seen()).toContainEqual(expect.stringContaining("Task was interrupted"));
    expect(await again.agent.goOn()).toBeUndefined();
    expect(again.read("started")).toBe("once\n");
  });

  const CUT_OFF = "The last turn was cut off when this session ended; send a prompt to let the agent go on.";

  it("an answer that was still coming is kept as far as it had come, and said to be cut off", async () => {
    const killed = await left({ prompt: "tell me", untilWritten: "four. ", model: "slow" });
    const again = await killed.resume();
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
      const killed = await left({ prompt, untilWritten: until, model });
      const again = await killed.resume();
      expect(again.seen().filter((line) => line === `warn: ${CUT_OFF}`)).toHaveLength(1);
      expect(await again.agent.goOn()).toBeUndefined();
      await again.agent.close("other");
      const third = await killed.resume();
      expect(third.seen()).toEqual(again.seen());
    });

  it("nothing that was acknowledged is lost", async () => {
    const prompt = "run echo $((40+2)); then run touch second; then run touch third && sleep 20";
    const killed = await left({ prompt, untilFile: "third" });
    const again = await killed.resume({ answers: [] });
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
    const replies = ["First.", { calls: [bash("touch ran")] }];
    const first = await stage({ replies, answers: [], hooks: { Stop: [note] } });
    await crashAsking(first);
    const again = await first.reopen({ mode: "bypass", replies: ["Done."] });
    await again.agent.goOn();
    const stops = readFileSync(join(first.project, "stops"), "utf8").trim().split("\n");
    expect(stops.map((line) => JSON.parse(line).stop_hook_active)).toEqual([false, true]);
  });
});
