import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { hasTmux } from "../tmux.ts";
import { asking, QUESTION } from "./asking.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { serve } from "./server.ts";

const program = findBrowser();

describe.runIf(program && hasTmux())("the place of a question that was answered", () => {
  const open = browserFor(program);

  /** A chat that asks twice, and a pointer on the first one's "Allow once". */
  async function pointedAt() {
    const room = scratch();
    const terminal = await asking(room, "touch first.txt` and run `touch second.txt");
    const page = await open(await serve(room));
    await page.keyboard.press("4");
    const cards = page.locator(".question");
    await cards.first().waitFor();
    const { x, y } = (await allow(page, 0).boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 5, y + 5);
    const press = async () => {
      await page.mouse.down();
      await page.mouse.up();
    };
    return { room, terminal, page, cards, press };
  }
  const allow = (page: Page, at: number) =>
    page.locator(".question").nth(at).getByRole("button", { name: "Allow once" });

  it("is not taken by the next one: a second click answers nothing", async () => {
    const { room, page, cards, press } = await pointedAt();
    await press();
    await press();
    await page.locator("pre", { hasText: "second.txt" }).waitFor();
    await press();
    expect(await cards.count()).toBe(2);
    expect(await cards.first().textContent()).toContain("answered here: Allow once");
    expect(await allow(page, 0).isDisabled()).toBe(true);
    expect(await allow(page, 1).isEnabled()).toBe(true);
    await expect.poll(() => existsSync(join(room.project, "first.txt"))).toBe(true);
    // Until its chat has told so, it is open.
    await page.getByText("1 question waits for an answer.").waitFor();
    await page.mouse.move(1, 1);
    await expect.poll(() => cards.count()).toBe(1);
    expect(existsSync(join(room.project, "second.txt"))).toBe(false);
    await allow(page, 0).click();
    await page.getByText("Nothing waits for an answer.").waitFor();
    await expect.poll(() => existsSync(join(room.project, "second.txt"))).toBe(true);
  });

  it("is kept when the terminal answered it, and says so", async () => {
    const { room, terminal, page, cards, press } = await pointedAt();
    const before = await allow(page, 0).boundingBox();
    terminal.press("1");
    await expect.poll(() => allow(page, 0).isDisabled(), { timeout: 10_000 }).toBe(true);
    await press();
    expect(await cards.first().textContent()).toContain("answered in the terminal: Allow once");
    expect(await allow(page, 0).boundingBox()).toEqual(before);
    expect(await page.getByText("1 question waits for an answer.").count()).toBe(1);
    await terminal.shows(QUESTION);
    expect(existsSync(join(room.project, "second.txt"))).toBe(false);
  });
});
