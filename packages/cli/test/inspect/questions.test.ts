import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { join } from "node:path";
import { createAgent, offlineModel } from "@belay/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import type { OpenSession } from "../../../inspector/src/api.ts";
import { shareQuestions } from "../../src/chat/share-questions.ts";
import { openRunFolder, socketName } from "../../src/sockets.ts";
import { scratch } from "../cli.ts";
import { hasTmux } from "../tmux.ts";
import { asking, QUESTION } from "./asking.ts";
import { type Heard, type Served, serve } from "./server.ts";

const sessionsIn = (heard: Heard | undefined): readonly OpenSession[] =>
  heard?.data.type === "questions" ? heard.data.sessions : [];
const openIn = (heard: readonly Heard[]) =>
  sessionsIn(heard.at(-1)).flatMap(({ chat, questions }) =>
    questions.map((question) => ({ chat, question })),
  );

/** The one open question, as the page is told of it. */
async function openQuestion(served: Served, cookie: { Cookie: string }) {
  const [open] = openIn(await served.listen("/api/live", (heard) => openIn(heard).length === 1, cookie));
  if (!open) throw new Error("no question is open");
  return open;
}

describe.runIf(hasTmux())("a question of a running chat", () => {
  async function start(command: string, room = scratch()) {
    const terminal = await asking(room, command);
    const served = await serve(room);
    const cookie = await served.signIn();
    const answer = (body: object) => served.api("/api/answer", body);
    return { room, terminal, served, cookie, answer };
  }

  it("is answered from outside: the first answer counts, the second is told so, both places agree", async () => {
    const { room, terminal, served, cookie, answer } = await start("echo over-there");
    const { chat, question } = await openQuestion(served, cookie);
    expect(question).toMatchObject({ toolName: "Bash", toolInput: { command: "echo over-there" } });
    const answered = { chat, question: question.id };
    const refused = { counted: false, why: "that is no answer" };
    expect(await answer({ ...answered, kind: "often" })).toEqual(refused);
    expect(question.kinds).toEqual(["once", "session", "always", "deny"]);
    expect(await answer({ ...answered, kind: "once" })).toEqual({ counted: true });
    expect(await answer({ ...answered, kind: "deny" })).toMatchObject({
      counted: false,
      why: expect.stringContaining("not open any more"),
    });
    await terminal.shows("Bash was allowed once on the page of belay inspect");
    expect(terminal.screen()).not.toContain(QUESTION);
    await served.listen("/api/live", (heard) => heard.length > 0 && openIn(heard).length === 0, cookie);
    const folder = join(room.home, ".belay/run");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const [name = ""] = readdirSync(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    terminal.press("C-d");
    await terminal.ended();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that a hook raised is asked each time, whoever answers", async () => {
    const ask = { permissionDecision: "ask", permissionDecisionReason: "each time" };
    const json = { hookSpecificOutput: { hookEventName: "PreToolUse", ...ask } };
    const hooks = { PreToolUse: [{ hooks: [{ type: "json", json }] }] };
    const room = scratch();
    room.file("../home/.belay/settings.json", JSON.stringify({ hooks }));
    const { terminal, served, cookie, answer } = await start("echo asked", room);
    const { chat, question } = await openQuestion(served, cookie);
    expect(question.kinds).toEqual(["once", "deny"]);
    expect(terminal.screen()).not.toContain("Always");
    expect(await answer({ chat, question: question.id, kind: "always" })).toMatchObject({ counted: false });
    expect(await answer({ chat, question: question.id, kind: "once" })).toEqual({ counted: true });
    await terminal.shows("Bash was allowed once");
  });

  it("survives a peer that talks nonsense", async () => {
    const room = scratch();
    const terminal = await asking(room, "echo first");
    const folder = join(room.home, ".belay/run");
    const [name = ""] = readdirSync(folder);
    for (const nonsense of ["no JSON\n", "[]\n", `${"x".repeat(5_000_000)}`]) {
      const socket = createConnection(join(folder, name));
      const closed = new Promise((resolve) => socket.on("error", () => {}).once("close", resolve));
      socket.resume();
      socket.end(nonsense);
      await closed;
    }
    terminal.press("1");
    await terminal.shows("● Bash echo first");
  });
});

/** No process has a number as high as this one. */
const NOBODY = 999_999_999;

/** A chat that could be shared, and the folder where others are. */
async function shareable() {
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
      const { agent, home, project, run } = await shareable();
      const left = join(run, name(agent.sessionId));
      leaveSocket(left);
      const own = join(run, socketName(agent.sessionId));
      onTestFinished((await shareQuestions(agent, project, home)).end);
      expect(existsSync(left)).toBe(left === own);
      expect(await firstLine(own)).toMatchObject({ type: "state", session: agent.sessionId });
    });

  it("one that is listened to stays: its process may have its number in a container", async () => {
    const { agent, home, project, run } = await shareable();
    const path = join(run, `00000000-${NOBODY}.sock`);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(path, resolve));
    onTestFinished(() => void other.close());
    onTestFinished((await shareQuestions(agent, project, home)).end);
    expect(existsSync(path)).toBe(true);
  });
});
