import { mkdirSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GivenAnswer, OpenQuestion } from "../../../inspector/src/api.ts";
import { readLines } from "../../src/json-lines.ts";
import { type Scratch, scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { serve } from "./server.ts";

const program = findBrowser();

/** The far end of a chat's socket: it says what it is told to say. */
async function chat(room: Scratch, number: number, session = `chat-${number}`) {
  const folder = join(room.home, ".belay/run");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const readers = new Set<Socket>();
  const given: unknown[] = [];
  let line = "";
  const server = createServer((socket) => {
    readers.add(socket);
    socket.on("error", () => {});
    readLines(socket, (value) => {
      given.push(value);
      const { question } = value as { question: string };
      socket.write(`${JSON.stringify({ type: "answered", question, counted: true })}\n`);
    });
    socket.write(line);
  });
  const tell = (commands: readonly string[], answered: readonly GivenAnswer[] = []) => {
    const state = {
      type: "state",
      session,
      cwd: "/",
      questions: commands.map(ask),
      answered,
    };
    line = `${JSON.stringify(state)}\n`;
    for (const reader of readers) reader.write(line);
  };
  tell([]);
  await new Promise<void>((resolve) => server.listen(join(folder, `00000000-${number}.sock`), resolve));
  const end = () => {
    for (const reader of readers) reader.destroy();
    server.close();
  };
  onTestFinished(end);
  return { tell, end, given };
}

function ask(command: string): OpenQuestion {
  return {
    id: command,
    toolName: "Bash",
    toolInput: { command },
    timestamp: 0,
    rules: [],
    kinds: ["once", "deny"],
  } as unknown as OpenQuestion;
}

describe.runIf(program)("questions of several chats", () => {
  const open = browserFor(program);
  const cards = (page: Page) => page.locator(".question");
  const commands = async (page: Page) =>
    (await cards(page).locator("pre").allInnerTexts()).map((text) => JSON.parse(text).command);
  /** Where everything stands that can be clicked in the first so many questions. */
  const places = (page: Page, count: number) =>
    page.evaluate<unknown>(`[...document.querySelectorAll(".question")].slice(0, ${count})
      .flatMap((one) => [...one.querySelectorAll("button, input")])
      .map((one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height]; })`);

  it.each([1280, 380])("stay where they are whatever becomes of the others, %i wide", async (width) => {
    const room = scratch();
    const [upper, lower] = [await chat(room, 1), await chat(room, 2)];
    const page = await open(await serve(room), { viewport: { width, height: 1600 } });
    await page.keyboard.press("4");
    upper.tell(["one"]);
    await cards(page).first().waitFor();
    lower.tell(["two"]);
    await expect.poll(() => commands(page)).toEqual(["one", "two"]);
    await cards(page).first().hover();
    const before = await places(page, 2);
    upper.tell(["one", "three"]);
    await expect.poll(() => commands(page)).toEqual(["one", "two", "three"]);
    expect(await places(page, 2)).toEqual(before);
    const third = await chat(room, 3);
    third.tell(["four"]);
    await expect.poll(() => commands(page)).toEqual(["one", "two", "three", "four"]);
    expect(await places(page, 2)).toEqual(before);
    upper.tell(["three"], [{ question: "one", kind: "once", where: "terminal" }]);
    await page.getByText("answered in the terminal: Allow once").waitFor();
    third.end();
    await page.getByText("its chat has ended").waitFor();
    upper.tell([], [{ question: "one", kind: "once", where: "terminal" }]);
    await page.getByText("called off, or covered by another answer").waitFor();
    expect(await places(page, 2)).toEqual(before);
    expect(await commands(page)).toEqual(["one", "two", "three", "four"]);
    await page.mouse.move(1, 1);
    await expect.poll(() => commands(page)).toEqual(["two"]);
  });

  it("are told apart where two chats are at one session", async () => {
    const room = scratch();
    const [first, second] = [await chat(room, 1, "one"), await chat(room, 2, "one")];
    const page = await open(await serve(room));
    await page.keyboard.press("4");
    first.tell(["same"]);
    await cards(page).first().waitFor();
    second.tell(["same", "own"]);
    await expect.poll(() => commands(page)).toEqual(["same", "same", "own"]);
    await cards(page).nth(2).hover();
    await cards(page).nth(2).getByRole("button", { name: "Allow once" }).click();
    await page.getByText("Bash: answered").waitFor();
    await cards(page).nth(1).getByRole("button", { name: "Deny" }).click();
    await expect.poll(() => second.given.length).toBe(2);
    expect([first.given, second.given]).toEqual([
      [],
      [
        { question: "own", kind: "once" },
        { question: "same", kind: "deny" },
      ],
    ]);
    first.end();
    await page.getByText("its chat has ended").waitFor();
    expect(await page.getByText("its chat has ended").count()).toBe(1);
  });
});
