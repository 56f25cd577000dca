# protect-env: refuse to write .env files
# Try: belay run PreToolUse --tool Write --tool-input '{"file_path":".env","content":"KEY=1"}' --config hooks.json
# Expect: deny (exit 2). The agent reads why; the file is not written.
import json
import os
import sys

call = json.load(sys.stdin)["tool_input"]
name = os.path.basename(call.get("file_path", ""))

# .env.example is made to be shared.
if name == ".env" or (name.startswith(".env.") and name != ".env.example"):
    print(f"{name} holds secrets and is edited by people only. Use .env.example.", file=sys.stderr)
    sys.exit(2)
