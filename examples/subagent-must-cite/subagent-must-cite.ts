// subagent-must-cite: a searching subagent may not finish without naming a file and a line
// Try: belay run SubagentStop --config hooks.json
// Expect: block (exit 2). The subagent reads what is missing and goes on.
import { defineHook } from "@belay/engine";

export default defineHook("SubagentStop", ({ stop_hook_active, last_assistant_message = "" }) => {
  // Remind once. A subagent that still has no source may end.
  if (stop_hook_active || /[\w-]+\.\w+:\d+/.test(last_assistant_message)) return undefined;
  return { decision: "block", reason: "Name the place of each finding as file:line, then finish." };
});
