// Fires an event, waits until its hooks are done, and then for a signal: node idle.mjs default|deferring
import { deferOn } from "./deferring.mjs";
import { engineWith } from "./engine-with.mjs";

/** @type {NodeJS.Signals[]} */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
const [how] = process.argv.slice(2);
if (how === "deferring") for (const signal of SIGNALS) deferOn(signal);
const listeners = () => SIGNALS.reduce((sum, signal) => sum + process.listenerCount(signal), 0);
const before = listeners();
const { engine } = await engineWith([{ type: "command", command: "true" }]);
await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
await new Promise((resolve) => setTimeout(resolve, 10)); // a turn of the event loop, and some
process.stdout.write(`${listeners() - before} listeners more\nidle\n`);
setTimeout(() => {}, 20_000);
