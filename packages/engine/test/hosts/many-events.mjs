// Fires many events at the same time, half of them under one signal, at many hooks; prints what came of them.
import { engineWith } from "./engine-with.mjs";

const commands = Array.from({ length: 11 }, (_, n) => ({ type: "command", command: `exit ${n % 3}` }));
const named = commands.map((hook, n) => ({ ...hook, name: `hook ${n}` }));
const { engine } = await engineWith([...named, { type: "json", json: { systemMessage: "x" } }], {
  journal: false,
});
const { signal } = new AbortController();
const events = Array.from({ length: Number(process.argv[2]) }, (_, n) =>
  engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }, n % 2 === 0 ? { signal } : {}),
);
const outcomes = await Promise.all(events);
const denied = outcomes.filter(({ decision }) => decision.kind === "deny").length;
const runs = outcomes.reduce((sum, outcome) => sum + outcome.runs.length, 0);
process.stdout.write(JSON.stringify({ outcomes: outcomes.length, denied, runs }));
await engine.close();
