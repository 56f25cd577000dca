// Fires an event in a project nobody trusts and prints the codes that come of it: node untrusted.mjs <project> <home>
import { createEngine } from "@belay/engine";

const [cwd = "", home = ""] = process.argv.slice(2);
const engine = await createEngine({ cwd, home });
const { diagnostics } = await engine.fire("Stop", {});
process.stdout.write(`${diagnostics.map(({ code }) => code).join(" ")}\n`);
await engine.close();
