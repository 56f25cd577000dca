// no-force-push: refuse git push --force, and say what to do instead
// Try: belay run PreToolUse --tool Bash --tool-input '{"command":"git push --force origin main"}' --config hooks.json
// Expect: deny (exit 2). The agent reads the way out: --force-with-lease.
import { readFileSync } from "node:fs";

const { command = "" } = JSON.parse(readFileSync(0, "utf8")).tool_input;

// A pattern on a command line stops accidents. It does not stop an agent that wants to get around it.
const forced = /\bgit\b[^;&|\n]*\spush\b[^;&|\n]*\s(--force(?!-)|-\w*f\b|\+\w)/.test(command);

if (forced) {
  const answer = {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "A forced push can erase the work of others. Use git push --force-with-lease.",
  };
  console.log(JSON.stringify({ hookSpecificOutput: answer }));
}
