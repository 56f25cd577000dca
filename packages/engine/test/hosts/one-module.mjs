// Fires one event at one module hook and prints the run.
import { engineWith } from "./engine-with.mjs";

const { engine } = await engineWith([{ type: "module", module: process.argv[2] }]);
const { runs } = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
process.stdout.write(JSON.stringify(runs[0]));
await engine.close();
