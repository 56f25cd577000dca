import { describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { journal, lineOf } from "./journal.ts";
import { serve } from "./server.ts";

const program = findBrowser();

const answer = (permissionDecision: string, more: object = {}) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, ...more },
});
const says = (name: string, json: object) => ({ type: "json", json, name });
const runs = (name: string, command: string) => ({ type: "command", command, name });

describe.runIf(program)("the page of one event", () => {
  const open = browserFor(program);

  /** What these hooks made of a call, as the page shows it. */
  async function shown(groups: readonly object[]) {
    const room = scratch();
    const config = room.config({ PreToolUse: groups });
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    const page = await open(await serve(room, ["--config", config]));
    await page.locator(".row").click();
    await page.locator(".pipeline").waitFor();
    return page;
  }

  it("tells what a deny skipped in a sequential group from what did not match, and counts both", async () => {
    const hooks = [
      says("watch", answer("deny")),
      says("guard", answer("deny", { permissionDecisionReason: "no" })),
      runs("after", "true"),
      runs("last", "exit 1"),
    ];
    const [watch, ...others] = hooks;
    const page = await shown([
      { sequential: true, hooks: [{ ...watch, mode: "observe" }, ...others] },
      { matcher: "Write", hooks: [runs("lint", "true")] },
      { hooks: [runs("aside", "true")] },
    ]);
    expect(await page.locator(".pipeline .says").nth(1).textContent()).toBe("3 fired, 2 skipped, 1 not");
    const lines = await page.locator(".matches li").allInnerTexts();
    expect(lines.map((line) => line.replace(/ · \/.*$/, ""))).toEqual([
      "✓ watch fired no matcher: every time",
      "✓ guard fired no matcher: every time",
      "✓ aside fired no matcher: every time",
      "· after was skipped: guard, before it in its sequential group, said deny",
      "· last was skipped: guard, before it in its sequential group, said deny",
      '· lint did not tool_name "Bash" is none of "Write"',
    ]);
  });

  it("says why an allow did not count", async () => {
    const rewrite = { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "ls" } } };
    const page = await shown([{ hooks: [says("nod", answer("allow")), says("fixer", rewrite)] }]);
    const said = await page.locator("#part-decide").textContent();
    expect(said).toContain(
      "The allow of nod was for another input: fixer rewrote it without allowing. It did not count.",
    );
    expect(said).toContain("No hook objected, and no allow counted: work went on by the usual rules.");
    expect(said).not.toContain("none allowed");
    expect(said).not.toContain("agree");
  });

  it("says why a block of a stop did not count", async () => {
    const room = scratch();
    const capped = {
      code: "stop-cap",
      severity: "warning",
      message: "the stop was blocked 8 times",
      fix: "",
    };
    const record = JSON.parse(lineOf({ id: "a", event: "Stop" }));
    record.hooks[0].run.exitCode = 2;
    record.context = { stops: { soFar: 8, cap: 8 } };
    record.outcome.diagnostics = [capped];
    journal(room, [`${JSON.stringify(record)}\n`]);
    const page = await open(await serve(room));
    await page.locator(".row").click();
    const asides = page.locator("#part-decide .aside");
    await asides.first().waitFor();
    expect(await asides.allInnerTexts()).toEqual([
      "What objected did not count: the stop was blocked 8 times.",
    ]);
  });

  it("shows what it can of a record whose messages lack something", async () => {
    const room = scratch();
    const record = JSON.parse(lineOf({ id: "a" }));
    const block = { type: "text", content: "hello", metadata: {} };
    const messages = [
      { to: "user", block },
      { to: "agent", hook: "guard", block },
      { to: "user", hook: "guard", block: { type: "text" } },
      { to: "user", hook: "guard", block: { ...block, type: {} } },
      { to: "user", hook: "guard" },
      null,
    ];
    const told = { code: "x", severity: "warning", message: "told", fix: "none" };
    const diagnostics = [told, { ...told, fix: undefined }, null];
    const outcomes = [
      { ...record.outcome, messages, diagnostics },
      { ...record.outcome, messages: "none", diagnostics: {} },
    ];
    journal(
      room,
      outcomes.map((outcome) => `${JSON.stringify({ ...record, outcome })}\n`),
    );
    const page = await open(await serve(room));
    await page.locator(".row").last().click();
    await page.getByText("Back (Esc)").waitFor();
    expect(await page.locator(".sides .block").allInnerTexts()).toEqual([
      "text\n\nhello",
      "text · guard\n\nhello",
    ]);
    expect(await page.locator(".pipeline .says").nth(5).textContent()).toBe("user 1 · agent 1");
    expect(await page.locator(".diagnostics li").allInnerTexts()).toEqual(["warning: x told\nFix: none"]);
    await page.getByText("Copy as test case").click();
    await page.locator(".lacks").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".row").first().click();
    await page.getByText("Back (Esc)").waitFor();
    expect(await page.locator(".sides .block").count()).toBe(0);
  });

  it("marks what counted in JSON that stands among other text", async () => {
    const json = JSON.stringify({ colour: "red", ...answer("deny", { permissionDecisionReason: "no" }) });
    const page = await shown([{ hooks: [runs("chatty", `echo checking; echo '${json}'; echo done`)] }]);
    const run = page.locator(".run").first();
    expect(await run.locator("mark").allInnerTexts()).toEqual([
      '"hookEventName": "PreToolUse"',
      '"permissionDecision": "deny"',
      '"permissionDecisionReason": "no"',
    ]);
    expect(await run.locator("pre").first().textContent()).toBe(`checking\n${json}\ndone\n`);
    expect(await run.locator("h3").allInnerTexts()).toEqual(["stdout", "The JSON in it"]);
  });

  it("says why a hook gave no answer, there and among its runs", async () => {
    const page = await shown([{ hooks: [runs("broken", "echo 'no such rule' >&2; exit 1")] }]);
    expect(await page.locator(".run .verdict").textContent()).toBe("! failed");
    expect(await page.locator(".run .fault").allInnerTexts()).toEqual([
      "No answer: exited with 1: no such rule",
    ]);
    expect(await page.locator(".pipeline .says").nth(3).textContent()).toBe("! failed");
    await page.keyboard.press("3");
    await page.locator(".plot").waitFor();
    expect(await page.locator(".plot a title").textContent()).toMatch(/: exited with 1: no such rule, \d/);
    expect(await page.locator(".plot .sign-of").textContent()).toBe("!");
  });

  it("names a hook without a name by what it runs; where two would read the same, by its place too", async () => {
    const hooks = ["bin/guard.sh", "a/lint.sh", "b/lint.sh"].map((command) => ({ type: "command", command }));
    const page = await shown([{ hooks: [...hooks, runs("named", "true")] }]);
    const names = page.locator(".run .name");
    expect(await names.allTextContents()).toEqual([
      "guard.sh",
      "PreToolUse[0.1] lint.sh",
      "PreToolUse[0.2] lint.sh",
      "named",
    ]);
    expect(await names.first().getAttribute("title")).toBe("PreToolUse[0.0] guard.sh");
  });

  it("says it in one line, as belay tail does: the exception of a traceback, which stands below it whole", async () => {
    const broken = `python3 -c 'import json; json.loads("{}")["cmd"]'`;
    const page = await shown([{ hooks: [runs("broken", broken)] }]);
    expect(await page.locator(".run .fault").allInnerTexts()).toEqual([
      "No answer: exited with 1: KeyError: 'cmd'",
    ]);
    expect(await page.locator(".run pre").textContent()).toMatch(/^Traceback [\s\S]*KeyError: 'cmd'\n$/);
  });

  it("says so, too, where its interpreter had nothing to run, and the call was refused", async () => {
    const page = await shown([{ hooks: [runs("gone", "python3 ./gone.py")] }]);
    expect(await page.locator(".run .verdict").textContent()).toBe("✗ deny");
    await page.keyboard.press("3");
    await page.locator(".plot").waitFor();
    expect(await page.locator(".plot a title").textContent()).toMatch(/: exited with 2: .*gone\.py/);
    expect(await page.locator(".plot .sign-of").textContent()).toBe("!");
  });
});
