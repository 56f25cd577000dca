// Fires an event and ends, or is ended, while its hooks run:
// node ends.mjs exit|throw|default|own-handler|deferring|going-on|closing <command>…
import { deferOn } from "./deferring.mjs";
import { engineWith } from "./engine-with.mjs";

const [how, ...commands] = process.argv.slice(2);
const handleSignals = how !== "closing";
const hooks = commands.map((command) => ({ type: "command", command }));
const { engine } = await engineWith(hooks, { handleSignals });
if (how === "own-handler") process.on("SIGINT", () => process.exit(9));
if (how === "deferring") deferOn("SIGINT");
if (how === "going-on") process.on("SIGTERM", () => {});
if (how === "closing") process.on("SIGTERM", () => engine.close());
const firing = engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
process.stdout.write("firing\n");
setTimeout(() => {
  if (how === "exit") process.exit(7);
  if (how === "throw") throw new Error("the host has a bug");
}, 1000);
const end = await firing.then(
  () => "an outcome",
  ({ name, message }) => `${name}: ${message}`,
);
process.stdout.write(`${process.listenerCount("SIGTERM")} listeners, ${end}\n`);
