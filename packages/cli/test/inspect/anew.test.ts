import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { journal, lineOf } from "./journal.ts";
import { serve } from "./server.ts";

/* What begins anew under an open page: its server, its journal, a search. */

const program = findBrowser();

describe.runIf(program)("the page in a real browser", () => {
  const open = browserFor(program);
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      lineOf({ id: `${at}`, command: `${at % 2 === 0 ? "even" : "odd"}-${at}` }),
    );

  it("takes the address of the next server in the tab of the last one", async () => {
    const room = scratch();
    journal(room, [lineOf({ id: "a", command: "first" })]);
    const served = await serve(room);
    const page = await open(served);
    await page.locator(".row").waitFor();
    await served.end();
    await page.getByText("Not connected. In a terminal: belay inspect").waitFor();
    const next = await serve(room, ["--port", `${served.port}`]);
    await page.goto(next.url);
    await page.locator(".live:text-is('live')").waitFor();
    expect(new URL(page.url()).hash).toBe("#/timeline");
    journal(room, [lineOf({ id: "b", command: "second" })]);
    await page.locator(".row:has-text('second')").waitFor();
  });

  it("shows the events of a journal that was emptied and begun again", async () => {
    const room = scratch();
    const folder = journal(room, lines(3));
    const page = await open(await serve(room));
    await page.locator(".live:text-is('live')").waitFor();
    rmSync(folder, { recursive: true });
    // Long enough that the removal alone is seen.
    await page.waitForTimeout(200);
    journal(room, [lineOf({ id: "fresh", command: "fresh" })]);
    await page.locator(".row:has-text('fresh')").waitFor();
    expect(await page.locator(".row").count()).toBe(1);
  });

  it("knows a hook again whose line has moved", async () => {
    const room = scratch();
    const group = (matcher: string) => ({
      matcher,
      hooks: [{ type: "command", command: "true", name: matcher }],
    });
    const text = JSON.stringify({ hooks: { PreToolUse: [group("Bash"), group("Write")] } }, null, 2);
    const config = room.file("hooks.json", text);
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    room.file("hooks.json", `// edited\n${text}`);
    const page = await open(await serve(room, ["--config", config]));
    await page.locator(".row").click();
    await page.locator(".matches").waitFor();
    expect(await page.locator(".matches li").allTextContents()).toEqual([
      expect.stringMatching(/^✓ Bash fired "Bash" matches/),
      expect.stringMatching(/^· Write did not tool_name/),
    ]);
    await page.keyboard.press("3");
    expect(await page.locator(".hook:has-text('Bash') figcaption").textContent()).toMatch(/^1 run, /);
  });

  it("begins a search with the newest that it finds, however far the list was scrolled", async () => {
    const room = scratch();
    journal(room, lines(1000));
    const page = await open(await serve(room));
    await page.locator(".status:has-text('600 events so far')").waitFor();
    await page.evaluate("document.querySelector('.list').scrollTop = 6000");
    await page.locator(".row:has-text('odd-799')").waitFor();
    await page.getByLabel("Search in everything").fill("even-");
    await page.locator(".row:has-text('even-998')").waitFor();
    expect(await page.evaluate("document.querySelector('.list').scrollTop")).toBe(0);
  });
});
