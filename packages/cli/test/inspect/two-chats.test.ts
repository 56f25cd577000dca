import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { chat } from "./chats.ts";
import { serve } from "./server.ts";

const program = findBrowser();

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

  const WIDTHS = [1280, 640, 530, 480, 380, 320];
  const LONG = "mcp__warehouse_of_the_customer__list_every_open_order_of_a_customer_by_day_and_by_shop";
  const CASES = WIDTHS.flatMap((width) => ["Bash", LONG].map((toolName) => [width, toolName] as const));

  it.each(CASES)(
    "stay where they are whatever becomes of the others, %i wide: %s",
    async (width, toolName) => {
      const room = scratch();
      const [upper, lower] = [await chat(room, 1, { toolName }), await chat(room, 2, { toolName })];
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
      upper.tell(["three"], [{ question: "one", kind: "session", where: "terminal" }]);
      await page.getByText(`answered in the terminal: Allow ${toolName} for this session`).waitFor();
      expect(await places(page, 2)).toEqual(before);
      third.end();
      await page.getByText("its chat has ended").waitFor();
      upper.tell([], [{ question: "one", kind: "session", where: "terminal" }]);
      await page.getByText("called off, or covered by another answer").waitFor();
      expect(await places(page, 2)).toEqual(before);
      expect(await commands(page)).toEqual(["one", "two", "three", "four"]);
      await page.mouse.move(1, 1);
      await expect.poll(() => commands(page)).toEqual(["two"]);
    },
  );

  it("are told apart where two chats are at one session", async () => {
    const room = scratch();
    const [first, second] = [
      await chat(room, 1, { session: "one" }),
      await chat(room, 2, { session: "one" }),
    ];
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

  it("is open again in its place when the line to its chat was cut for a moment", async () => {
    const room = scratch();
    const first = await chat(room, 1);
    const page = await open(await serve(room));
    await page.keyboard.press("4");
    first.tell(["one"]);
    const allow = page.getByRole("button", { name: "Allow once" });
    await allow.waitFor();
    first.end();
    await page.getByText("its chat has ended").waitFor();
    const again = await chat(room, 1);
    again.tell(["one"]);
    await expect.poll(() => allow.isEnabled()).toBe(true);
    expect(await commands(page)).toEqual(["one"]);
  });
});
