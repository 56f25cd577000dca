import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fired } from "../../../inspector/src/api.ts";
import { scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { serve } from "./server.ts";
import { sharedStage } from "./stage.ts";

/** Finds the file that the edited config is for a moment, as a hook might. */
const FILE = '"$TMPDIR"/belay-inspect-*/settings.json';
const HOOKS = [
  { type: "command", name: "refuses", command: `ls ${FILE} >&2; exit 2` },
  {
    type: "command",
    name: "rewrites",
    command: `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"rm %s"}}}' ${FILE}`,
  },
  { type: "module", name: "gone", module: "./nowhere.mjs" },
  { type: "command", name: "typo", command: "true", nmae: "typo" },
];

it("an edited config has its name in what belay says; what hooks say stays as they said it", async () => {
  const room = scratch();
  const TMPDIR = join(room.home, "tmp");
  mkdirSync(TMPDIR);
  const served = await serve(room, [], { TMPDIR });
  const payload = { tool_name: "Bash", tool_input: { command: "ls" } };
  const config = JSON.stringify({ hooks: { PreToolUse: [{ hooks: HOOKS }] } });
  const request = { event: "PreToolUse", payload, config };
  const { record, outcome, matches, share } = await served.api<Fired>("/api/fire", request);

  const path = expect.stringMatching(/^[^\n]*\/belay-inspect-\w+\/settings\.json$/);
  const [refuses, rewrites, gone] = record.hooks.map(({ run }) => run);
  expect(refuses?.stderr.trim()).toEqual(path);
  expect(rewrites?.stdout).toContain("/belay-inspect-");
  for (const { decision, messages } of [outcome, record.outcome]) {
    expect(decision).toMatchObject({ kind: "deny", reason: path, hook: "refuses" });
    expect(messages.filter(({ hook }) => hook === "refuses")[0]?.block.content).toEqual(path);
  }
  expect(share.testCase).toContain("/belay-inspect-");

  const SOURCE = "the edited config:1";
  expect(record.hooks.map(({ source }) => source)).toEqual(HOOKS.map(() => SOURCE));
  expect(outcome.runs.map(({ source }) => source)).toEqual(HOOKS.map(() => SOURCE));
  expect(matches.map(({ source }) => source)).toEqual(HOOKS.map(() => SOURCE));
  expect(gone?.failure?.detail).toMatch(/^there is no \.\/nowhere\.mjs and no /);
  const belaySays = [outcome.diagnostics, record.outcome.diagnostics, record.extra];
  const toldOf = outcome.messages.filter(({ hook }) => hook !== "refuses");
  expect(JSON.stringify([belaySays, toldOf])).not.toContain("belay-inspect-");
  expect(JSON.stringify(toldOf)).toContain("the edited config:1: unknown field");
});

const program = findBrowser();

describe.runIf(program)("the playground in a real browser", () => {
  const open = browserFor(program);
  const stage = sharedStage();

  async function start() {
    const staged = await stage();
    const page = await open(staged.served);
    await page.keyboard.press("2");
    const payload = page.getByLabel("Payload");
    await expect.poll(() => payload.inputValue()).toContain("tool_name");
    return { ...staged, page, payload, fire: page.getByRole("button", { name: /^Fire/ }) };
  }
  const copied = (page: Awaited<ReturnType<typeof open>>) =>
    page.evaluate<string>("navigator.clipboard.readText()");

  // The first one: it counts on the events of the stage alone.
  it("drops a recorded payload that comes after another choice, what was typed, or what was fired", async () => {
    const { page, payload, fire } = await start();
    const recorded = page.getByLabel("Recorded events");
    const held: (() => void)[] = [];
    let isRefused = false;
    const late = new Set<Promise<unknown>>();
    await page.route(/\/api\/events\/[^?]+$/, async (route) => {
      const answers = new Promise<void>((resolve) => held.push(resolve));
      const done = answers.then(() => (isRefused ? route.fulfill({ status: 500 }) : route.continue()));
      late.add(done);
      await done;
    });
    const choose = async (index: number) => {
      const before = held.length;
      await expect.poll(() => recorded.locator("option").count()).toBeGreaterThan(index);
      await recorded.selectOption({ index });
      await expect.poll(() => held.length).toBe(before + 1);
      return async () => {
        const answered = page.waitForResponse(/\/api\/events\/[^?]+$/);
        held[before]?.();
        await (await answered).finished();
        // The page has taken the answer, or dropped it, when it has the next one.
        await page.evaluate("fetch('/').then((answer) => answer.text())");
      };
    };
    const [first, second] = [await choose(1), await choose(2)];
    await second();
    const kept = await payload.inputValue();
    expect(kept).toContain("rm -rf build");
    await first();
    expect(await payload.inputValue()).toBe(kept);
    const third = await choose(1);
    await payload.fill('{"tool_name":"Typed","tool_input":{}}');
    await third();
    expect(await payload.inputValue()).toBe('{"tool_name":"Typed","tool_input":{}}');
    const [fourth, fifth] = [await choose(1), await choose(2)];
    await fire.click();
    await page.locator(".pipeline").waitFor();
    isRefused = true;
    await fourth();
    await fifth();
    expect([await page.locator(".pipeline").count(), await page.locator(".failure").count()]).toEqual([1, 0]);
    await Promise.all(late);
  });

  it("fires at the current hooks, records nothing, and gives a command that does the same", async () => {
    const { page, payload, fire, room } = await start();
    const given = { tool_name: "Bash", tool_input: { command: "rm -rf 'it'\n$HOME `x`" } };
    await payload.fill(JSON.stringify(given));
    await fire.click();
    await page.locator("h1:has-text('deny')").waitFor();
    expect(await page.locator(".pipeline li").last().textContent()).toBe("recordnot recorded");
    await page.getByRole("button", { name: "Copy as command" }).click();
    await page.getByText("✓ Copied").waitFor();
    const line = await copied(page);
    await fire.click();
    // The next event has not been copied.
    await page.getByRole("button", { name: "Copy as command" }).waitFor();
    const printed = await room.shell(`${line} --json`);
    expect(JSON.parse(printed)).toMatchObject({ decision: { kind: "deny", hook: "guard" } });
    await page.locator("nav a").first().click();
    // The six of the stage, and the one that the command line has just fired.
    await page.locator(".status:has-text('7 events')").waitFor();
  });

  it("takes a recorded payload", async () => {
    const { page, payload } = await start();
    const recorded = page.getByLabel("Recorded events");
    await expect.poll(() => recorded.locator("option").count()).toBeGreaterThan(1);
    // While the events of another kind are asked for, those of the last one cannot be chosen.
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/\/api\/events\?.*event=UserPromptSubmit/, async (route) => {
      await asked;
      await route.continue();
    });
    await page.locator(".playground label select").selectOption("UserPromptSubmit");
    expect([await recorded.locator("option").count(), await recorded.isDisabled()]).toEqual([1, true]);
    answer();
    await expect.poll(() => recorded.locator("option").count()).toBeGreaterThan(1);
    const sample = await payload.inputValue();
    await recorded.selectOption({ index: 1 });
    await expect.poll(() => payload.inputValue()).not.toBe(sample);
    expect(JSON.parse(await payload.inputValue())).toMatchObject({ hook_event_name: "UserPromptSubmit" });
    await page.getByText("✓ fits UserPromptSubmit").waitFor();
    await page.getByRole("button", { name: "Sample payload" }).click();
    await expect.poll(() => payload.inputValue()).toBe(sample);
  });

  it("says what does not fit before anything runs", async () => {
    const { page, payload, fire } = await start();
    const CASES: [text: string, said: RegExp][] = [
      ["{", /✗ .*JSON/],
      ["[]", /must be a JSON object/],
      ['{"tool_input":{}}', /✗ tool_name is missing$/],
      ['{"tool_name":"Bash","tool_inpt":{}}', /✗ tool_input is missing \(did you mean it by tool_inpt\?\)$/],
      ['{"tool_name":7,"tool_input":{}}', /tool_name must be/],
      [
        '{"tool_name":"Bash","tool_input":{},"hook_event_name":"Stop"}',
        /says Stop, and the event is PreToolUse/,
      ],
    ];
    for (const [text, said] of CASES) {
      await payload.fill(text);
      await expect.poll(() => page.locator(".check").textContent()).toMatch(said);
      expect(await fire.isDisabled()).toBe(true);
      expect(await page.locator(".why").textContent()).toBe("Fire waits until the payload fits.");
    }
    await payload.fill('{"tool_name":"Bash","tool_input":{}}');
    await expect.poll(() => page.locator(".why").textContent()).toBe("");
    // Anything may be a tool's response, but nothing is none.
    await page.locator(".playground label select").selectOption("PostToolUse");
    const RESPONSES: [response: string, said: RegExp][] = [
      ["", /✗ tool_response is missing$/],
      [',"tool_response":null', /✓ fits PostToolUse/],
    ];
    for (const [response, said] of RESPONSES) {
      await payload.fill(`{"tool_name":"Bash","tool_input":{}${response}}`);
      await expect.poll(() => page.locator(".check").textContent()).toMatch(said);
    }
  });

  it("fires at an edited config, and leaves nothing behind", async () => {
    const { page, fire, room } = await start();
    await page.getByLabel("an edited config").check();
    const config = page.getByLabel("The edited config");
    expect(await config.inputValue()).toContain("run-tests");
    const { y = 0, height = 0 } = (await fire.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(800);
    await config.fill("{ broken");
    await fire.click();
    expect(await page.locator(".failure").textContent()).toBe(
      "the edited config cannot be read: invalid symbol on line 1, column 3: { brokenCorrect it here, and fire again.",
    );
    const entry = { type: "json", json: { continue: false, stopReason: "by the edit" }, name: "edited" };
    await config.fill(JSON.stringify({ hooks: { PreToolUse: [{ hooks: [entry] }] } }));
    await page.keyboard.press("Control+Enter");
    await page.locator("h1:has-text('stop')").waitFor();
    await page.getByRole("button", { name: "Copy as test case" }).click();
    await page.getByText("✓ Copied").waitFor();
    expect(await copied(page)).toMatch(
      /^cases:\n {2}- name: 'PreToolUse Bash: stop'\n {4}event: PreToolUse\n[\s\S]* {4}expect:\n {6}decision: stop\n {6}reason: by the edit\n/,
    );
    expect(await page.locator(".lacks").textContent()).toContain("--config");
    expect(readdirSync(join(room.project, ".belay"))).toEqual(["settings.json"]);
  });

  const EDITED: [what: string, config: object, said: RegExp][] = [
    [
      "an entry that is off",
      { PreToolUse: [{ type: "command", command: "true" }] },
      /The hooks of the edited config could not all be asked: .*it is off/,
    ],
    ["no entry", {}, /No hook of the edited config waits for PreToolUse\./],
    [
      "an entry of another event",
      { Stop: [{ hooks: [{ type: "command", command: "true" }] }] },
      /Why, by the edited config\.and 1 hook of other events/,
    ],
  ];

  it("calls the hooks of an edited config so", async () => {
    const { page, fire } = await start();
    await page.getByLabel("an edited config").check();
    for (const [what, hooks, expected] of EDITED) {
      await page.getByLabel("The edited config").fill(JSON.stringify({ hooks }));
      const answered = page.waitForResponse(/\/api\/fire$/);
      await fire.click();
      await answered;
      await expect.poll(() => page.locator("#part-match").textContent(), { message: what }).toMatch(expected);
      expect(await page.locator("#part-match").textContent()).not.toMatch(/belay init|today/i);
    }
  });

  it("shows no result of an earlier event after one that failed or was stopped", async () => {
    const { page, fire, room } = await start();
    const result = page.locator(".result");
    const fireWell = async () => {
      await page.getByLabel("the current ones").check();
      await fire.click();
      await page.locator(".pipeline").waitFor();
    };
    await fireWell();
    await page.getByLabel("an edited config").check();
    const config = page.getByLabel("The edited config");
    await config.fill("{ broken");
    await fire.click();
    await page.locator(".failure").waitFor();
    expect(await page.locator(".pipeline").count()).toBe(0);
    await fireWell();
    const slow = { type: "command", command: `touch "${room.project}/on"; sleep 60` };
    await page.getByLabel("an edited config").check();
    await config.fill(JSON.stringify({ hooks: { PreToolUse: [{ hooks: [slow] }] } }));
    await fire.click();
    await expect.poll(() => existsSync(join(room.project, "on"))).toBe(true);
    expect(await result.textContent()).toContain("the hooks are running … Below is the event before.");
    // It can be stopped also after its view was left and come back to.
    for (const view of ["hooks", "playground"]) await page.locator(`nav a[href='#/${view}']`).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("The event was stopped.").waitFor();
    expect(await page.locator(".pipeline").count()).toBe(0);
  });

  it("dims a result once anything that it depends on was edited, until the edit is taken back or fired", async () => {
    const { page, payload, fire } = await start();
    await fire.click();
    await page.locator(".pipeline").waitFor();
    const why = page.locator(".why");
    const opacity = () => page.evaluate("getComputedStyle(document.querySelector('.one-event')).opacity");
    const [first, edited] = [await payload.inputValue(), '{"tool_name":"Bash","tool_input":{}}'];
    for (const [edit, isOld] of [
      [() => payload.fill(edited), true],
      [() => payload.fill(first), false],
      [() => page.getByLabel("an edited config").check(), true],
      [() => page.getByLabel("The edited config").fill("{}"), true],
      [() => page.getByLabel("the current ones").check(), false],
      [() => payload.fill(edited), true],
      [() => fire.click(), false],
    ] as const) {
      await edit();
      await expect
        .poll(() => why.textContent())
        .toBe(isOld ? "The result is that of the event before this change." : "");
      expect(await opacity()).toBe(isOld ? "0.5" : "1");
    }
  });

  it("fires by its key wherever the focus is, and once", async () => {
    const { page, fire } = await start();
    let fired = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/api/fire")) fired += 1;
    });
    // As the view was come to by its key; behind the button that fired; on one that does something else; in a field.
    const focuses = [
      () => page.evaluate("document.activeElement.blur()"),
      () => fire.focus(),
      () => page.getByRole("button", { name: "Copy as command" }).focus(),
      () => page.getByLabel("Payload").focus(),
    ];
    for (const [before, focus] of focuses.entries()) {
      await focus();
      await page.keyboard.press("Control+Enter");
      await expect.poll(() => fired).toBe(before + 1);
      await page.locator(".pipeline").waitFor();
      await expect.poll(() => fire.isEnabled()).toBe(true);
    }
    expect(await page.getByText("✓ Copied").count()).toBe(0);
    expect(fired).toBe(focuses.length);
  });

  it("says that a recorded payload lacks its secrets, as long as it does", async () => {
    const { room, page, payload, fire } = await start();
    await room.belay([
      "run",
      "PreToolUse",
      "--tool-input",
      '{"command":"env TOKEN=Zq7vR2xLm9Tw ls"}',
      "--json",
    ]);
    await page.locator("nav a").first().click();
    await page.locator(".row:has-text('env TOKEN')").click();
    await page.getByRole("button", { name: "Open in the playground" }).click();
    const status = page.locator(".check");
    await expect.poll(() => status.textContent()).toBe("✓ fits PreToolUse · secrets were replaced");
    await fire.click();
    const SAID = "Secrets were replaced before the event was recorded: put others in their place.";
    await expect.poll(() => page.locator(".lacks").textContent()).toContain(SAID);
    expect(await page.locator(".result header").textContent()).toContain("· secrets were replaced");
    await payload.fill((await payload.inputValue()).replace("TOKEN=[redacted] ", ""));
    await expect.poll(() => status.textContent()).toBe("✓ fits PreToolUse");
    await fire.click();
    await expect.poll(() => page.locator(".result").textContent()).not.toMatch(/secrets were replaced/i);
  });
});
