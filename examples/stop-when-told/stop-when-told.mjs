// stop-when-told: a file named STOP ends the agent's work at its next step
// Try: touch STOP && belay run PreToolUse --tool Bash --config hooks.json
// Expect: stop (exit 2). The user reads who stopped it; nothing goes on, whatever other hooks say.
import { existsSync } from "node:fs";
import { join } from "node:path";

/** @type {import("@belay/engine").ModuleHook<"PreToolUse">} */
export default function stopWhenTold({ cwd }) {
  if (!existsSync(join(cwd, "STOP"))) return undefined;
  return { continue: false, stopReason: "There is a file STOP in the project. Remove it to go on." };
}
