import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readTranscript } from "../src/conversation/transcript.ts";
import { stage } from "./stage.ts";

const HOST = fileURLToPath(new URL("./hosts/session.mjs", import.meta.url));

/** Runs a session in a process of its own until `isTime`, kills it, and returns its id. */
async function killedSession(
  project: string,
  home: string,
  mode: string,
  prompt: string,
  isTime: () => boolean,
) {
  const host = spawn(process.execPath, [HOST, project, home, mode, prompt], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let id = "";
  host.stdout.on("data", (chunk) => {
    id += chunk;
  });
  const ended = new Promise((resolve) => host.on("exit", (_code, signal) => resolve(signal)));
  await expect.poll(isTime, { timeout: 20_000 }).toBe(true);
  host.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  return id.trim();
}

/** Whether some transcript below the home holds this text. */
function isWritten(home: string, text: string): boolean {
  const folder = join(home, ".belay", "sessions");
  if (!existsSync(folder)) return false;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  return files.some((name) => readFileSync(join(folder, name), "utf8").includes(text));
}

describe("kill -9 in the middle of a session, then --resume", () => {
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
    const id = await killedSession(project, home, "default", prompt, () => isWritten(home, '"asking"'));
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

  it("nothing that was acknowledged is lost", async () => {
    const { project, home } = await stage();
    const prompt = "run echo first; then run touch second; then run sleep 20";
    const id = await killedSession(project, home, "bypass", prompt, () =>
      isWritten(home, 'sleep 20"},"stage'),
    );
    const again = await stage({ cwd: project, home, resume: id, answers: [] });
    await again.agent.send("go on");
    for (const text of ["echo first", "touch second", "sleep 20"])
      expect(again.model.lastSent()).toContain(text);
  });
});
