import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createAgent } from "../../src/loop/agent.ts";
import { offlineModel } from "../../src/models/offline/model.ts";
import type { Agent } from "../../src/types.ts";

async function onStage(
  { deny, ...options }: { readonly contextTokens?: number; readonly deny?: readonly string[] },
  play: (agent: Agent, cwd: string) => Promise<void>,
): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "belay-agent-")));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  for (const folder of [join(home, ".belay"), join(cwd, ".git")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, ".belay", "settings.json"), JSON.stringify({ permissions: { deny: deny ?? [] } }));
  const agent = await createAgent({
    cwd,
    home,
    isAttended: false,
    mode: "bypass",
    model: offlineModel(),
    ...options,
  });
  try {
    await play(agent, cwd);
  } finally {
    await agent.close("other");
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

it("what was done before a compaction is not done again by the offline model", () =>
  onStage({}, async (agent) => {
    const ran = () =>
      agent.state.messages
        .flatMap(({ blocks }) => blocks)
        .flatMap((block) => (block.type === "tool" ? [block.input] : []));
    await agent.send("run echo one, then run echo two");
    expect(ran()).toEqual([{ command: "echo one" }, { command: "echo two" }]);
    for (const command of ["echo three", "echo four"]) {
      await agent.compact();
      await agent.send(`run ${command}`);
      expect(ran()).toEqual([{ command }]);
    }
  }));

it("a call that was refused, or failed, is not made again either", () =>
  onStage({ contextTokens: 1_200, deny: ["Bash(rm *)"] }, async (agent) => {
    const commands = ["rm victim", "ls missing", "seq 1 1500", "seq 1 1501", "echo end"];
    const end = await agent.send(commands.map((command) => `run ${command}`).join(", then "));
    expect(end).toMatchObject({ reason: "done", text: expect.stringContaining("I ran `echo end`") });
    const blocks = agent.state.messages.flatMap(({ blocks }) => blocks);
    const summary = blocks.map((block) => (block.type === "text" ? block.content : "")).join("\n");
    const line = (command: string) => `Bash: ${JSON.stringify({ command })}`;
    expect(summary.match(/(?<=^> Called ).*/gm)).toEqual(commands.slice(0, 4).map(line));
    const made = blocks.flatMap((block) => (block.type === "tool" ? [block.input.command] : []));
    expect(made).toEqual(["echo end"]);
  }));

it("a compaction in the middle of a turn does not make the offline model begin again", () =>
  onStage({ contextTokens: 1_200 }, async (agent, cwd) => {
    const words = ["one", "two", "two", "three"];
    const steps = words.map((word) => `run sh -c "echo ${word} >> log; seq 1 1500"`);
    const lines = () => readFileSync(join(cwd, "log"), "utf8").trim().split("\n");
    expect((await agent.send(steps.join(", then "))).reason).toBe("done");
    expect(JSON.stringify(agent.state.messages)).toContain("summary of the conversation");
    expect(lines()).toEqual(words);
    await agent.send(steps[0] ?? "");
    expect(lines()).toEqual([...words, "one"]);
  }));
