import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTranscript } from "../src/conversation/transcript.ts";
import { stage } from "./stage.ts";

/** A process that has nothing to do with any session. */
let other: ChildProcess;
beforeEach(() => {
  other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
});
afterEach(() => {
  other.kill("SIGKILL");
});

const lockOf = (transcript: string) => `${transcript}.lock`;

/** What this process writes for itself, with the number of another one: as if it had died, and that one had its number. */
async function bornElsewhere(): Promise<string> {
  const { agent } = await stage();
  const [, ...birth] = readFileSync(lockOf(agent.transcriptPath), "utf8").split(" ");
  return [other.pid, ...birth].join(" ");
}

describe("a session that a process has open", () => {
  it("cannot be resumed meanwhile, and is let go at the end", async () => {
    const { agent, reopen } = await stage();
    await agent.send("go");
    const lock = lockOf(agent.transcriptPath);
    expect(readFileSync(lock, "utf8")).toMatch(new RegExp(`^${process.pid}( [\\w-]+:\\d+)?$`));
    await agent.close("other");
    expect(existsSync(lock)).toBe(false);
    writeFileSync(lock, String(other.pid));
    await expect(reopen()).rejects.toThrow(
      `session ${agent.sessionId} is open in process ${other.pid}; end that one first`,
    );
  });

  it("is not taken from a process that came while its transcript was read", async () => {
    const { agent } = await stage();
    await agent.send("go");
    await agent.close("other");
    const { transcriptPath, sessionId } = agent;
    writeFileSync(lockOf(transcriptPath), String(other.pid));
    expect(() => openTranscript(transcriptPath)).toThrow(
      `session ${sessionId} is open in process ${other.pid}`,
    );
    expect(readFileSync(lockOf(transcriptPath), "utf8")).toBe(String(other.pid));
    writeFileSync(lockOf(transcriptPath), await bornElsewhere()); // as one that was killed leaves it
    if (process.platform === "linux") openTranscript(transcriptPath).close();
  });

  it("is nobody's when its number belongs to a process that began at another time", async () => {
    const content = await bornElsewhere();
    const { agent, reopen } = await stage();
    await agent.send("go");
    await agent.close("other");
    writeFileSync(lockOf(agent.transcriptPath), content);
    // Where the system does not tell when a process began, the number has to do.
    expect(content.includes(" ") || process.platform !== "linux").toBe(true);
    if (content.includes(" ")) expect((await reopen()).agent.sessionId).toBe(agent.sessionId);
    else await expect(reopen()).rejects.toThrow("is open in process");
  });

  it("is passed over for an older one, and that is said", async () => {
    const older = await stage();
    await older.agent.send("one");
    await older.agent.close("other");
    const folders = { cwd: older.project, home: older.home };
    const newer = await stage(folders);
    await newer.agent.send("two");
    await newer.agent.close("other");
    writeFileSync(lockOf(newer.agent.transcriptPath), String(other.pid));
    const again = await stage({ ...folders, resume: true });
    expect(again.agent.sessionId).toBe(older.agent.sessionId);
    expect(again.seen()).toContain(
      `warn: A newer session is open in process ${other.pid}, so this is an older one. Once that one has ended: belay chat --resume ${newer.agent.sessionId.slice(0, 8)}`,
    );
  });
});
