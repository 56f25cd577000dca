# belay_hook: copy this file beside a hook in Python, and the same script answers cold and warm ("warm": true).
#
#   from belay_hook import answer, refuse
#   answer(lambda event: refuse("Not on Friday.") if event["tool_name"] == "Deploy" else None)
#
# A dict is the hook's JSON, a str its plain stdout, None is silence. refuse() and sys.exit() mean what they mean in any
# hook, an exception is exit 1. print() goes to stderr: stdout is for answers.
import json
import os
import sys
import traceback


def refuse(reason):
    """Exit 2 with these words on stderr."""
    print(reason, file=sys.stderr)
    sys.exit(2)


def answer(hook):
    """Answers events as long as stdin gives any."""
    stdin, stdout = sys.stdin, sys.stdout
    for stream in (stdin, stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")
    sys.stdout = sys.stderr
    if not os.environ.get("BELAY_WARM"):
        output, code = _ask(hook, json.load(stdin))
        stdout.write(output)
        stdout.flush()
        sys.exit(code)
    for line in stdin:
        call = json.loads(line)
        # What a cold hook finds in its environment.
        os.environ["BELAY_EVENT"] = call["input"]["hook_event_name"]
        os.environ["BELAY_SESSION_ID"] = call["input"]["session_id"]
        output, code = _ask(hook, call["input"])
        sys.stderr.flush()
        stdout.write(json.dumps({"id": call["id"], "output": output, "exitCode": code}) + "\n")
        stdout.flush()


def _ask(hook, event):
    """What a cold hook prints, and its exit code."""
    try:
        output = hook(event)
        if output is None:
            return "", 0
        return output if isinstance(output, str) else json.dumps(output), 0
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return "", int(end.code or 0) & 255
        print(end.code, file=sys.stderr)
        return "", 1
    except Exception:
        traceback.print_exc()
        return "", 1
