// Calls a warm hook as often as asked for, and prints what is left over afterwards.
import { engineWith } from "./engine-with.mjs";
import { leftOver } from "./left-over.mjs";

const [times, command] = process.argv.slice(2);
const { engine } = await engineWith([{ type: "command", command, warm: true }], { journal: false });
const { signal } = new AbortController();
const pids = new Set();
const fire = async () => {
  const { runs } = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }, { signal });
  for (const { stdout } of runs) pids.add(stdout.split(" ")[0]);
  return runs.length;
};
process.stdout.write(JSON.stringify({ ...(await leftOver(fire, Number(times))), processes: pids.size }));
await engine.close();
