import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { journal, lineOf } from "./journal.ts";
import { launch, type Served, serve } from "./server.ts";
import { sharedStage } from "./stage.ts";

const program = findBrowser();
const open = browserFor(program);

const WATCH_SHIFTS = `shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
    .observe({ type: "layout-shift" });`;
const CUT_OF_FAILED = `[document.querySelector(".row .fault")].map((one) => one.scrollWidth - one.clientWidth)[0]`;
/** An arrow behind each stage but the last: where a row begins there is none. */
const ARROWS = `(() => {
  const stages = [...document.querySelectorAll(".pipeline li")];
  const drawn = (stage, where) => getComputedStyle(stage, where).content;
  return { before: drawn(stages[3], "::before"), after: drawn(stages[3], "::after"), last: drawn(stages.at(-1), "::after") };
})()`;
/** How much wider each link to a view is than its name. */
const AROUND_NAMES = `[...document.querySelectorAll("nav a")].map((link) => {
  const name = document.createRange();
  name.selectNodeContents(link.firstChild);
  return link.getBoundingClientRect().width - name.getBoundingClientRect().width;
})`;
/** How far the first chart is from the edges of what stands above it in its card. */
const EDGES_OF_CHART = `(() => {
  const [above, chart] = [".hook .what", ".chart"].map((one) => document.querySelector(one).getBoundingClientRect());
  return { left: chart.left - above.left, right: above.right - chart.right };
})()`;
/** Where the times of the rows begin. */
const CLOCKS = `[...document.querySelectorAll(".row time")].map((one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  return Math.round(text.getBoundingClientRect().left);
})`;
const NO_KEY = [
  "belay inspect",
  "This page has no key to its server.",
  "In a terminal: belay inspect, and open the address that it prints.",
].join("");

/** How far anything reaches beyond the window, or beyond the part of it that scrolls. */
const beyond = (page: Page) =>
  page.evaluate<number>(
    `Math.max(...[document.documentElement, document.querySelector("main")].map((one) => one.scrollWidth - one.clientWidth))`,
  );

describe.runIf(program)("the page in a real browser", () => {
  const stage = sharedStage();

  it("shows the journal and one event of it, and what hooks printed as text", async () => {
    const page = await open((await stage()).served);
    await page.locator(".row").first().waitFor();
    expect(new URL(page.url()).hash).toBe("#/timeline");
    expect(await page.locator(".row .kind").allInnerTexts()).toEqual([
      "⊘ block",
      "? ask",
      "✗ deny",
      "✓ allow",
      "✓ allow",
      "· go on",
    ]);
    expect(await page.locator(".row:has-text('notes.txt') .fault").textContent()).toBe("! 1 of 3 failed");
    expect(await page.evaluate(CUT_OF_FAILED)).toBe(0);
    await page.locator(".row:has-text('rm -rf build')").click();
    await page.locator(".pipeline").waitFor();
    const stages = ["event", "match", "trust", "run", "parse", "decide", "route", "record"];
    expect(await page.locator(".pipeline .stage").allInnerTexts()).toEqual(stages);
    const coloured = (part: string) =>
      page.locator(`#part-event pre`).first().locator(`.${part}`).allInnerTexts();
    expect([await coloured("key"), (await coloured("string")).slice(0, 2)]).toEqual([
      ['"tool_name"', '"tool_input"', '"command"', '"tool_use_id"'],
      ['"Bash"', '"rm -rf build /tmp/cache"'],
    ]);
    expect(await page.locator("#part-match").textContent()).toMatch(
      /guard fired.*"Bash" matches tool_name "Bash"[\s\S]*lint did not.*is none of "Write\|Edit"/,
    );
    expect(await page.locator(".run .name").allInnerTexts()).toEqual(["guard", "audit", "nod"]);
    expect(await page.locator("#part-decide").textContent()).toContain("Overruled: nod (allow)");
    const [user = "", agent = ""] = await page.locator(".sides > section").allInnerTexts();
    expect(user).not.toContain("rm -rf is not allowed");
    expect(agent).toContain("<img src=x onerror=alert(1)>");
    expect(await page.locator("main img").count()).toBe(0);
  });

  it("filters, searches, and says so when nothing is found", async () => {
    const page = await open((await stage()).served);
    await page.locator(".row").first().waitFor();
    await page.getByLabel("Decision").selectOption("deny");
    await expect.poll(() => page.locator(".row").count()).toBe(1);
    await page.getByLabel("Decision").selectOption("");
    const search = page.getByLabel("Search in everything");
    await search.fill("THE BUILD IS green");
    await expect.poll(() => page.locator(".row .event").allInnerTexts()).toEqual(["UserPromptSubmit"]);
    await search.fill("nobody said this");
    await page.getByText("No event passes these filters.").waitFor();
    await page.clock.install();
    await page.getByRole("button", { name: "Show all events" }).click();
    await expect.poll(() => search.inputValue()).toBe("");
    // What is in the fields is searched for once the fingers rest: it must be nothing.
    await page.clock.runFor(1000);
    await expect.poll(() => page.locator(".row").count()).toBe(6);
  });

  it("is used by keys alone", async () => {
    const page = await open((await stage()).served, { viewport: { width: 900, height: 420 } });
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("search");
    await page.keyboard.press("Escape");
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await page.locator(".pipeline").waitFor();
    expect(await page.locator("h1").textContent()).toBe("PreToolUse ? ask");
    await page.keyboard.press("End");
    await expect.poll(() => page.evaluate("document.querySelector('main').scrollTop")).toBeGreaterThan(0);
    await page.keyboard.press("Escape");
    await page.locator(".chosen:has-text('git push')").waitFor();
    for (const [key, chosen] of [
      ["ArrowDown", "rm -rf build"],
      ["End", "tidy up"],
      ["Home", "Stop"],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`.chosen:has-text('${chosen}')`).waitFor();
    }
    for (const [index, view] of ["Timeline", "Playground", "Hooks", "Permissions"].entries()) {
      await page.keyboard.press(`${index + 1}`);
      await page.locator(`nav a[aria-current]:has-text('${view}')`).waitFor();
      await page.keyboard.press("/");
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("search");
      await page.keyboard.press("Escape");
    }
  });

  it.each([380, 900])("fires an event by keys, and what came of it is in sight, %i wide", async (width) => {
    const page = await open((await stage()).served, { viewport: { width, height: 800 } });
    await page.keyboard.press("2");
    await page.getByLabel("an edited config").check();
    await page.keyboard.press("Control+Enter");
    const decided = page.locator(".result h1");
    await decided.waitFor();
    await expect.poll(async () => (await decided.boundingBox())?.y ?? 0).toBeLessThan(600);
  });

  it("fits a narrow window, and has a dark side", async () => {
    const { served } = await stage();
    const page = await open(served, { viewport: { width: 380, height: 700 }, colorScheme: "dark" });
    await page.locator(".row").first().waitFor();
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(21, 24, 27)");
    for (const key of ["1", "2", "3", "4"]) {
      await page.keyboard.press(key);
      await page.locator("main > *").first().waitFor();
      expect([key, await beyond(page)]).toEqual([key, 0]);
    }
    await page.keyboard.press("1");
    await page.locator(".row:has-text('git push')").click();
    await page.locator(".pipeline").waitFor();
    expect(await page.evaluate(ARROWS)).toEqual({ before: "none", after: '"→"', last: "none" });
    expect(await beyond(page)).toBe(0);
  });

  // The last one on this stage: it edits a script.
  it("lists every hook with its place, its trust and its runs", async () => {
    const { room, served } = await stage();
    room.file("guard.sh", "#!/bin/sh\nexit 0\n", 0o755);
    const page = await open(served);
    await page.keyboard.press("3");
    const guard = page.locator(".hook", { has: page.locator("h2", { hasText: /^guard$/ }) });
    await guard.waitFor();
    expect(await guard.textContent()).toMatch(/not trusted: belay trust/);
    expect(await guard.textContent()).toMatch(/settings\.json:\d+ \(hooks\.PreToolUse\[0\]\.hooks\[0\]\)/);
    expect(await guard.locator("figcaption").textContent()).toMatch(
      /^2 runs, the oldest on the left\. A bar’s height .* the longest \d/,
    );
    expect(await guard.locator(".legend").textContent()).toBe("✗ deny 1? ask 1");
    expect((await guard.locator(".scale text").allTextContents()).slice(0, 2)).toEqual([
      "0",
      expect.stringMatching(/ m?s$/),
    ]);
    expect(await page.evaluate(EDGES_OF_CHART)).toEqual({ left: 0, right: 0 });
    const names = ["guard", "audit", "nod", "lint", "news", "run-tests"];
    expect(await page.locator(".hook h2").allInnerTexts()).toEqual(names);
  });

  it("shows an event while it happens, and what is in view stays where it is", async () => {
    const room = scratch();
    const lines = Array.from({ length: 300 }, (_, at) => lineOf({ id: `r${at}`, command: `c-${at}` }));
    journal(room, lines);
    const page = await open(await serve(room));
    await page.locator(".row:has-text('c-299')").waitFor();
    journal(room, [lineOf({ id: "n1", command: "fresh-1" })]);
    await page.locator(".row:has-text('fresh-1')").waitFor();
    await page.evaluate(WATCH_SHIFTS);
    await page.evaluate("document.querySelector('.list').scrollTop = 3000");
    const row = page.locator(".row:has-text('c-190')");
    const before = await row.boundingBox();
    journal(room, [lineOf({ id: "n2", command: "fresh-2" }), lineOf({ id: "n3", command: "fresh-3" })]);
    await page.locator(".status:has-text('303 events')").waitFor();
    expect(await row.boundingBox()).toEqual(before);
    expect(await page.evaluate("shifts")).toEqual([]);
  });

  it("says what to do where there is nothing yet, and without its key", async () => {
    const served = await serve(scratch());
    const page = await open(served);
    await page.getByText("No events are recorded yet.").waitFor();
    // While nobody asks, no view's name has more around it than the others.
    await page.locator(".live:text-is('live')").waitFor();
    const around = await page.evaluate<number[]>(AROUND_NAMES);
    expect(new Set(around.map(Math.round)).size).toBe(1);
    await page.context().clearCookies();
    for (const address of ["", "#token=wrong"]) {
      await page.goto("about:blank");
      await page.goto(`http://127.0.0.1:${served.port}/${address}`);
      await page.getByText("This page has no key to its server.").waitFor();
      expect(await page.locator("#page").textContent()).toBe(NO_KEY);
    }
  });

  it("has the times of all rows under each other in a narrow window, however long their hooks took", async () => {
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
    const times = ["61.0 s", "1.2 s", "999 ms", "12 ms", "0.42 ms"];
    expect(await page.locator(".row .took").allTextContents()).toEqual(times);
    expect(new Set(await page.evaluate<number[]>(CLOCKS)).size).toBe(1);
  });

  it("lets no matcher, name, command, message or fault without a space reach over its edge", async () => {
    const room = scratch();
    const refuses = `echo '{"decision":"block","reason":"${"no".repeat(40)}"}'`;
    const LONG: [matcher: string, hook: object][] = [
      [`Bash|${"mcp__filesystem__write_".repeat(4)}`, { command: refuses }],
      ["Bash", { name: "forbid_".repeat(12), command: refuses }],
      ["Bash", { command: `${refuses}; : /${"a_folder_without_end".repeat(6)}/hook.sh` }],
      ["Bash", { command: `echo '{"systemMessage":"${"so_".repeat(40)}"}'` }],
      ["Bash", { command: `echo ${"no_file_".repeat(20)} >&2; exit 1` }],
    ];
    const groups = LONG.map(([matcher, hook]) => ({ matcher, hooks: [{ type: "command", ...hook }] }));
    const config = room.config({ PreToolUse: groups });
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    const served = await serve(room, ["--config", config]);
    const page = await open(served, { viewport: { width: 380, height: 800 } });
    await page.locator(".row").waitFor();
    expect(await beyond(page)).toBe(0);
    await page.locator(".row").click();
    await page.locator("#part-route").waitFor();
    expect(await beyond(page)).toBe(0);
    await page.keyboard.press("3");
    await page.locator(".hook").first().waitFor();
    expect(await beyond(page)).toBe(0);
  });

  it("has a mark of one line in a narrow window, beside a longer one", async () => {
    const room = scratch();
    room.config({ PreToolUse: [{ hooks: [{ type: "command", command: "true" }] }] }, ".claude/settings.json");
    const served = await serve(room, ["--dialect", "claude-code"]);
    const page = await open(served, { viewport: { width: 380, height: 800 } });
    await page.keyboard.press("3");
    const project = page.locator(".mark", { hasText: /^project$/ });
    expect((await project.boundingBox())?.height).toBeLessThan(25);
    const marks = await page.locator(".marks").textContent();
    expect(marks).toMatch(/^project✗ not trusted: belay trust --dialect/);
  });
});

describe.runIf(program)("what a hook does without deciding, on the page", () => {
  const answer = (more: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...more } });
  const REWRITE = answer({ updatedInput: { command: "ls -la" } });
  const CONTEXT = answer({ additionalContext: "the tree is clean" });
  const group = (matcher: string, hook: object) => ({ matcher, hooks: [hook] });
  const PROJECT = [
    group("Bash", { type: "json", json: REWRITE, name: "longer" }),
    group("Read", { type: "json", json: CONTEXT, name: "hint" }),
    group("Grep", { type: "command", command: "node ./refuse-everything.mjs" }),
  ];
  const UNTRUSTED = [group("Write", { type: "command", command: "true" })];

  const room = scratch(afterAll);
  let served: Served;
  /** Events that all went on, or were refused by a hook without a name of its own. */
  beforeAll(async () => {
    const settings = (name: string, groups: object[]) =>
      room.file(`.belay/${name}.json`, JSON.stringify({ hooks: { PreToolUse: groups } }));
    const fire = (tool: string, input: object) =>
      room.belay(["run", "PreToolUse", "--tool", tool, "--tool-input", JSON.stringify(input), "--json"]);
    room.file("refuse-everything.mjs", "process.exit(2);\n");
    settings("settings", PROJECT);
    await room.belay(["trust", "--yes"]);
    await fire("Bash", { command: "ls" });
    await fire("Read", { file_path: "a.ts" });
    await fire("Grep", { pattern: "x" });
    settings("settings.local", UNTRUSTED);
    await fire("Write", { file_path: "b.ts" });
    await room.belay(["run", "SessionEnd"]);
    served = await launch(room);
    return served.end;
  });

  it("is told apart in the timeline, in words; a made-up name says what the hook runs", async () => {
    const page = await open(served, { viewport: { width: 1280, height: 700 } });
    await page.locator(".row").first().waitFor();
    const kinds = ["· go on", "· go on", "✗ deny", "· go on", "· go on"];
    expect(await page.locator(".row .kind").allInnerTexts()).toEqual(kinds);
    expect((await page.locator(".row .subject").allInnerTexts()).slice(1)).toEqual([
      "hook not trusted b.ts",
      expect.stringMatching(/^x /),
      "a.ts",
      "input rewritten ls",
    ]);
    expect(await page.locator(".row .hooks").allInnerTexts()).toEqual([
      "no hook",
      "no hook",
      "node refuse-everything.mjs",
      "hint",
      "longer",
    ]);
    expect(await page.locator(".row.deny .hooks").getAttribute("title")).toBe(
      "PreToolUse[2.0] node refuse-everything.mjs",
    );
    // A narrow window keeps the tool.
    await page.setViewportSize({ width: 420, height: 700 });
    const tools = page.locator(".row .about");
    expect((await tools.allInnerTexts()).slice(1)).toEqual(["Write", "Grep", "Read", "Bash"]);
    expect(await tools.nth(1).isVisible()).toBe(true);
  });

  it("stands on the event's own page, and is a sign of its own among a hook's runs", async () => {
    const page = await open(served);
    for (const [subject, said, fact] of [
      ["ls", "~ rewrite", "adds rewrite"],
      ["a.ts", "+ context", "adds context"],
    ]) {
      await page.locator(".row", { has: page.locator(".subject", { hasText: subject ?? "" }) }).click();
      await page.locator(".run").first().waitFor();
      expect(await page.locator(".pipeline li", { hasText: "parse" }).textContent()).toContain(said);
      expect(await page.locator(".run .verdict").textContent()).toBe(said);
      expect(await page.locator(".run .facts").textContent()).toContain(fact);
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press("3");
    await page.locator(".plot").first().waitFor();
    expect(await page.locator(".plot .sign-of").allTextContents()).toEqual(["~", "+", "✗"]);
    const titles = await page.locator(".plot a title").allTextContents();
    expect(titles.map((title) => /: (\w+), /.exec(title)?.[1])).toEqual(["rewrite", "context", "deny"]);
  });
});
