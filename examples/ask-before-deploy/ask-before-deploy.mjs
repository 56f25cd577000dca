// ask-before-deploy: let a person confirm a deployment; refuse it where nobody can be asked
// Try: belay run PreToolUse --tool Bash --tool-input '{"command":"npm run deploy"}' --config hooks.json
// Expect: ask (exit 3). The user reads the question; the agent waits.
import { readFileSync } from "node:fs";

const { tool_input, permission_mode } = JSON.parse(readFileSync(0, "utf8"));
const { command = "" } = tool_input;
if (!/\bdeploy\b|\bterraform\s+apply\b|\bkubectl\s+apply\b/.test(command)) process.exit(0);

// A question without anybody to answer it would hang, or be taken for a yes.
const unattended = Boolean(process.env.CI) || permission_mode === "bypass";
const answer = unattended
  ? {
      permissionDecision: "deny",
      permissionDecisionReason: `Nobody is here to confirm: ${command}. Deployments need a person.`,
    }
  : { permissionDecision: "ask", permissionDecisionReason: `This reaches production: ${command}` };

console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...answer } }));
