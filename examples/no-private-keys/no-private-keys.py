# no-private-keys: refuse to write a private key into a file, without a start of Python for each call
# Try: belay run PreToolUse --tool Write --tool-input '{"file_path":"id","content":"-----BEGIN PRIVATE KEY-----"}' --config hooks.json
# Expect: deny (exit 2). "warm": true keeps the process; the same script runs without it as well.
import re

from belay_hook import answer, refuse

KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")


def check(event):
    call = event["tool_input"]
    written = [call.get(field, "") for field in ("content", "new_string")]
    if any(KEY.search(text) for text in written):
        refuse("That is a private key. Write a path to it instead, and let people put the key there.")


answer(check)
