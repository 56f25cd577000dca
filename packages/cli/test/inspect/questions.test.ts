import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OpenSession } from "../../../inspector/src/api.ts";
import { scratch } from "../cli.ts";
import { hasTmux } from "../tmux.ts";
import { asking, QUESTION } from "./asking.ts";
import { browserFor, findBrowser } from "./browser.ts";
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
    const headers = {
      ...cookie,
      Origin: `http://127.0.0.1:${served.port}`,
      "Content-Type": "application/json",
    };
    const answer = async (body: object) =>
      (await served.ask("/api/answer", { method: "POST", headers, body: JSON.stringify(body) })).json;
    return { room, terminal, served, cookie, answer };
  }

  it("is answered from outside: the first answer counts, the second is told so, both places agree", async () => {
    const { room, terminal, served, cookie, answer } = await start("echo over-there");
    const { chat, question } = await openQuestion(served, cookie);
    expect(question).toMatchObject({ toolName: "Bash", toolInput: { command: "echo over-there" } });
    const answered = { chat, question: question.id };
    expect(await answer({ ...answered, kind: "often" })).toEqual({
      counted: false,
      why: "that is no answer",
    });
    expect(question.kinds).toEqual(["once", "session", "always", "deny"]);
    expect(await answer({ ...answered, kind: "once" })).toEqual({ counted: true });
    expect(await answer({ ...answered, kind: "deny" })).toMatchObject({ counted: false });
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

  it("that the terminal has answered is open nowhere", async () => {
    const { terminal, served, cookie, answer } = await start("echo here");
    const { chat, question } = await openQuestion(served, cookie);
    terminal.press("1");
    await served.listen("/api/live", (heard) => heard.length > 0 && openIn(heard).length === 0, cookie);
    expect(await answer({ chat, question: question.id, kind: "deny" })).toMatchObject({
      counted: false,
      why: expect.stringContaining("not open any more"),
    });
    await terminal.shows("here");
  });

  it("that a hook raised is asked each time, whoever answers", async () => {
    const ask = { permissionDecision: "ask", permissionDecisionReason: "each time" };
    const json = { hookSpecificOutput: { hookEventName: "PreToolUse", ...ask } };
    const hooks = { PreToolUse: [{ hooks: [{ type: "json", json }] }] };
    const room = scratch();
    mkdirSync(join(room.home, ".belay"));
    writeFileSync(join(room.home, ".belay/settings.json"), JSON.stringify({ hooks }));
    const { terminal, served, cookie, answer } = await start("echo asked", room);
    const { chat, question } = await openQuestion(served, cookie);
    expect(question.kinds).toEqual(["once", "deny"]);
    expect(terminal.screen()).not.toContain("Always");
    expect(await answer({ chat, question: question.id, kind: "always" })).toMatchObject({
      counted: false,
    });
    expect(await answer({ chat, question: question.id, kind: "once" })).toEqual({ counted: true });
    await terminal.shows("Bash was allowed once");
  });

  it("survives a peer that talks nonsense; what a killed chat left behind goes with the next", async () => {
    const room = scratch();
    const first = await asking(room, "echo first");
    const folder = join(room.home, ".belay/run");
    const [name = ""] = readdirSync(folder);
    for (const nonsense of ["no JSON\n", "[]\n", `${"x".repeat(5_000_000)}`]) {
      const socket = createConnection(join(folder, name));
      const closed = new Promise((resolve) => socket.on("error", () => {}).once("close", resolve));
      socket.resume();
      socket.end(nonsense);
      await closed;
    }
    first.press("1");
    await first.shows("first");
    first.hangUp();
    writeFileSync(join(folder, "00000000-999999999.sock"), "");
    await asking(room, "echo second");
    expect(readdirSync(folder)).not.toContain("00000000-999999999.sock");
  });
});

const program = findBrowser();

describe.runIf(program && hasTmux())("the view of open questions", () => {
  const open = browserFor(program);

  it("shows a question, and an answer there lets the agent go on", async () => {
    const room = scratch();
    const page = await open(await serve(room));
    await page.keyboard.press("4");
    await page.getByText("No chat is open.").waitFor();
    const terminal = await asking(room, "echo from-the-page");
    await page.getByText("May the agent use Bash?").waitFor();
    expect(await page.locator("nav .count").textContent()).toBe("1");
    expect(await page.locator(".question pre").textContent()).toContain("echo from-the-page");
    await page.getByLabel("Why not").fill("not today");
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("Nothing waits for an answer.").waitFor();
    await terminal.shows("not today");
  });

  it("that two pages answer at once tells the one that was late, and shows what hides in a command", async () => {
    const room = scratch();
    await asking(room, "echo \u202eyletelpmoc efas");
    const served = await serve(room);
    const pages = [await open(served), await open(served)];
    for (const page of pages) {
      await page.keyboard.press("4");
      await page.getByText("May the agent use Bash?").waitFor();
      expect(await page.locator(".question pre").textContent()).toContain("echo \\u202eyletelpmoc efas");
    }
    // At one moment, by the clock that both have: a page that is told of the other's answer has nothing to click.
    const moment = Date.now() + 1000;
    const click = (at: number) => `{
      const button = [...document.querySelectorAll(".question button")].at(${at});
      setTimeout(() => button.click(), ${moment} - Date.now());
    }`;
    await Promise.all(pages.map((page, at) => page.evaluate(click(-at))));
    const said = () => Promise.all(pages.map((page) => page.locator(".said").textContent()));
    await expect.poll(said, { timeout: 10_000 }).toSatisfy((all: (string | null)[]) => {
      const late = all.filter((one) => one?.includes("not open any more"));
      return late.length === 1 && all.includes("Bash: answered");
    });
  });
});
