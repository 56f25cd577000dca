import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { journal, lineOf } from "./journal.ts";
import { serve } from "./server.ts";

const program = findBrowser();

describe.runIf(program)("in a narrow window", () => {
  const open = browserFor(program);
  const NARROW = { viewport: { width: 380, height: 800 } };

  /** How far anything reaches beyond the window, or beyond the part of it that scrolls. */
  const beyond = (page: Page) =>
    page.evaluate<number>(
      `Math.max(...[document.documentElement, document.querySelector("main")].map((one) => one.scrollWidth - one.clientWidth))`,
    );

  const deny = `echo '{"decision":"block","reason":"${"no".repeat(40)}"}'`;
  const HOOKS: [what: string, matcher: string, hook: object][] = [
    ["a matcher", `Bash|${"mcp__filesystem__write_".repeat(4)}`, { command: deny }],
    ["a name", "Bash", { name: "forbid_".repeat(12), command: deny }],
    ["a command", "Bash", { command: `${deny}; : /${"a_folder_without_end".repeat(6)}/hook.sh` }],
    ["a message", "Bash", { command: `echo '{"systemMessage":"${"so_".repeat(40)}"}'` }],
    ["a fault", "Bash", { command: `echo ${"no_file_".repeat(20)} >&2; exit 1` }],
  ];

  it.each(HOOKS)("nothing reaches over its edge: %s without a space", async (_, matcher, hook) => {
    const room = scratch();
    const config = room.config({ PreToolUse: [{ matcher, hooks: [{ type: "command", ...hook }] }] });
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    const page = await open(await serve(room, ["--config", config]), NARROW);
    await page.locator(".row").waitFor();
    expect(await beyond(page)).toBe(0);
    await page.locator(".row").click();
    await page.locator("#part-route").waitFor();
    expect(await beyond(page)).toBe(0);
    await page.keyboard.press("3");
    await page.locator(".hook").waitFor();
    expect(await beyond(page)).toBe(0);
  });

  it("a mark is one line high where there is room for it, beside a longer one", async () => {
    const room = scratch();
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: "true" }] }] };
    room.file(".claude/settings.json", JSON.stringify({ hooks }));
    const page = await open(await serve(room, ["--dialect", "claude-code"]), NARROW);
    await page.keyboard.press("3");
    const project = page.locator(".mark", { hasText: /^project$/ });
    expect((await project.boundingBox())?.height).toBeLessThan(25);
    expect(await page.locator(".marks").textContent()).toMatch(
      /^project✗ not trusted: belay trust --dialect/,
    );
  });

  const CLOCKS = `[...document.querySelectorAll(".row time")].map((one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    return Math.round(text.getBoundingClientRect().left);
  })`;

  it("the times of all rows stand under each other, however long their hooks took", async () => {
    const room = scratch();
    const time = new Date().toISOString();
    const lines = [0.42, 12, 999, 1214, 61_000].map((executionTime) => {
      const record = JSON.parse(lineOf({ id: `${executionTime}` }));
      Object.assign(record.hooks[0].run, { executionTime, exitCode: 1 });
      return `${JSON.stringify({ ...record, time })}\n`;
    });
    journal(room, lines);
    const page = await open(await serve(room), { viewport: { width: 420, height: 800 } });
    await page.locator(".row").first().waitFor();
    expect(await page.locator(".row .took").allTextContents()).toEqual([
      "61.0 s",
      "1.2 s",
      "999 ms",
      "12 ms",
      "0.42 ms",
    ]);
    expect(new Set(await page.evaluate<number[]>(CLOCKS)).size).toBe(1);
  });

  it("nothing moves when its server ends", async () => {
    const room = scratch();
    await room.belay(["run", "PreToolUse", "--tool", "Bash"]);
    const served = await serve(room);
    const page = await open(served, NARROW);
    await page.locator(".live:text-is('live')").waitFor();
    const top = () => page.evaluate<number>(`document.querySelector(".list").getBoundingClientRect().top`);
    const before = await top();
    await served.end();
    await page.getByText("Not connected. In a terminal: belay inspect").waitFor();
    expect(await top()).toBe(before);
  });
});
