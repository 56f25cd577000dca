// allow-reading: no questions for reading files of the project
// Try: belay run PreToolUse --tool Read --tool-input '{"file_path":"src/app.ts"}' --config hooks.json
// Expect: allow (exit 0). The user reads why nobody asked.
import { isAbsolute, relative, resolve } from "node:path";

/** @type {import("@belay/engine").ModuleHook<"PreToolUse">} */
export default function allowReading({ cwd, tool_input }) {
  const path = relative(cwd, resolve(cwd, String(tool_input.file_path ?? tool_input.path ?? ".")));
  // Outside the project: no opinion, so the agent asks as it always does. Silence is not consent.
  if (isAbsolute(path) || path.split(/[\\/]/).includes("..")) return undefined;
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      permissionDecisionReason: "reading inside the project",
    },
  };
}
