import { describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { serve } from "./server.ts";

const program = findBrowser();

describe.runIf(program)("keys alone", () => {
  const open = browserFor(program);

  async function pageWith(viewport: { readonly width: number; readonly height: number }) {
    const room = scratch();
    const config = room.config({ PreToolUse: [{ hooks: [{ type: "command", command: "cat", name: "a" }] }] });
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    const page = await open(await serve(room, ["--config", config]));
    await page.setViewportSize(viewport);
    await page.locator(".row").waitFor();
    return page;
  }
  const SMALL = { width: 900, height: 420 };

  it("/ searches, from every view", async () => {
    const page = await pageWith(SMALL);
    for (const view of ["1", "2", "3", "4"]) {
      await page.keyboard.press(view);
      await page.locator(`nav a:nth-child(${view})[aria-current=page]`).waitFor();
      await page.keyboard.press("/");
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("search");
      await page.keyboard.press("Escape");
    }
  });

  it("scroll an event that they opened, and choose again when they went back", async () => {
    const page = await pageWith(SMALL);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator(".pipeline").waitFor();
    await page.keyboard.press("End");
    await expect.poll(() => page.evaluate("document.querySelector('main').scrollTop")).toBeGreaterThan(0);
    await page.keyboard.press("Escape");
    await page.locator(".row").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator(".pipeline").waitFor();
  });

  it.each([380, 900])("fire an event, and what came of it is in sight, %i wide", async (width) => {
    const page = await pageWith({ width, height: 800 });
    await page.keyboard.press("2");
    await page.getByLabel("an edited config").check();
    await page.keyboard.press("Control+Enter");
    const decided = page.locator(".result h1");
    await decided.waitFor();
    await expect.poll(async () => (await decided.boundingBox())?.y ?? 0).toBeLessThan(600);
  });
});
