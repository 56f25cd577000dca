// Fires the hooks given, one event after another, and says what came of each:
// node launches.mjs '{"launcher":"auto","megabytes":150,"times":4,"node":"/no/such/program","umask":63,"user":65534}' <command>…
import { chmodSync } from "node:fs";
import { engineWith } from "./engine-with.mjs";

const [given = "{}", ...commands] = process.argv.slice(2);
/** @type {{ launcher: "auto" | "on", megabytes?: number, times?: number, node?: string, umask?: number, user?: number }} */
const { launcher, megabytes = 0, times = 1, node = process.execPath, umask, user } = JSON.parse(given);
process.execPath = node;
/** Held by the process, so that it is as large as it says. */
const ballast = Buffer.alloc(megabytes * 1024 * 1024, 1);
const { engine, root } = await engineWith(
  commands.map((command) => ({ type: "command", command, timeout: 1 })),
  { launcher },
);
for (let time = 0; time < times; time += 1) {
  const { runs, diagnostics } = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
  const codes = diagnostics.map(({ code }) => code).join(" ");
  process.stdout.write(`${time}: ${runs.map(({ stdout }) => stdout.trim()).join(" ")} ${codes} ended\n`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  if (umask !== undefined) process.umask(umask);
  if (user !== undefined && process.getuid?.() !== user) {
    chmodSync(root, 0o777);
    process.setuid?.(user);
  }
}
if (ballast[0] !== 1 && megabytes > 0) throw new Error("there was no ballast");
process.stdout.write("done\n");
