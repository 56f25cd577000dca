// Fires events at one module hook, one after another and two at a time, and never closes: node no-close.mjs <module>
import { engineWith } from "./engine-with.mjs";

const { engine } = await engineWith([{ type: "module", module: process.argv[2] }]);
await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
await Promise.all([
  engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }),
  engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }),
]);
process.stdout.write("done\n");
