// A session in a process of its own, to be killed: folder, home, mode, prompt and how the model answers are given.
import { setTimeout } from "node:timers/promises";
import { createAgent, offlineModel } from "@belay/agent";

const [cwd = "", home = "", mode, prompt = "", answers = ""] = process.argv.slice(2);

/**
 * Models that never come to an end.
 *
 * @type {Record<string, import("@belay/agent").Model["stream"]>}
 */
const STREAMS = {
  slow: async function* () {
    // The pieces of a character that has two halves come one by one.
    for (const text of ["Once ", "\ud83e", "\udd86 ", "two ", "three ", "four. "]) {
      yield { type: "text", text };
      await setTimeout(300);
    }
    for (;;) {
      yield { type: "text", text: "x" };
      await setTimeout(100);
    }
  },
  silent: async function* () {
    await new Promise(() => {});
  },
  "silent-after-call": async function* ({ messages }) {
    if (messages.length > 1) await new Promise(() => {});
    yield { type: "tool-call", id: "c1", name: "Bash", input: { command: "true" } };
    yield { type: "end" };
  },
};
const stream = STREAMS[answers];
setInterval(() => {}, 1000); // a person would keep it alive
const agent = await createAgent({
  cwd,
  home,
  mode: mode === "bypass" ? mode : "default",
  model: stream ? { ...offlineModel(), stream } : offlineModel(),
  isAttended: true,
});
process.stdout.write(`${agent.sessionId}\n`);
await agent.send(prompt);
