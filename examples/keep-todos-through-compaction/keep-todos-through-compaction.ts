// keep-todos-through-compaction: carry the open points of TODO.md through a compaction
// Try: belay run PreCompact --config hooks.json
// Expect: none (exit 0). The open points reach the agent and are kept.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineHook } from "@belay/engine";

export default defineHook("PreCompact", async ({ cwd }) => {
  const text = await readFile(join(cwd, "TODO.md"), "utf8").catch(() => "");
  const open = text.split("\n").filter((line) => line.trimStart().startsWith("- [ ]"));
  if (open.length === 0) return undefined;
  const additionalContext = `Still to do:\n${open.join("\n")}`;
  return { hookSpecificOutput: { hookEventName: "PreCompact", additionalContext } };
});
