# tests-before-stop: the agent may not stop while the tests fail
# Try: belay run Stop --config hooks.json
# Expect: block (exit 2). The agent reads the failure and goes on; the user is not bothered.
# The test command is this script's arguments (hooks.json): node --test, npm test, cargo test ...

# The agent already goes on because of a stop hook. Let it end now: a test that cannot be fixed would keep it for ever.
# Inside a JSON string the quotes would be escaped, so no text of the agent can look like this field.
grep -Eq '"stop_hook_active": ?true' && exit 0

if ! report=$("$@" 2>&1); then
  echo "The tests fail. Fix them, then run $* before you stop:" >&2
  echo "$report" | grep -E 'not ok|FAIL|✖|[Ee]rror' | head -n 10 >&2
  exit 2
fi
