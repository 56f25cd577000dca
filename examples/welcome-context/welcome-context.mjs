// welcome-context: start every session with the project's own notes
// Try: belay run SessionStart --config hooks.json
// Expect: none (exit 0). The agent reads NOTES.md as context.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const MAX_CHARACTERS = 2000;

/** @type {import("@belay/engine").ModuleHook<"SessionStart">} */
export default async function welcomeContext({ cwd, source }) {
  const notes = await readFile(join(cwd, "NOTES.md"), "utf8").catch(() => "");
  if (notes.trim() === "") return undefined;
  const additionalContext = `Notes of this project (${source}):\n${notes.trim().slice(0, MAX_CHARACTERS)}`;
  return { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext } };
}
