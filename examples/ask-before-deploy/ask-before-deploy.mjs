# ask-before-deploy: let a person confirm a deployment; refuse it where nobody can be asked
# Try: belay run PreToolUse --tool Bash --tool-input '{"command":"npm run deploy"}' --config hooks.json
# Expect: ask (exit 3). The user reads the question; the agent waits.
import json
import os
import re
import sys

event = json.load(sys.stdin)
command = event["tool_input"].get("command", "")
if not re.search(r"\bdeploy\b|\bterraform\s+apply\b|\bkubectl\s+apply\b", command):
    sys.exit(0)

# A question without anybody to answer it would hang or be taken for a yes.
unattended = os.environ.get("CI") or event.get("permission_mode") == "bypass"
decision, reason = (
    ("deny", f"Nobody is here to confirm: {command}. Deployments need a person.")
    if unattended
    else ("ask", f"This reaches production: {command}")
)
answer = {
    "hookEventName": "PreToolUse",
    "permissionDecision": decision,
    "permissionDecisionReason": reason,
}
print(json.dumps({"hookSpecificOutput": answer}))
