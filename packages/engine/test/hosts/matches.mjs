// Asks a config file's matchers about one tool, again and again until SIGTERM, and prints how often one said yes.
import { setImmediate } from "node:timers/promises";
import { engineWith } from "./engine-with.mjs";

let goesOn = true;
process.once("SIGTERM", () => {
  goesOn = false;
});
const { engine } = await engineWith([], { configFiles: [process.argv[2] ?? ""] });
process.stdout.write("asking\n");
let fired = 0;
for (; goesOn; await setImmediate()) {
  const { matches } = await engine.explain("PreToolUse", { tool_name: "Bash", tool_input: {} });
  fired += matches.filter(({ fires }) => fires).length;
}
process.stdout.write(`${fired} fired\n`);
await engine.close();
