// Runs each command given, once to warm up with little output and once in full, and prints how much memory grew.
import { engineWith } from "./engine-with.mjs";
import { whileGrowing } from "./grown.mjs";

const commands = process.argv.slice(2);
const few = await engineWith(commands.map((command) => ({ type: "command", command: `${command} 1000` })));
await few.engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
const full = await engineWith(commands.map((command) => ({ type: "command", command })));

const { result, grownMiB } = await whileGrowing(() =>
  full.engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }),
);
const kept = result.runs.map(({ stdout, stderr }) => Buffer.byteLength(stdout + stderr));
process.stdout.write(JSON.stringify({ kept, grownMiB }));
await few.engine.close();
await full.engine.close();
