import { describe, expect, it } from "vitest";
import { ModelError } from "../src/models/model.ts";
import { scriptedModel } from "./scripted.ts";
import { type Hooks, says, stage } from "./stage.ts";

const CONTEXT = { hookSpecificOutput: { hookEventName: "PreCompact", additionalContext: "branch: x" } };

/** What a hook says before a compaction, and what of it the model is sent after. */
const KEPT: [dialect: string, json: object, sent: RegExp][] = [
  ["wave", CONTEXT, /<hook event="PreCompact">\nbranch: x\n<\/hook>/],
  ["session-hooks", { systemMessage: "mind x" }, /mind x/],
];

describe("what hooks tell the agent before a compaction is kept through it", () => {
  for (const [reads, json, sent] of KEPT)
    for (const resumed of [false, true])
      it(`${reads}${resumed ? ", and in a resumed session" : ""}`, async () => {
        const hooks = { PreCompact: [{ type: "json", json }] };
        const first = await stage({ reads, hooks });
        await first.agent.send("first");
        await first.agent.compact();
        if (resumed) await first.agent.close("other");
        const { agent, model } = resumed ? await first.reopen() : first;
        await agent.send("second");
        const words = model.lastSent().replaceAll("\\n", "\n").replaceAll('\\"', '"');
        expect(words).toMatch(/Summary of \d+ characters/);
        expect(words).toMatch(sent);
        expect(words).not.toContain("first");
      });
});

describe("a model that gives no summary takes nothing from the conversation", () => {
  const UNCHANGED = "warn: The conversation was not compacted: the model gave no summary of it.";

  it("when the user asks for one", async () => {
    const { agent, seen } = await stage({
      model: { ...scriptedModel(["One."]), complete: async () => " \n" },
    });
    await agent.send("first");
    await agent.compact();
    expect(seen()).toEqual(["text: first", "text: One.", UNCHANGED]);
  });

  it("when the conversation has become long", async () => {
    const long = "long ".repeat(200);
    const model = { ...scriptedModel([long, "Two."]), complete: async () => "" };
    const { agent, seen } = await stage({ model, contextTokens: 200 });
    await agent.send("first");
    expect((await agent.send("second")).text).toBe("Two.");
    expect(seen()).toEqual(["text: first", `text: ${long}`, "text: second", UNCHANGED, "text: Two."]);
    expect(model.lastSent()).toContain("first");
  });
});

/** What a hook says once, in its own words or by JSON. */
const once = (command: string) => `test -e said && exit 0; touch said; ${command}`;
const adds = (hookEventName: string) =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: "branch: x" } })}'`;
const LONG = "long ".repeat(400);
const CALLS = { text: LONG, calls: [{ name: "Glob", input: { pattern: "*" } }] };

describe("what hooks have told the agent since its last answer is sent word for word, whatever is compacted first", () => {
  const rows: [name: string, replies: (string | typeof CALLS)[], hooks: Hooks, sent: RegExp][] = [
    ["with a prompt", [LONG, "Two."], { UserPromptSubmit: [adds("UserPromptSubmit")] }, /second.*branch: x/],
    ["after a tool", ["One.", CALLS, "Two."], { PostToolUse: [adds("PostToolUse")] }, /second.*branch: x/],
    [
      "at a stop that is refused",
      ["One.", LONG, "Two."],
      { Stop: [`grep -q One. && exit 0; ${once("echo branch: x >&2; exit 2")}`] },
      /second.*branch: x/,
    ],
  ];
  for (const [name, replies, hooks, sent] of rows)
    it(name, async () => {
      const { agent, model } = await stage({ replies, hooks, contextTokens: 400 });
      await agent.send("first");
      expect((await agent.send("second")).text).toBe("Two.");
      expect(model.lastSent()).toMatch(/Summary of \d+ characters/);
      expect(model.lastSent()).toMatch(sent);
    });

  it("with the next turn, and once, however often the user compacts before it", async () => {
    const hooks = { Stop: [adds("Stop")], PreCompact: [{ type: "json", json: { systemMessage: "mind x" } }] };
    const { agent, model } = await stage({ reads: "pact", hooks });
    await agent.send("first");
    for (const _ of [1, 2, 3]) await agent.compact();
    await agent.send("second");
    for (const words of ["branch: x", "mind x"]) expect(model.lastSent().split(words)).toHaveLength(2);
  });

  it("and what it was sent before is summed up", async () => {
    const hooks = { UserPromptSubmit: [once(adds("UserPromptSubmit"))] };
    const { agent, model } = await stage({ hooks });
    await agent.send("first");
    await agent.compact();
    await agent.send("second");
    expect(model.lastSent()).not.toContain("branch: x");
  });
});

it("what a hook says to the user before a compaction that fails is said", async () => {
  const complete = () => Promise.reject(new Error("no network"));
  const hooks = { PreCompact: ["echo odd >&2; exit 1"] };
  const { agent, seen } = await stage({ hooks, model: { ...scriptedModel(["One."]), complete } });
  await agent.send("first");
  await agent.compact();
  expect(seen()).toEqual([
    "text: first",
    "text: One.",
    expect.stringMatching(/^error: .*odd/),
    "error: no network",
  ]);
});

describe("models that fail", () => {
  it("an error ends the turn and the user reads it; the next prompt works", async () => {
    const { agent, model, seen } = await stage({
      replies: [new ModelError("key", "the key is wrong"), "Back again."],
    });
    expect(await agent.send("do it")).toMatchObject({ reason: "error", detail: "the key is wrong" });
    expect(seen()).toContain("error: the key is wrong");
    expect((await agent.send("again")).text).toBe("Back again.");
    expect(model.requests).toHaveLength(2);
  });

  it("a conversation that is too long is compacted, and the question asked once more", async () => {
    const { agent, model, seen } = await stage({
      replies: [new ModelError("context", "too long"), "Short enough."],
      hooks: {
        PreCompact: [says("PreCompact", { additionalContext: "keep the port number" })],
      },
    });
    expect((await agent.send("do it")).text).toBe("Short enough.");
    expect(model.lastSent()).toContain("keep the port number");
    expect(model.lastSent()).toContain("do it");
    expect(seen().join("\n")).toContain("summary of the conversation");
  });
});
