// allow-tests-without-asking: answer the permission question for known commands, end the turn at sudo
// Try: belay run PermissionRequest --tool Bash --tool-input '{"command":"npm test"}' --config hooks.json
// Expect: allow (exit 0). The user is not asked, and reads why.
import { readFileSync } from "node:fs";

// Whole commands, not beginnings: "npm test && rm -rf /" is another command.
const KNOWN = new Set(["npm test", "npm run lint", "npm run build"]);

const { command = "" } = JSON.parse(readFileSync(0, "utf8")).tool_input;

const decision = /(^|[;&|\s])sudo\s/.test(command)
  ? { behavior: "deny", message: "No sudo here. Say what you need and stop.", interrupt: true }
  : KNOWN.has(command) && { behavior: "allow", message: `${command} is on the list` };

// Anything else is left to the user: silence asks.
if (decision) {
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } }));
}
