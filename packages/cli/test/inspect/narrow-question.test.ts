import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { chat } from "./chats.ts";
import { serve } from "./server.ts";

const program = findBrowser();

describe.runIf(program)("a question in a narrow window", () => {
  const open = browserFor(program);
  const ROOT = "/home/somebody/work/projects/of-the-customer/second-half";

  /** Whether all of an element's text is inside its box, and the box inside the window. */
  const isWhole = (page: Page, selector: string) =>
    page.evaluate<boolean>(`(() => {
      const one = document.querySelector("${selector}");
      const box = one.getBoundingClientRect();
      return one.scrollHeight <= one.clientHeight + 1 && one.scrollWidth <= one.clientWidth + 1 && box.right <= innerWidth;
    })()`);

  /** Whether the last so many characters of the folder can be seen. */
  const isEndSeen = (page: Page, count: number) =>
    page.evaluate<boolean>(`(() => {
      const shown = document.querySelector(".question .folder");
      const text = shown.querySelector("bdi").firstChild;
      const range = document.createRange();
      range.setStart(text, text.length - ${count});
      range.setEnd(text, text.length);
      const [end, box] = [range.getBoundingClientRect(), shown.getBoundingClientRect()];
      return end.left >= box.left - 1 && end.right <= box.right + 1 && box.right <= innerWidth;
    })()`);

  const WIDTHS = [640, 530, 480, 380, 320];

  it.each(WIDTHS)(
    "says whole how it ended and what an answer allows, and of its folder the end: %i wide",
    async (width) => {
      const room = scratch();
      const asking = await chat(room, 1, { cwd: `${ROOT}/shop` });
      const page = await open(await serve(room), { viewport: { width, height: 800 } });
      await page.keyboard.press("4");
      asking.tell(["one"]);
      await page.getByText("waits for an answer", { exact: true }).waitFor();
      expect(await isEndSeen(page, "second-half/shop".length)).toBe(true);
      expect(await page.getByRole("button", { name: "Allow Bash for this session" }).count()).toBe(1);
      asking.tell([]);
      await page.getByText("called off, or covered by another answer").waitFor();
      expect(await isWhole(page, ".question .state")).toBe(true);
      expect(await isEndSeen(page, "second-half/shop".length)).toBe(true);
      expect(await page.locator(".question .folder").getAttribute("title")).toBe(`${ROOT}/shop`);
    },
  );
});
