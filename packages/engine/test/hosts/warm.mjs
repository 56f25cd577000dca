// Asks a warm hook once and never closes: node warm.mjs ends|exits|waits <command>
import { engineWith } from "./engine-with.mjs";

const [how, command] = process.argv.slice(2);
const { engine } = await engineWith([{ type: "command", command, warm: true }]);
await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
process.stdout.write("asked\n");
if (how === "exits") process.exit(7);
if (how === "waits") setTimeout(() => {}, 20_000);
