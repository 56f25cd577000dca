import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { chat } from "./chats.ts";
import { serve } from "./server.ts";

const program = findBrowser();

/** Some place in the middle of the list; over the notice where there is no list yet. */
const SOMEWHERE = [400, 130] as const;

type Chat = Awaited<ReturnType<typeof chat>>;

interface Way {
  readonly name: string;
  readonly options?: BrowserContextOptions;
  /** From the page as it opens to the first question. */
  come(page: Page, begin: () => Promise<Chat>): Promise<Chat>;
  /** To "Allow once" of it. */
  reach?(page: Page, x: number, y: number): Promise<void>;
  press(page: Page, x: number, y: number): Promise<void>;
}

const open = (page: Page) => page.keyboard.press("4");
const point = (page: Page, x: number, y: number) => page.mouse.move(x, y, { steps: 5 });
const click = async (page: Page) => {
  await page.mouse.down();
  await page.mouse.up();
};

const WAYS: readonly Way[] = [
  {
    name: "a pointer that rested there when a key opened the view",
    come: async (page, begin) => {
      await point(page, ...SOMEWHERE);
      const asking = await begin();
      await page.locator(".count", { hasText: "1" }).waitFor();
      await open(page);
      return asking;
    },
    reach: point,
    press: click,
  },
  {
    name: "a pointer on the notice in whose place the list came",
    come: async (page, begin) => {
      await open(page);
      await page.getByText("No chat is open.").waitFor();
      await point(page, ...SOMEWHERE);
      return begin();
    },
    reach: point,
    press: click,
  },
  {
    name: "a pointer that comes when the question is over",
    come: async (page, begin) => {
      await open(page);
      return begin();
    },
    press: async (page, x, y) => {
      await point(page, x, y);
      await click(page);
    },
  },
  {
    name: "a finger",
    options: { hasTouch: true },
    come: async (page, begin) => {
      await open(page);
      return begin();
    },
    press: (page, x, y) => page.touchscreen.tap(x, y),
  },
  {
    name: "a key",
    come: async (page, begin) => {
      await open(page);
      return begin();
    },
    reach: (page) => page.locator(".question button").first().focus(),
    press: (page) => page.keyboard.press("Enter"),
  },
];

describe.runIf(program)("what was meant for a question that is over", () => {
  const openPage = browserFor(program);

  async function oneOver({ options, come, reach }: Way) {
    const room = scratch();
    const page = await openPage(await serve(room), options);
    const asking = await come(page, async () => {
      const begun = await chat(room, 1);
      begun.tell(["one"]);
      return begun;
    });
    const first = page.locator(".question button").first();
    await first.waitFor();
    const box = (await first.boundingBox()) ?? { x: 0, y: 0 };
    const [x, y] = [box.x + 12, box.y + 9];
    await reach?.(page, x, y);
    asking.tell([], [{ question: "one", kind: "once", where: "terminal" }]);
    await page.getByText("Nothing waits for an answer.").waitFor();
    asking.tell(["two"]);
    await page.locator("pre", { hasText: "two" }).waitFor();
    return { page, asking, x, y };
  }

  it.each(WAYS)("answers no other one: $name", async (way) => {
    const { page, asking, x, y } = await oneOver(way);
    await way.press(page, x, y);
    await page.waitForTimeout(300);
    expect(asking.given).toEqual([]);
    expect(await page.locator(".question").count()).toBe(2);
    await page.getByRole("button", { name: "Clear what is over" }).click();
    await expect.poll(() => page.locator(".question pre").allInnerTexts()).toHaveLength(1);
    await page.getByRole("button", { name: "Allow once" }).click();
    await expect.poll(() => JSON.stringify(asking.given)).toContain('"two"');
  });

  it("goes by itself when nobody can be about to click: the page is hidden, or the pointer leaves its window", async () => {
    const [way] = WAYS;
    if (!way) throw new Error("there is no way left to answer");
    const cards = (page: Page) => page.locator(".question").count();
    const { page } = await oneOver(way);
    await page.evaluate("document.documentElement.dispatchEvent(new MouseEvent('mouseleave'))");
    await expect.poll(() => cards(page)).toBe(1);
    const { page: other } = await oneOver(way);
    await other.evaluate(`Object.defineProperty(document, "visibilityState", { value: "hidden" });
      document.dispatchEvent(new Event("visibilitychange"))`);
    await expect.poll(() => cards(other)).toBe(1);
  });
});
