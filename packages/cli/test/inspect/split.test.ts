import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { journal, lineOf } from "./journal.ts";
import { launch, type Served } from "./server.ts";

/* The list and an event of it: side by side where there is room, and one after another by keys and buttons. */

const program = findBrowser();
const WIDE = { width: 1280, height: 500 };
const NARROW = { width: 900, height: 500 };
const COUNT = 60;

describe.runIf(program)("an event and the list", () => {
  const open = browserFor(program);
  const room = scratch(afterAll);
  let served: Served;
  beforeAll(async () => {
    journal(
      room,
      Array.from({ length: COUNT }, (_, at) => lineOf({ id: `${at}`, command: `c-${at}` })),
    );
    served = await launch(room);
    return served.end;
  });

  /** The command of the event that is open. */
  const shows = (page: Page, command: string) => page.locator(`.call:has-text('${command}')`).waitFor();
  const chosen = (page: Page) => page.locator(".list .chosen .subject").textContent();
  const openRow = async (page: Page, command: string) => {
    await page.locator(`.row:has-text('${command}')`).click();
    await shows(page, command);
  };

  it("stand side by side in a wide window, and keys in the list open the event that they choose", async () => {
    const page = await open(served, { viewport: WIDE });
    await openRow(page, "c-58");
    const [list, pane] = [
      await page.locator(".list").boundingBox(),
      await page.locator(".pane").boundingBox(),
    ];
    expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(pane?.x ?? 0);
    expect(await chosen(page)).toBe("c-58");
    for (const [key, command] of [
      ["ArrowDown", "c-57"],
      ["ArrowUp", "c-58"],
      ["End", "c-0"],
      ["k", "c-1"],
    ] as const) {
      await page.keyboard.press(key);
      await shows(page, command);
      expect(await chosen(page)).toBe(command);
    }
    // Each is shown from its top, and the way back leads to the list.
    await page.locator(".pane").focus();
    await page.keyboard.press("End");
    // The browser moves there step by step, and would go on from the top of the next event.
    const below =
      "const { scrollTop: top, scrollHeight: all, clientHeight: seen } = document.querySelector('.pane'); all - seen - top";
    await expect.poll(() => page.evaluate(below)).toBeLessThan(1);
    await page.getByRole("button", { name: "↑ Previous" }).click();
    await shows(page, "c-2");
    expect(await page.evaluate("document.querySelector('.pane').scrollTop")).toBe(0);
    await page.goBack();
    await expect.poll(() => page.locator(".pane").count()).toBe(0);
    expect(new URL(page.url()).hash).toBe("#/timeline");
  });

  it.each([WIDE, NARROW])(
    "go on by buttons and keys, from the first to the last, $width wide",
    async (viewport) => {
      const page = await open(served, { viewport });
      const [previous, next] = [
        page.getByRole("button", { name: "↑ Previous" }),
        page.getByRole("button", { name: "↓ Next" }),
      ];
      await openRow(page, "c-59");
      expect([await previous.isDisabled(), await next.isDisabled()]).toEqual([true, false]);
      await next.click();
      await shows(page, "c-58");
      // Whatever has the focus.
      for (const [key, command] of [
        ["j", "c-57"],
        ["j", "c-56"],
        ["k", "c-57"],
      ] as const) {
        await page.keyboard.press(key);
        await shows(page, command);
      }
      await page.keyboard.press("Escape");
      await expect.poll(() => chosen(page)).toBe("c-57");
      await page.keyboard.press("End");
      await page.keyboard.press("Enter");
      await shows(page, "c-0");
      expect([await previous.isDisabled(), await next.isDisabled()]).toEqual([false, true]);
    },
  );

  it("show the event of an address in the list too, and the list alone once the window is narrow", async () => {
    const page = await open(served, { viewport: WIDE });
    const href = await page.locator(".row").first().getAttribute("href");
    await openRow(page, "c-59");
    await page.keyboard.press("End");
    await shows(page, "c-0");
    await page.evaluate(`location.hash = ${JSON.stringify(href)}`);
    await shows(page, "c-59");
    await page.locator(".list .chosen:has-text('c-59')").waitFor();
    await page.setViewportSize(NARROW);
    await expect.poll(() => page.locator(".list").count()).toBe(0);
    await shows(page, "c-59");
  });
});
