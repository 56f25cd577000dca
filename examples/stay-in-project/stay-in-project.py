# stay-in-project: resolve the path of a write first, then refuse it outside the project (a sequential group)
# Try: belay run PreToolUse --tool Write --tool-input '{"file_path":"src/../../notes.txt"}' --config hooks.json
# Expect: deny (exit 2). Second of two: it is given the whole path that full-path.py made.
import json
import os
import sys

event = json.load(sys.stdin)
path = event["tool_input"]["file_path"]
project = os.path.realpath(event["cwd"])

if os.path.commonpath([project, path]) != project:
    print(f"{os.path.basename(path)} would be outside the project. Write below it.", file=sys.stderr)
    sys.exit(2)
