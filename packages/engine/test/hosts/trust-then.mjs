// Trusts a project's hooks, lets a shell change its files, fires, and prints what ran with the diagnostics, as nobody where
// the tests are root, who may read everything: node trust-then.mjs <project> <home> <change>
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { createEngine } from "@belay/engine";
import { configLoader, configPlaces, printOf, trust } from "@belay/engine/tools";

const NOBODY = 65_534;
const [project = "", home = "", change = ""] = process.argv.slice(2);
const folders = { project, cwd: project, home };

if (process.getuid?.() === 0) {
  execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, dirname(project)]);
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
const { hooks } = await configLoader().load(configPlaces({ cwd: project, home, sessionId: "" }));
trust(
  project,
  hooks.map((hook) => printOf(hook, folders)),
  home,
);
execFileSync("sh", ["-c", change], { cwd: project });
const engine = await createEngine({ cwd: project, home });
const { runs, diagnostics } = await engine.fire("Stop", {});
const told = diagnostics.map(({ code, message }) => [code, message]);
process.stdout.write(JSON.stringify({ ran: runs.length, told }));
await engine.close();
