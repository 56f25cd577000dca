// limit-command-time: give every shell command a time limit of two minutes
// Try: belay run PreToolUse --tool Bash --tool-input '{"command":"npm install"}' --config hooks.json
// Expect: none (exit 0). The input is rewritten: timeout 120000. Whether it may run is left to others.
import { defineHook } from "@belay/engine";

const LIMIT_MS = 120_000;

export default defineHook("PreToolUse", ({ tool_input }) => {
  const { timeout } = tool_input;
  if (typeof timeout === "number" && timeout <= LIMIT_MS) return undefined;
  // updatedInput replaces the whole input, so everything else is handed on.
  const updatedInput = { ...tool_input, timeout: LIMIT_MS };
  return { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } };
});
