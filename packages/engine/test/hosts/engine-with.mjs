// An engine over one file of hooks for one event, in a folder of its own that goes with the process.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "@belay/engine";

/** @param {object[]} hooks @param {import("@belay/engine").EngineOptions} [options] */
export async function engineWith(hooks, options = {}) {
  const root = mkdtempSync(join(tmpdir(), "belay-host-"));
  process.on("exit", () => rmSync(root, { recursive: true, force: true }));
  const home = join(root, "home");
  mkdirSync(home);
  const file = join(root, "hooks.json");
  writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }));
  const launcher = process.env.BELAY_TEST_LAUNCHER === "on" ? "on" : "off";
  const engine = await createEngine({ cwd: root, home, configFiles: [file], launcher, ...options });
  return { engine, root };
}
