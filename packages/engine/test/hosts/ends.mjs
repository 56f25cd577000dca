// Fires an event and ends, or is ended, while its hooks run:
// node ends.mjs exit|throw|default|own-handler|deferring|going-on <command>…
import { deferOn } from "./deferring.mjs";
import { engineWith } from "./engine-with.mjs";

const [how, ...commands] = process.argv.slice(2);
const { engine } = await engineWith(commands.map((command) => ({ type: "command", command })));
if (how === "own-handler") process.on("SIGINT", () => process.exit(9));
if (how === "deferring") deferOn("SIGINT");
if (how === "going-on") process.on("SIGTERM", () => {});
const firing = engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
process.stdout.write("firing\n");
setTimeout(() => {
  if (how === "exit") process.exit(7);
  if (how === "throw") throw new Error("the host has a bug");
}, 1000);
const { runs } = await firing;
process.stdout.write(`${runs.length} hooks ended\n`);
