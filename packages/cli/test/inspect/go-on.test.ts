import { describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { serve } from "./server.ts";

const program = findBrowser();

const answer = (hookSpecificOutput: object) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", ...hookSpecificOutput },
});
const REWRITE = answer({ updatedInput: { command: "ls -la" } });
const CONTEXT = answer({ additionalContext: "the tree is clean" });

const SETTINGS = {
  hooks: {
    PreToolUse: [
      { matcher: "Bash", hooks: [{ type: "json", json: REWRITE, name: "longer" }] },
      { matcher: "Read", hooks: [{ type: "json", json: CONTEXT, name: "hint" }] },
      { matcher: "Grep", hooks: [{ type: "command", command: "node ./refuse-everything.mjs" }] },
    ],
  },
};
const UNTRUSTED = {
  hooks: { PreToolUse: [{ matcher: "Write", hooks: [{ type: "command", command: "true" }] }] },
};

/** Events that all went on, or were refused by a hook without a name of its own. */
async function wentOn() {
  const room = scratch();
  room.file("refuse-everything.mjs", "process.exit(2);\n");
  room.file(".belay/settings.json", JSON.stringify(SETTINGS));
  await room.belay(["trust", "--yes"]);
  const fire = (tool: string, input: object) =>
    room.belay(["run", "PreToolUse", "--tool", tool, "--tool-input", JSON.stringify(input), "--json"]);
  await fire("Bash", { command: "ls" });
  await fire("Read", { file_path: "a.ts" });
  await fire("Grep", { pattern: "x" });
  room.file(".belay/settings.local.json", JSON.stringify(UNTRUSTED));
  await fire("Write", { file_path: "b.ts" });
  return serve(room);
}

describe.runIf(program)("what a hook does without deciding, on the page", () => {
  const open = browserFor(program);

  it("is told apart in the timeline, in words", async () => {
    const page = await open(await wentOn());
    await page.locator(".row").first().waitFor();
    expect(await page.locator(".row .kind").allInnerTexts()).toEqual([
      "· go on",
      "✗ deny",
      "· go on",
      "· go on",
    ]);
    expect(await page.locator(".row .subject").allInnerTexts()).toEqual([
      "hook not trusted b.ts",
      expect.stringMatching(/^x /),
      "a.ts",
      "input rewritten ls",
    ]);
  });

  it("shows of a made-up name what the hook runs; its title has the place", async () => {
    const page = await open(await wentOn());
    const hook = page.locator(".row.deny .hooks");
    expect(await hook.textContent()).toBe("node refuse-everything.mjs");
    expect(await hook.getAttribute("title")).toBe("PreToolUse[2.0] node refuse-everything.mjs");
  });

  it.each([
    ["ls", "~ rewrite", "adds rewrite"],
    ["a.ts", "+ context", "adds context"],
  ])("stands on the event's own page: %s", async (subject, said, fact) => {
    const page = await open(await wentOn());
    await page.locator(".row", { has: page.locator(".subject", { hasText: subject }) }).click();
    await page.locator(".run").first().waitFor();
    expect(await page.locator(".pipeline li", { hasText: "parse" }).textContent()).toContain(said);
    expect(await page.locator(".run .verdict").textContent()).toBe(said);
    expect(await page.locator(".run .facts").textContent()).toContain(fact);
  });

  it("is a sign of its own among a hook's runs", async () => {
    const page = await open(await wentOn());
    await page.keyboard.press("3");
    await page.locator(".plot").first().waitFor();
    expect(await page.locator(".plot .sign-of").allTextContents()).toEqual(["~", "+", "✗"]);
    expect(await page.locator(".plot a title").allTextContents()).toEqual([
      expect.stringContaining(": rewrite, "),
      expect.stringContaining(": context, "),
      expect.stringContaining(": deny, "),
    ]);
  });

  it("keeps the tool where the window is narrow", async () => {
    const page = await open(await wentOn(), { viewport: { width: 420, height: 700 } });
    await page.locator(".row").first().waitFor();
    const tools = page.locator(".row .about");
    expect(await tools.allInnerTexts()).toEqual(["Write", "Grep", "Read", "Bash"]);
    expect(await tools.first().isVisible()).toBe(true);
  });
});
