import { expect, it } from "vitest";
import { offlineModel } from "../../src/models/offline/model.ts";
import { type StageOptions, stage } from "../stage.ts";

const offline = (options: StageOptions = {}) => stage({ model: offlineModel(), mode: "bypass", ...options });

it("what was done before a compaction is not done again by the offline model", async () => {
  const { agent } = await offline();
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
});

it("a compaction in the middle of a turn ends the offline model's work: no step is taken twice", async () => {
  const { agent, read } = await offline({ contextTokens: 1_200 });
  const steps = ["one", "two", "three", "four"].map((word) => `run sh -c "echo ${word} >> log; seq 1 1500"`);
  const lines = () => read("log").trim().split("\n");
  const end = await agent.send(steps.join(", then "));
  expect(end).toMatchObject({ reason: "done", text: expect.stringContaining("Ask me for the rest") });
  expect(JSON.stringify(agent.state.messages)).toContain("summary of the conversation");
  const taken = lines().length;
  expect([taken, lines()]).toEqual([expect.any(Number), ["one", "two", "three"].slice(0, taken)]);
  await agent.send(steps[3] ?? "");
  expect(lines()).toHaveLength(taken + 1);
});
