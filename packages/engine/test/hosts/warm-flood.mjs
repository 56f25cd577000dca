// Asks a warm hook that floods, and prints what came of it, how long it took and how much memory grew: node warm-flood.mjs <seconds> <command>
import { engineWith } from "./engine-with.mjs";
import { whileGrowing } from "./grown.mjs";

const [timeout, command] = process.argv.slice(2);
const { engine } = await engineWith([{ type: "command", command, warm: true, timeout: Number(timeout) }]);
const started = performance.now();
const { result, grownMiB } = await whileGrowing(() =>
  engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }),
);
const took = performance.now() - started;
const [run] = result.runs;
process.stdout.write(JSON.stringify({ kind: run?.failure?.kind, truncated: run?.truncated, grownMiB, took }));
await engine.close();
