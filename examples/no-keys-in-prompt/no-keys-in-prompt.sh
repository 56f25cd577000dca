# no-keys-in-prompt: keep a prompt with an AWS key away from the agent
# Try: belay run UserPromptSubmit --prompt "use AKIAIOSFODNN7EXAMPLE" --config hooks.json
# Expect: block (exit 2). Only the user reads why; the prompt never reaches the agent.

# The payload is JSON on stdin. A key has no characters that JSON escapes, so grep may look at it raw.
if grep -Eq 'AKIA[0-9A-Z]{16}'; then
  echo "Your prompt held an AWS key, so it was not sent. Take the key out and revoke it." >&2
  exit 2
fi
