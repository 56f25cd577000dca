// Runs each command given, once to warm up with little output and once in full, and prints how much memory grew.
import { engineWith } from "./engine-with.mjs";

const commands = process.argv.slice(2);
const few = await engineWith(commands.map((command) => ({ type: "command", command: `${command} 1000` })));
await few.engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
const full = await engineWith(commands.map((command) => ({ type: "command", command })));

const before = process.memoryUsage().rss;
let highest = before;
const watch = setInterval(() => {
  highest = Math.max(highest, process.memoryUsage().rss);
}, 5);
const { runs } = await full.engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
clearInterval(watch);
const kept = runs.map(({ stdout, stderr }) => Buffer.byteLength(stdout + stderr));
process.stdout.write(JSON.stringify({ kept, grownMiB: (highest - before) / 1024 / 1024 }));
await few.engine.close();
await full.engine.close();
