// Fires one event at one command hook, prints its stdout, and has nothing else to do.
import { engineWith } from "./engine-with.mjs";

const { engine } = await engineWith([{ type: "command", command: process.argv[2] }]);
const { runs } = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
process.stdout.write(runs[0]?.stdout ?? "");
await engine.close();
