# never-wait-long: a slow check gets half a second; then work goes on without it
# Try: belay run PostToolUse --tool Bash --config hooks.json
# Expect: none (exit 0). A fault: the hook and its children are ended, and the user is told.

# Stands for a program that waits for a server that does not answer. "timeout": 0.5 is in hooks.json.
sleep 30
