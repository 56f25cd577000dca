// Runs a command hook through a companion, closes the engine, and waits for a signal: node closes.mjs <command>
import { engineWith } from "./engine-with.mjs";

const { engine } = await engineWith([{ type: "command", command: process.argv[2] }], { launcher: "on" });
await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
await engine.close();
process.stdout.write("closed\n");
setTimeout(() => {}, 20_000);
