// Fires many events at the same time under one signal, and prints what came of them.
import { engineWith } from "./engine-with.mjs";

const { engine } = await engineWith(
  [
    { type: "command", command: "exit 2" },
    { type: "command", command: "true" },
    { type: "json", json: { systemMessage: "x" } },
  ],
  { journal: false },
);
const { signal } = new AbortController();
const events = Array.from({ length: Number(process.argv[2]) }, () =>
  engine.fire("PreToolUse", {}, { signal }),
);
const outcomes = await Promise.all(events);
const denied = outcomes.filter(({ decision }) => decision.kind === "deny").length;
const runs = outcomes.reduce((sum, outcome) => sum + outcome.runs.length, 0);
process.stdout.write(JSON.stringify({ outcomes: outcomes.length, denied, runs }));
await engine.close();
