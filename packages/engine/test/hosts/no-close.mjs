// Fires events at one module hook, one after another and two at a time, and never closes: node no-close.mjs <module>
import { engineWith } from "./engine-with.mjs";

const { engine } = await engineWith([{ type: "module", module: process.argv[2] }]);
await engine.fire("PreToolUse", {});
await Promise.all([engine.fire("PreToolUse", {}), engine.fire("PreToolUse", {})]);
process.stdout.write("done\n");
