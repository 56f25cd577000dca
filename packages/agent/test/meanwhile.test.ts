import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Model } from "../src/models/model.ts";
import { type Reply, scriptedModel } from "./scripted.ts";
import { asked, bash, crashAsking, stage, task, write } from "./stage.ts";

/** What may happen to calls while others run, and while the user is asked. */

/** A model for several at once: who is sent a conversation that begins with `go` or `sub` answers from that list. */
function modelFor(replies: Readonly<Record<string, readonly Reply[]>>): Model & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    name: "several",
    asked,
    complete: async () => "",
    async *stream({ messages: [first] }) {
      const who = first?.role === "user" ? first.content : "";
      const reply = replies[who]?.[asked.filter((one) => one === who).length] ?? "Done.";
      asked.push(who);
      if (typeof reply === "string") yield { type: "text", text: reply };
      else if ("calls" in reply)
        for (const [index, call] of reply.calls.entries())
          yield { type: "tool-call", id: `${who}_${asked.length}_${index}`, ...call };
      yield { type: "end" };
    },
  };
}

describe("a subagent beside a call that ends the turn", () => {
  const ENDED = "tool: Task failed: The subagent was ended: the turn had ended.";

  it("asks nothing any more when the user has denied that call", async () => {
    const model = modelFor({
      go: [{ calls: [bash("touch own"), task("sub")] }],
      sub: [{ calls: [bash("touch sub")] }],
    });
    const { agent, project, seen } = await stage({ model, answers: [] });
    const turn = agent.send("go");
    await asked(agent, 2);
    const own = agent.state.pending.find(({ toolInput }) => toolInput.command === "touch own");
    agent.answer(own?.id ?? "", { kind: "deny" });
    expect(await turn).toMatchObject({ reason: "denied" });
    expect(agent.state.pending).toEqual([]);
    expect(seen()).toEqual(["text: go", "tool: Bash failed: The user did not allow this.", ENDED]);
    expect(model.asked).toEqual(["go", "sub"]);
    expect(["own", "sub"].map((file) => existsSync(join(project, file)))).toEqual([false, false]);
  });

  it("begins nothing new when a hook has stopped the agent; what runs comes to its end", async () => {
    const stops = `case $(cat) in *STOP*) touch stopped; echo '{"continue": false, "stopReason": "halt"}';; esac`;
    const model = modelFor({
      go: [{ calls: [bash("until [ -e running ]; do sleep 0.05; done; echo STOP"), task("sub")] }],
      sub: [
        { calls: [bash("touch running; until [ -e stopped ]; do sleep 0.05; done; sleep 0.5; touch first")] },
        { calls: [bash("touch second")] },
      ],
    });
    const { agent, project, seen } = await stage({ model, mode: "bypass", hooks: { PostToolUse: [stops] } });
    expect(await agent.send("go")).toMatchObject({ reason: "stopped", detail: "halt" });
    expect(seen()).toContain(ENDED);
    expect(model.asked).toEqual(["go", "sub"]);
    expect(["first", "second"].map((file) => existsSync(join(project, file)))).toEqual([true, false]);
  });

  it("is not waited for while its model answers", async () => {
    const several = modelFor({ go: [{ calls: [bash("touch own"), task("sub")] }] });
    const model: Model = {
      ...several,
      async *stream(request) {
        const [first] = request.messages;
        if (first?.role === "user" && first.content === "sub") await new Promise(() => {});
        yield* several.stream(request);
      },
    };
    const { agent, seen } = await stage({ model, answers: [{ kind: "deny" }] });
    expect(await agent.send("go")).toMatchObject({ reason: "denied" });
    expect(seen()).toContain(ENDED);
  });
});

it("an aborted turn is over when all that ran in it is", async () => {
  const model = modelFor({
    go: [{ calls: [bash("sleep 60"), bash("trap '' TERM; echo $$ > pid; sleep 60; sleep 60")] }],
  });
  const { agent, read, project } = await stage({ model, mode: "bypass" });
  const turn = agent.send("go");
  await expect.poll(() => existsSync(join(project, "pid")) && read("pid"), { timeout: 10_000 }).toMatch(/\d/);
  agent.abort();
  expect((await turn).reason).toBe("aborted");
  expect(() => process.kill(Number(read("pid")), 0)).toThrow("ESRCH");
});

describe("a path that leads elsewhere once the user was asked about it", () => {
  const MOVED = /^Not run: other than when the user was asked, it reaches outside of the working folder/;
  const rows: [name: string, deny: string[], result: RegExp][] = [
    ["is not written to outside of the folder", [], MOVED],
    ["is not written to where a rule denies it", ["Write(../outside/**)"], /^the rule Write.* denies it$/],
  ];
  for (const [name, deny, result] of rows)
    it(name, async () => {
      const model = modelFor({ go: [{ calls: [write("notes/a.txt")] }] });
      const { agent, project } = await stage({ model, permissions: { deny }, answers: [] });
      const turn = agent.send("go");
      await asked(agent);
      mkdirSync(join(project, "../outside"));
      symlinkSync("../outside", join(project, "notes")); // as a command of the agent could
      agent.answer(agent.state.pending[0]?.id ?? "", { kind: "once" });
      expect((await turn).reason).toBe("done");
      expect(existsSync(join(project, "../outside/a.txt"))).toBe(false);
      const [called] = agent.state.messages.flatMap(({ blocks }) =>
        blocks.filter(({ type }) => type === "tool"),
      );
      expect(called).toMatchObject({ success: false, result: expect.stringMatching(result) });
    });
});

describe("a question that is asked again in a resumed session", () => {
  const rows: [name: string, since: (project: string, home: string) => void, question: object][] = [
    ["says why as before", () => {}, { by: "mode", reason: "it changes files" }],
    [
      "says that a link leads outside now",
      (project) => symlinkSync("..", join(project, "notes")),
      { by: "outside", reason: expect.stringContaining("it reaches outside of the working folder") },
    ],
    [
      "says which rule of the user asks now",
      (_, home) =>
        writeFileSync(
          join(home, ".belay/settings.json"),
          JSON.stringify({ permissions: { ask: ["Write"] } }),
        ),
      { by: "rule", reason: expect.stringMatching(/^the rule Write in .* asks$/) },
    ],
  ];
  for (const [name, since, question] of rows)
    it(name, async () => {
      const first = await stage({
        model: modelFor({ go: [{ calls: [write("notes/a.txt")] }] }),
        answers: [],
      });
      await crashAsking(first);
      since(first.project, first.home);
      const again = await first.reopen({ answers: [{ kind: "deny" }] });
      await again.agent.goOn();
      expect(again.questions).toMatchObject([question]);
    });
});

it("a hook that speaks into an answer makes no refused stop of it", async () => {
  const script = scriptedModel([
    { text: "I look.", calls: [{ name: "Glob", input: { pattern: "*" } }] },
    "Done.",
  ]);
  let spoken = () => {};
  const said = new Promise<void>((resolve) => {
    spoken = resolve;
  });
  const model: Model = {
    ...script,
    async *stream(request) {
      for await (const event of script.stream(request)) {
        yield event;
        await said;
      }
    },
  };
  const hooks = {
    Notification: [`until [ -e answering ]; do sleep 0.05; done; echo '{"systemMessage":"psst"}'`],
    Stop: ["cat > stop.json"],
  };
  const { agent, seen, read, project } = await stage({ model, hooks });
  agent.subscribe(() => {
    if (agent.state.draft !== "") writeFileSync(join(project, "answering"), "");
    if (seen().includes("warn: psst")) spoken();
  });
  agent.noteIdle();
  expect((await agent.send("go")).text).toBe("Done.");
  expect(seen().slice(0, 3)).toEqual(["text: go", "warn: psst", "text: I look."]);
  expect(JSON.parse(read("stop.json"))).toMatchObject({ stop_hook_active: false });
});
