// redact-secrets-in-prompt: take passwords and tokens out of a prompt before the agent reads it
// Try: belay run UserPromptSubmit --prompt "log in with password=hunter2" --config hooks.json
// Expect: none (exit 0). The agent gets the prompt with password=[removed]; the user is told.
import { defineHook } from "@belay/engine";

const SECRET = /\b(password|passwd|token|api[_-]?key)\s*[=:]\s*\S+/gi;

export default defineHook("UserPromptSubmit", ({ prompt }) => {
  const found = prompt.match(SECRET)?.length ?? 0;
  if (found === 0) return undefined;
  return {
    systemMessage: `${found} ${found === 1 ? "secret was" : "secrets were"} taken out of your prompt.`,
    hookSpecificOutput: {
      hookEventName: "UserPromptSubmit",
      updatedPrompt: prompt.replace(SECRET, "$1=[removed]"),
    },
  };
});
