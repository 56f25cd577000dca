import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { ticksTo, took } from "../../../inspector/src/parts/format.ts";
import { type Scratch, scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { journal, lineOf } from "./journal.ts";
import { serve } from "./server.ts";

const program = findBrowser();

const answer = (more: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...more } });
const says = (name: string, more: object) => ({ type: "json", json: answer(more), name });
const runs = (name: string, command: string) => ({ type: "command", command, name });
const allow = { permissionDecision: "allow" };
const deny = { permissionDecision: "deny", permissionDecisionReason: "no" };
const context = { additionalContext: "mind the gap" };
const rewrite = (command: string) => ({ updatedInput: { command } });
const observed = (hook: object) => ({ ...hook, mode: "observe" });

describe.runIf(program)("the page of one event", () => {
  const open = browserFor(program);

  async function eventOf(room: Scratch, args: readonly string[] = []): Promise<Page> {
    const page = await open(await serve(room, args));
    await page.locator(".row").click();
    await page.locator(".pipeline").waitFor();
    return page;
  }

  /** What these hooks made of a call, as the page shows it. */
  async function shown(groups: readonly object[], others: object = {}) {
    const room = scratch();
    const config = room.config({ PreToolUse: groups, ...others });
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    return eventOf(room, ["--config", config]);
  }

  const parsed = (page: Page) => page.locator(".pipeline .says").nth(4).textContent();

  const [COUNTED, IDLE] = ["← counted", "← read, but did not count"];
  const TAGS = `[...document.querySelectorAll(".run")].map((run) =>
    Object.fromEntries([...run.querySelectorAll(".json li:has(> .tag)")].map((one) =>
      [one.textContent.split('"')[1], one.querySelector(".tag").textContent.trim()])))`;

  const together = (...hooks: object[]) => ({ hooks });
  const oneAtATime = (...hooks: object[]) => ({ hooks, sequential: true });
  const adds = { hookEventName: "UserPromptSubmit", ...context, updatedPrompt: "x" };
  const blocks = { type: "json", name: "no", json: { decision: "block", reason: "no" } };
  const VOIDED = [
    "The allow of nod was for another input: fixer rewrote it without allowing. It did not count.",
    "No hook objected, and no allow counted: work went on by the usual rules.",
  ];
  const REPLACED = ["The input was rewritten by second to", "that of first did not count"];
  const ERASED = ["the rewrite of adder did not count", "the context of adder did not count"];

  const ROWS: [what: string, groups: object[], tags: object[], said?: string[], event?: string][] = [
    [
      "an allow of another input did not count, what stands beside it did",
      [
        together(
          says("nod", { ...allow, permissionDecisionReason: "only reads", ...context }),
          says("fixer", rewrite("ls")),
        ),
      ],
      [
        { permissionDecision: IDLE, permissionDecisionReason: IDLE, additionalContext: COUNTED },
        { updatedInput: COUNTED },
      ],
      VOIDED,
    ],
    [
      "nor did a rewrite that another one replaced",
      [together(says("first", { ...rewrite("a"), ...context }), says("second", rewrite("b")))],
      [{ updatedInput: IDLE, additionalContext: COUNTED }, { updatedInput: COUNTED }],
      REPLACED,
    ],
    [
      "a rewrite that the next one of its group was given counts",
      [oneAtATime(says("first", rewrite("a")), says("second", rewrite("b")))],
      [{ updatedInput: COUNTED }, { updatedInput: COUNTED }],
    ],
    [
      "a refusal carries no rewrite, and overrules an allow",
      [together(says("nod", allow), says("fixer", rewrite("a")), says("no", deny))],
      [
        { permissionDecision: IDLE },
        { updatedInput: IDLE },
        { permissionDecision: COUNTED, permissionDecisionReason: COUNTED },
      ],
    ],
    [
      "an allow that was voided did not count where another allow stands",
      [together(says("first", allow)), oneAtATime(says("fixer", rewrite("a")), says("second", allow))],
      [{ permissionDecision: IDLE }, { updatedInput: COUNTED }, { permissionDecision: COUNTED }],
    ],
    [
      "nothing counts of a hook that observes",
      [together(observed(says("watch", deny)), says("nod", allow))],
      [
        { hookEventName: IDLE, permissionDecision: IDLE, permissionDecisionReason: IDLE },
        { permissionDecision: COUNTED },
      ],
    ],
    [
      "a blocked prompt carries nothing to the agent",
      [together(says("adder", adds), blocks)],
      [
        { additionalContext: IDLE, updatedPrompt: IDLE },
        { decision: COUNTED, reason: COUNTED },
      ],
      ERASED,
      "UserPromptSubmit",
    ],
  ];

  it("tells which fields counted, and why others did not", async () => {
    const room = scratch();
    for (const [at, [, groups, , , event = "PreToolUse"]] of ROWS.entries())
      await room.belay(["run", event, "--config", room.config({ [event]: groups }, `${at}.json`)]);
    const page = await open(await serve(room));
    for (const [at, [what, , tags, said = []]] of [...ROWS].reverse().entries()) {
      await page.locator(".row").nth(at).click();
      await page.locator(".json").first().waitFor();
      expect({ what, tags: await page.evaluate(TAGS) }).toMatchObject({ what, tags });
      const decided = await page.locator("#part-decide").textContent();
      for (const sentence of said) expect(decided).toContain(sentence);
      if (said === VOIDED) expect(decided).not.toMatch(/none allowed|agree/);
      await page.keyboard.press("Escape");
      await page.locator(".row").first().waitFor();
    }
  });

  it("tells what a deny skipped in a sequential group from what did not match, and counts both", async () => {
    const groups = [
      {
        sequential: true,
        hooks: [
          observed(says("watch", deny)),
          says("guard", deny),
          runs("after", "true"),
          runs("last", "exit 1"),
        ],
      },
      { matcher: "Write", hooks: [runs("lint", "true")] },
      { hooks: [runs("aside", "true"), says("asker", { permissionDecision: "ask" })] },
    ];
    const page = await shown(groups, { Stop: [{ hooks: [runs("closer", "true")] }] });
    expect(await page.locator(".pipeline .says").nth(1).textContent()).toBe("4 fired, 2 skipped, 1 not");
    // Nobody hears a hook that observes.
    expect(await parsed(page)).toBe("✗ deny ? ask ");
    const match = page.locator("#part-match");
    await match.getByText("and 1 hook of other events").click();
    expect(await match.locator("details li").textContent()).toMatch(/^· closer did not it waits for Stop/);
    const lines = await match.locator(".matches").first().locator("li").allInnerTexts();
    expect(lines.map((line) => line.replace(/ · \/.*$/, ""))).toEqual([
      ...["watch", "guard", "aside", "asker"].map((name) => `✓ ${name} fired no matcher: every time`),
      "· after was skipped: guard, before it in its sequential group, said deny",
      "· last was skipped: guard, before it in its sequential group, said deny",
      '· lint did not tool_name "Bash" is none of "Write"',
    ]);
  });

  it("says why a block of a stop did not count", async () => {
    const room = scratch();
    const record = JSON.parse(lineOf({ id: "a", event: "Stop" }));
    record.hooks[0].run.exitCode = 2;
    record.context = { stops: { soFar: 8, cap: 8 } };
    const message = "the stop was blocked 8 times";
    record.outcome.diagnostics = [{ code: "stop-cap", severity: "warning", message, fix: "" }];
    journal(room, [`${JSON.stringify(record)}\n`]);
    const page = await eventOf(room);
    expect(await page.locator("#part-decide .aside").allInnerTexts()).toEqual([
      `What objected did not count: ${message}.`,
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
    const outcomes = [
      { ...record.outcome, messages, diagnostics: [told, { ...told, fix: undefined }, null] },
      { ...record.outcome, messages: "none", diagnostics: {} },
    ];
    const lines = outcomes.map((outcome) => `${JSON.stringify({ ...record, outcome })}\n`);
    journal(room, lines);
    const page = await open(await serve(room));
    await page.locator(".row").last().click();
    await page.locator(".sides .told").first().waitFor();
    expect(await page.locator(".sides .told").allInnerTexts()).toEqual([
      "text\n\nhello",
      "text · guard\n\nhello",
    ]);
    expect(await page.locator(".pipeline .says").nth(6).textContent()).toBe("user 1 · agent 1");
    expect(await page.locator(".diagnostics li").allInnerTexts()).toEqual(["warning: x told\nFix: none"]);
    await page.getByText("Copy as test case").click();
    await page.locator(".lacks").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".row").first().click();
    await page.getByText("Back (Esc)").waitFor();
    expect(await page.locator(".sides .told").count()).toBe(0);
  });

  it("breaks the lines of a text in JSON, which is still JSON when it is copied", async () => {
    const room = scratch();
    const TEXTS: [command: string, breaks: number][] = [
      ['one\ntwo \\n "three"\nfour', 2],
      ["ends with it\n", 0],
      ["\\", 0],
    ];
    journal(
      room,
      TEXTS.map(([command], at) => lineOf({ id: `${at}`, command })),
    );
    const page = await open(await serve(room));
    for (const [at, [command, breaks]] of [...TEXTS].reverse().entries()) {
      await page.locator(".row").nth(at).click();
      const json = page.locator("#part-event pre").first();
      const read = async () => JSON.parse((await json.textContent()) ?? "").tool_input;
      await expect.poll(read).toEqual({ command });
      expect([command, await json.locator(".break").count()]).toEqual([command, breaks]);
    }
  });

  it("marks what counted in JSON that stands among other text", async () => {
    const json = JSON.stringify({ colour: "red", ...answer(deny) });
    const page = await shown([{ hooks: [runs("chatty", `echo checking; echo '${json}'; echo done`)] }]);
    const run = page.locator(".run").first();
    expect(await run.locator("mark").allInnerTexts()).toEqual([
      '"hookEventName": "PreToolUse"',
      '"permissionDecision": "deny"',
      '"permissionDecisionReason": "no"',
    ]);
    expect(await run.locator(".json .idle").allInnerTexts()).toEqual(['"colour": "red"']);
    expect(await run.locator("pre").first().textContent()).toBe(`checking\n${json}\ndone\n`);
    expect(await run.locator("h3").allInnerTexts()).toEqual(["stdout", "The JSON in it"]);
  });

  it("says in one line why a hook gave no answer, as belay tail does, there and among its runs", async () => {
    const traceback = `python3 -c 'import json; json.loads("{}")["cmd"]'`;
    const page = await shown([{ hooks: [runs("broken", traceback), runs("gone", "python3 ./gone.py")] }]);
    const why = "exited with 1: KeyError: 'cmd'";
    expect(await page.locator(".run .verdict").allTextContents()).toEqual(["! failed", "✗ deny"]);
    expect(await page.locator(".run .fault").allInnerTexts()).toContain(`No answer: ${why}`);
    const printed = page.locator(".run").first().locator("pre");
    expect(await printed.textContent()).toMatch(/^Traceback [\s\S]*KeyError: 'cmd'\n$/);
    expect(await parsed(page)).toBe("! 2 of 2 failed");
    expect(await page.locator("h1").textContent()).toBe("PreToolUse ✗ deny ! 2 of 2 failed");
    expect(await page.locator("#part-decide .fault").allTextContents()).toEqual([
      `broken gave no answer: ${why}`,
    ]);
    await page.keyboard.press("3");
    await page.locator(".plot").first().waitFor();
    expect(await page.locator(".plot a title").allTextContents()).toEqual([
      expect.stringContaining(": exited with 1: "),
      // Its interpreter had nothing to run, and the call was refused.
      expect.stringMatching(/: exited with 2: .*gone\.py/),
    ]);
    expect(await page.locator(".plot .sign-of").allTextContents()).toEqual(["!", "!"]);
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
});

it.each([0, 0.018, 0.7, 3, 19, 118, 4000])("names each line of an axis up to %s ms apart", (longest) => {
  const names = ticksTo(longest).map(took);
  expect(new Set(names).size).toBe(names.length);
});
