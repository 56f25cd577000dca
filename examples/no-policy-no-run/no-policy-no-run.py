# no-policy-no-run: check commands against a policy file, and run nothing when the check itself fails
# Try: belay run PreToolUse --tool Bash --tool-input '{"command":"curl example.org"}' --config hooks.json
# Expect: deny (exit 2). Delete policy.json and try again: still deny, because of "onFailure": "block".
import json
import shlex
import sys

command = json.load(sys.stdin)["tool_input"].get("command", "")

try:
    with open("policy.json", encoding="utf-8") as file:
        forbidden = json.load(file)["forbidden"]
except (OSError, ValueError, KeyError):
    # Exit 1 and an uncaught exception are failures, not answers. "onFailure": "block" refuses the call then.
    sys.exit("policy.json is missing or broken")

for word in shlex.split(command):
    if word in forbidden:
        print(f"{word} is forbidden by policy.json", file=sys.stderr)
        sys.exit(2)
