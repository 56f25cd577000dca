# First of two: make the path of a write whole, so that the next hook judges where it really leads.
import json
import os
import sys

event = json.load(sys.stdin)
tool_input = event["tool_input"]
path = os.path.realpath(os.path.join(event["cwd"], tool_input.get("file_path", "")))
answer = {"hookEventName": "PreToolUse", "updatedInput": {**tool_input, "file_path": path}}
print(json.dumps({"hookSpecificOutput": answer}))
