# no-sudo: leave what needs an administrator to a person; one jq for a whole session
# Try: belay run PreToolUse --tool Bash --tool-input '{"command":"sudo rm -r /var/log"}' --config hooks.json
# Expect: deny (exit 2). Warm, it reads one line per call; cold, one payload.
why='Leave this to a person: say what you would run with sudo, and why.'
rule='.tool_input.command // "" | test("(^|[;&|(]\\s*)sudo\\b")'

if [ -n "${BELAY_WARM:-}" ]; then
  exec jq --unbuffered -c --arg why "$why" "{id} + if (.input | $rule) then {exitCode: 2, stderr: \$why} else {} end"
fi

if jq -e "$rule" >/dev/null; then
  echo "$why" >&2
  exit 2
fi
