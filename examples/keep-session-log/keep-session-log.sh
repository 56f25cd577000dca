# keep-session-log: write down when each session ended, and why
# Try: belay run SessionEnd --config hooks.json
# Expect: none (exit 0). Nobody sees anything; sessions.jsonl has one more line.

# The payload is one line of JSON without a line end.
{ cat; echo; } >> sessions.jsonl
