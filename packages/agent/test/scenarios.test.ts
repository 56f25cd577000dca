import { describe, expect, it } from "vitest";
import { REQUIRED } from "../../engine/test/conformance/required.ts";
import { convertMessagesForAPI } from "../src/conversation/convert.ts";
import { EDGES } from "./scenarios/edges.ts";
import { QUESTIONS } from "./scenarios/questions.ts";
import {
  ASK,
  decides,
  diskOf,
  hooksOf,
  linesOf,
  RAN,
  runsOf,
  type Scenario,
  started,
} from "./scenarios/scenario.ts";
import { EXIT_CODES } from "./scenarios/us1-exit-codes.ts";
import { JSON_ANSWERS } from "./scenarios/us2-json-answers.ts";
import { BEFORE_TOOLS } from "./scenarios/us3-before-tools.ts";
import { AFTER_TOOLS } from "./scenarios/us4-after-tools.ts";
import { PROMPTS_AND_STOPS } from "./scenarios/us5-prompts-and-stops.ts";
import { isWritten, stage } from "./stage.ts";

const SCENARIOS: readonly Scenario[] = [
  ...EXIT_CODES,
  ...JSON_ANSWERS,
  ...BEFORE_TOOLS,
  ...AFTER_TOOLS,
  ...PROMPTS_AND_STOPS,
  ...EDGES,
  ...QUESTIONS,
];

/** The scenarios of seed 001 in the list that the engine's rows are held against, and what seed 000 says of an agent. */
const REFS = [...REQUIRED.filter((ref) => /^seed 001 (?:US|edge)/.test(ref)), "seed 000 §6", "seed 000 §7"];

describe("every scenario of the seeds, lived by a real agent with real hook processes", () => {
  for (const scenario of SCENARIOS) {
    it(`${scenario.ref}: ${scenario.name}`, async () => {
      const { ref: _, name: _name, runs, end = "done", requests, sent, next, seen, ...rest } = scenario;
      const { questions = [], disk, erased = [], ...options } = rest;
      const played = await stage({ ...options, hooks: hooksOf(scenario) });
      const { agent, model, home } = played;
      expect((await agent.send("do it")).reason).toBe(end);

      expect(model.requests).toHaveLength(requests);
      expect(linesOf(model.requests.at(-1)?.messages ?? [])).toEqual(sent);
      if (end !== "done") expect(linesOf(convertMessagesForAPI(agent.state.messages))).toEqual(next);

      expect(played.seen()).toEqual(seen);
      expect(played.questions).toMatchObject(questions);

      expect(diskOf(played)).toEqual(disk);
      const processes = started(played);
      expect(processes).toHaveLength(runs.length);
      expect(new Set([...processes, `${process.pid}`]).size).toBe(runs.length + 1);
      await agent.close("other");
      expect(runsOf(played)).toEqual(runs);
      for (const text of erased) expect(isWritten(home, text)).toBe(false);
      // A session in which nothing was ever asked is none: there is nothing to go on from.
      if (requests > 0) expect((await played.reopen()).seen()).toEqual(seen);
      else await expect(played.reopen()).rejects.toThrow("there is no session");
    });
  }

  it("seed 000 §6: while a question is open, nothing runs and the model is not asked", async () => {
    const played = await stage({
      hooks: { PreToolUse: [decides("ask").command] },
      answers: [],
      replies: ASK,
    });
    const { agent, model } = played;
    const turn = agent.send("do it");
    await expect.poll(() => agent.state.pending, { timeout: 20_000 }).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
    expect(diskOf(played)).toEqual({});
    const seen = ["text: do it", "tool: Bash asking: ", "text: because of the rules"];
    await expect.poll(played.seen, { timeout: 20_000 }).toEqual(seen);
    agent.answer(agent.state.pending[0]?.id ?? "", { kind: "once" });
    expect((await turn).reason).toBe("done");
    expect(model.requests).toHaveLength(2);
    expect(diskOf(played)).toEqual(RAN);
  });

  it("has a test for each of them", () => {
    expect(REFS.length).toBeGreaterThan(20);
    expect(new Set(SCENARIOS.map(({ ref }) => ref))).toEqual(new Set(REFS));
  });
});
