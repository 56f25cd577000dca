import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { join } from "node:path";
import { createAgent, offlineModel } from "@belay/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { shareQuestions } from "../src/chat/share-questions.ts";
import { openRunFolder, socketName } from "../src/sockets.ts";
import { scratch } from "./cli.ts";

/** No process has a number as high as this one. */
const NOBODY = 999_999_999;

/** A chat that could be shared, and the folder where others are. */
async function chat() {
  const { home, project } = scratch();
  const agent = await createAgent({ cwd: project, home, model: offlineModel(), isAttended: true });
  onTestFinished(() => agent.close("other"));
  return { agent, home, project, run: openRunFolder(home) };
}

/** What a process leaves behind that is killed while it listens. */
function leaveSocket(path: string): void {
  const dies =
    "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
  spawnSync(process.execPath, ["-e", dies, path]);
  expect(existsSync(path)).toBe(true);
}

/** The first that is said to whoever connects. */
function firstLine(path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path).once("error", reject);
    socket.once("data", (data) => {
      socket.destroy();
      resolve(JSON.parse(String(data)));
    });
  });
}

describe("what killed chats left behind goes with the next, whose number each had", () => {
  const rows: [whose: string, name: (sessionId: string) => string][] = [
    ["nobody's now", () => `00000000-${NOBODY}.sock`],
    ["another process's now", () => `00000000-${process.ppid}.sock`],
    ["this one's, and its session too: in a container numbers come again", socketName],
  ];
  for (const [whose, name] of rows)
    it(whose, async () => {
      const { agent, home, project, run } = await chat();
      const left = join(run, name(agent.sessionId));
      leaveSocket(left);
      const own = join(run, socketName(agent.sessionId));
      onTestFinished((await shareQuestions(agent, project, home)).end);
      expect(existsSync(left)).toBe(left === own);
      expect(await firstLine(own)).toMatchObject({ type: "state", session: agent.sessionId });
    });

  it("one that is listened to stays: its process may have its number in a container", async () => {
    const { agent, home, project, run } = await chat();
    const path = join(run, `00000000-${NOBODY}.sock`);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(path, resolve));
    onTestFinished(() => void other.close());
    onTestFinished((await shareQuestions(agent, project, home)).end);
    expect(existsSync(path)).toBe(true);
  });
});
