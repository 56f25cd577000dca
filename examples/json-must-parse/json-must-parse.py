# json-must-parse: send a broken JSON file straight back to the agent that wrote it
# Try: echo '{"a":1,}' > written.json && belay run PostToolUse --tool Write --tool-input '{"file_path":"written.json"}' --config hooks.json
# Expect: block (exit 2). The write has happened; the agent is prompted with what is wrong.
import json
import os
import sys

event = json.load(sys.stdin)
name = event["tool_input"].get("file_path", "")
if not name.endswith(".json"):
    sys.exit(0)

try:
    with open(os.path.join(event["cwd"], name), encoding="utf-8") as file:
        json.load(file)
except ValueError as error:
    line = getattr(error, "lineno", 1)
    print(json.dumps({"decision": "block", "reason": f"{name} is not valid JSON (line {line}). Fix it now."}))
