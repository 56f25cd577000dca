import { describe, expect, it } from "vitest";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { journal, lineOf } from "./journal.ts";
import { serve } from "./server.ts";
import { stage } from "./stage.ts";

const program = findBrowser();

const WATCH_SHIFTS = `shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
    .observe({ type: "layout-shift" });`;
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
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
const NO_KEY = [
  "belay inspect",
  "This page has no key to its server.",
  "In a terminal: belay inspect, and open the address that it prints.",
].join("");

describe.runIf(program)("the page in a real browser", () => {
  const open = browserFor(program);

  it("shows the journal and one event of it, and what hooks printed as text", async () => {
    const { served } = await stage();
    const page = await open(served);
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
    await page.locator(".row:has-text('rm -rf build')").click();
    await page.locator(".pipeline").waitFor();
    expect(await page.locator(".pipeline .stage").allInnerTexts()).toEqual([
      "event",
      "match",
      "run",
      "parse",
      "decide",
      "route",
      "record",
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

  it("marks the fields that counted", async () => {
    const { served } = await stage();
    const page = await open(served);
    await page.locator(".row:has-text('git push')").click();
    await page.locator(".json").first().waitFor();
    expect(await page.locator(".run").first().locator("mark").allInnerTexts()).toEqual([
      '"systemMessage": "a push"',
      '"hookEventName": "PreToolUse"',
      '"permissionDecision": "ask"',
      '"permissionDecisionReason": "pushes go through you"',
    ]);
    expect(await page.locator(".json .idle").allInnerTexts()).toEqual(['"colour": "red"']);
  });

  it("shows an event while it happens, and what is in view stays where it is", async () => {
    const room = scratch();
    journal(
      room,
      Array.from({ length: 300 }, (_, index) => lineOf({ id: `r${index}`, command: `c-${index}` })),
    );
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

  it("filters, searches, and says so when nothing is found", async () => {
    const { served } = await stage();
    const page = await open(served);
    await page.locator(".row").first().waitFor();
    await page.getByLabel("Decision").selectOption("deny");
    await expect.poll(() => page.locator(".row").count()).toBe(1);
    await page.getByLabel("Decision").selectOption("");
    await page.getByLabel("Search in everything").fill("THE BUILD IS green");
    await expect.poll(() => page.locator(".row .event").allInnerTexts()).toEqual(["UserPromptSubmit"]);
    await page.getByLabel("Search in everything").fill("nobody said this");
    await page.getByText("No event passes these filters.").waitFor();
    await page.getByRole("button", { name: "Show all events" }).click();
    await expect.poll(() => page.getByLabel("Search in everything").inputValue()).toBe("");
    // What is in the fields is searched for once the fingers rest: it must be nothing.
    await page.waitForTimeout(500);
    expect(await page.locator(".row").count()).toBe(6);
  });

  it("is used by keys alone", async () => {
    const { served } = await stage();
    const page = await open(served);
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("search");
    await page.keyboard.press("Escape");
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await page.locator(".pipeline").waitFor();
    expect(await page.locator("h1").textContent()).toBe("PreToolUse ? ask");
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
    for (const [key, view] of [
      ["2", "Playground"],
      ["3", "Hooks"],
      ["4", "Permissions"],
      ["1", "Timeline"],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`nav a[aria-current]:has-text('${view}')`).waitFor();
    }
  });

  it("says what to do where there is nothing yet, and without its key", async () => {
    const served = await serve(scratch());
    const page = await open(served);
    await page.getByText("No events are recorded yet.").waitFor();
    await page.goto("about:blank");
    await page.context().clearCookies();
    await page.goto(`http://127.0.0.1:${served.port}/`);
    await page.getByText("This page has no key to its server.").waitFor();
    expect(await page.locator("#page").textContent()).toBe(NO_KEY);
    await page.goto("about:blank");
    await page.goto(`http://127.0.0.1:${served.port}/#token=wrong`);
    await page.getByText("This page has no key to its server.").waitFor();
    expect(await page.locator("#page").textContent()).toBe(NO_KEY);
  });

  it("lists every hook with its place, its trust and its runs", async () => {
    const { room, served } = await stage();
    room.file("guard.sh", "#!/bin/sh\nexit 0\n", 0o755);
    const page = await open(served);
    await page.keyboard.press("3");
    const guard = page.locator(".hook", { has: page.locator("h2", { hasText: /^guard$/ }) });
    await guard.waitFor();
    expect(await guard.textContent()).toMatch(/not trusted: belay trust/);
    expect(await guard.textContent()).toMatch(/settings\.json:\d+ \(hooks\.PreToolUse\[0\]\.hooks\[0\]\)/);
    expect(await guard.locator("figcaption").textContent()).toMatch(/^2 runs, p50 \d/);
    expect(await page.locator(".hook h2").allInnerTexts()).toEqual([
      "guard",
      "audit",
      "nod",
      "lint",
      "news",
      "run-tests",
    ]);
  });

  it("names the only hook that ran, and one without a name by what it runs", async () => {
    const room = scratch();
    const hooks = (command: string) => [{ hooks: [{ type: "command", command }] }];
    const config = room.config({ PreToolUse: hooks("exit 2"), Stop: hooks("./bin/tests.sh || true") });
    for (const event of ["PreToolUse", "Stop", "SessionEnd"])
      await room.belay(["run", event, "--config", config]);
    const page = await open(await serve(room));
    await page.locator(".row").first().waitFor();
    expect(await page.locator(".row .hooks").allInnerTexts()).toEqual([
      "no hook",
      "tests.sh || true",
      "exit 2",
    ]);
    expect(await page.locator(".row .hooks").nth(1).getAttribute("title")).toMatch(/^Stop\[0\.0\] /);
  });

  it("counts every hook without an answer as belay tail does: a plain exit 1 is no fault", async () => {
    const room = scratch();
    const hooks = ["exit 1", "no-such-program-here", "true"].map((command) => ({ type: "command", command }));
    await room.belay(["run", "Stop", "--config", room.config({ Stop: [{ hooks }] })]);
    expect((await room.belay(["tail"])).stdout).toContain("! 2 of 3 failed");
    const page = await open(await serve(room), { viewport: { width: 1280, height: 700 } });
    const failed = page.locator(".row .fault");
    expect(await failed.textContent()).toBe("! 2 of 3 failed");
    expect(await page.evaluate(CUT_OF_FAILED)).toBe(0);
    await page.locator(".row").click();
    expect(await page.locator(".pipeline .says").nth(3).textContent()).toBe("! 2 of 3 failed");
  });

  it("underlines no more of a view's name than of the others' while nobody asks", async () => {
    const page = await open(await serve(scratch()));
    await page.locator(".live:text-is('live')").waitFor();
    const around = await page.evaluate<number[]>(AROUND_NAMES);
    expect(new Set(around.map(Math.round)).size).toBe(1);
  });

  it("fits a narrow window, and has a dark side", async () => {
    const { served } = await stage();
    const page = await open(served, { viewport: { width: 380, height: 700 }, colorScheme: "dark" });
    await page.locator(".row").first().waitFor();
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(21, 24, 27)");
    for (const key of ["1", "2", "3", "4"]) {
      await page.keyboard.press(key);
      await page.locator("main > *").first().waitFor();
      const overflow = await page.evaluate(OVERFLOW);
      expect([key, overflow]).toEqual([key, 0]);
    }
    await page.keyboard.press("1");
    await page.locator(".row:has-text('git push')").click();
    await page.locator(".pipeline").waitFor();
    expect(await page.evaluate(ARROWS)).toEqual({ before: "none", after: '"→"', last: "none" });
    expect(await page.evaluate(OVERFLOW)).toBe(0);
  });
});
