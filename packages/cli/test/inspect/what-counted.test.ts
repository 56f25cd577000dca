import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { type Scratch, scratch } from "../cli.ts";
import { browserFor, findBrowser } from "./browser.ts";
import { serve } from "./server.ts";

const program = findBrowser();

const says = (name: string, answer: object) => ({
  type: "json",
  name,
  json: { hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } },
});
const rewrite = (command: string) => ({ updatedInput: { command } });

describe.runIf(program)("what the page says of hooks", () => {
  const open = browserFor(program);

  async function eventOf(room: Scratch, args: readonly string[] = []): Promise<Page> {
    const page = await open(await serve(room, args));
    await page.locator(".row").click();
    await page.locator(".pipeline").waitFor();
    return page;
  }

  /** The tags at each hook's fields, the first hook first. */
  async function tags(hooks: readonly object[], more: object = {}) {
    const room = scratch();
    const config = room.config({ PreToolUse: [{ hooks, ...more }] });
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    return tagsOn(await eventOf(room, ["--config", config]));
  }
  const tagsOn = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll(".run")].map((run) =>
      Object.fromEntries([...run.querySelectorAll(".json li:has(> .tag)")].map((one) =>
        [one.textContent.split('"')[1], one.querySelector(".tag").textContent.trim()])))`);
  const COUNTED = "← counted";
  const IDLE = "← read, but did not count";

  it("an allow of another input was read, and did not count", async () =>
    expect(
      await tags([says("nod", { permissionDecision: "allow" }), says("fixer", rewrite("ls"))]),
    ).toMatchObject([{ permissionDecision: IDLE }, { updatedInput: COUNTED }]));

  it("so was one with a reason, and what stands beside it counts", async () =>
    expect(
      await tags([
        says("nod", {
          permissionDecision: "allow",
          permissionDecisionReason: "only reads",
          additionalContext: "mind the gap",
        }),
        says("fixer", rewrite("ls")),
      ]),
    ).toMatchObject([
      { permissionDecision: IDLE, permissionDecisionReason: IDLE, additionalContext: COUNTED },
      { updatedInput: COUNTED },
    ]));

  it("so was a rewrite that another one replaced, and what stands beside it counts", async () =>
    expect(
      await tags([
        says("first", { ...rewrite("a"), additionalContext: "mind the gap" }),
        says("second", rewrite("b")),
      ]),
    ).toMatchObject([{ updatedInput: IDLE, additionalContext: COUNTED }, { updatedInput: COUNTED }]));

  it("a rewrite that the next one of its group was given counts", async () =>
    expect(
      await tags([says("first", rewrite("a")), says("second", rewrite("b"))], { sequential: true }),
    ).toMatchObject([{ updatedInput: COUNTED }, { updatedInput: COUNTED }]));

  it("a refusal carries no rewrite, and overrules an allow", async () => {
    const hooks = [
      says("nod", { permissionDecision: "allow" }),
      says("fixer", rewrite("a")),
      says("no", { permissionDecision: "deny", permissionDecisionReason: "no" }),
    ];
    expect(await tags(hooks)).toMatchObject([
      { permissionDecision: IDLE },
      { updatedInput: IDLE },
      { permissionDecision: COUNTED, permissionDecisionReason: COUNTED },
    ]);
  });

  it("an allow that was voided did not count where another allow stands", async () => {
    const room = scratch();
    const allow = (name: string) => says(name, { permissionDecision: "allow" });
    const group = { hooks: [says("fixer", rewrite("a")), allow("second")], sequential: true };
    const config = room.config({ PreToolUse: [{ hooks: [allow("first")] }, group] });
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    expect(await tagsOn(await eventOf(room, ["--config", config]))).toMatchObject([
      { permissionDecision: IDLE },
      { updatedInput: COUNTED },
      { permissionDecision: COUNTED },
    ]);
  });

  it("a blocked prompt carries nothing to the agent, and the page says so", async () => {
    const room = scratch();
    const more = { additionalContext: "mind the gap", updatedPrompt: "x" };
    const adder = { hookSpecificOutput: { hookEventName: "UserPromptSubmit", ...more } };
    const hooks = [
      { type: "json", name: "adder", json: adder },
      { type: "json", name: "no", json: { decision: "block", reason: "no" } },
    ];
    const config = room.config({ UserPromptSubmit: [{ hooks }] });
    await room.belay(["run", "UserPromptSubmit", "--config", config]);
    const page = await eventOf(room, ["--config", config]);
    expect(await tagsOn(page)).toMatchObject([
      { additionalContext: IDLE, updatedPrompt: IDLE },
      { decision: COUNTED, reason: COUNTED },
    ]);
    const decided = await page.locator("#part-decide").textContent();
    expect(decided).toMatch(/the rewrite of adder did not count.*the context of adder did not count/s);
  });

  it("who rewrote is named, and who waits for other events", async () => {
    const room = scratch();
    const config = room.config({
      PreToolUse: [{ hooks: [says("first", rewrite("a")), says("second", rewrite("b"))] }],
      Stop: [{ hooks: [{ type: "command", command: "true", name: "closer" }] }],
    });
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    const page = await eventOf(room, ["--config", config]);
    expect(await page.locator("#part-decide h3").textContent()).toBe("The input was rewritten by second to");
    expect(await page.locator("#part-decide").textContent()).toContain("that of first did not count");
    const match = page.locator("#part-match");
    await match.getByText("and 1 hook of other events").click();
    expect(await match.locator("details li").textContent()).toMatch(/^· closer did not it waits for Stop/);
  });

  it("nobody hears a hook that observes: it is not among the opinions", async () => {
    const room = scratch();
    const watch = { ...says("watch", { permissionDecision: "deny" }), mode: "observe" };
    const config = room.config({
      PreToolUse: [{ hooks: [watch, says("nod", { permissionDecision: "ask" })] }],
    });
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    const page = await eventOf(room, ["--config", config]);
    expect(await page.locator(".pipeline li", { hasText: "parse" }).locator(".says").textContent()).toBe(
      "? ask ",
    );
  });

  it("nothing counts of a hook that observes", async () =>
    expect(
      await tags([
        {
          ...says("watch", { permissionDecision: "deny", permissionDecisionReason: "no" }),
          mode: "observe",
        },
        says("nod", { permissionDecision: "allow" }),
      ]),
    ).toMatchObject([
      { hookEventName: IDLE, permissionDecision: IDLE, permissionDecisionReason: IDLE },
      { permissionDecision: COUNTED },
    ]));

  it("one that ran is not said to be configured otherwise where its config cannot be read", async () => {
    const room = scratch();
    const config = room.config({ PreToolUse: [{ hooks: [says("nod", {})] }] });
    await room.belay(["run", "PreToolUse", "--tool", "Bash", "--config", config]);
    room.file("hooks.json", "{");
    const page = await eventOf(room, ["--config", config]);
    const said = await page.locator("#part-match").textContent();
    expect(said).toContain("nod fired why is not known: today’s config cannot all be read");
    expect(said).not.toContain("not configured like this");
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

  it.each(EDITED)("those of an edited config are called so: %s", async (_, hooks, expected) => {
    const page = await open(await serve(scratch()));
    await page.keyboard.press("2");
    await page.locator(".playground label select").selectOption("PreToolUse");
    await page.getByLabel("an edited config").check();
    await page.getByRole("textbox", { name: "The edited config" }).fill(JSON.stringify({ hooks }));
    await page.getByRole("button", { name: "Fire" }).click();
    const match = page.locator("#part-match");
    await match.waitFor();
    const said = await match.textContent();
    expect(said).toMatch(expected);
    expect(said).not.toMatch(/belay init|today/i);
  });
});
