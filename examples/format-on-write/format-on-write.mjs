// format-on-write: format JSON files when the agent has written them
// Try: echo '{"a":1}' > written.json && belay run PostToolUse --tool Write --tool-input '{"file_path":"written.json"}' --config hooks.json
// Expect: none (exit 0). The file is formatted, and the agent is told to read it again.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const { cwd, tool_input } = JSON.parse(readFileSync(0, "utf8"));
const name = String(tool_input.file_path ?? "");
if (!name.endsWith(".json")) process.exit(0);

const file = resolve(cwd, name);
const before = readFileSync(file, "utf8");
const after = formatted(before);
if (after === before) process.exit(0);

writeFileSync(file, after);
// Without this the agent's next edit would look for text that is no longer there.
const additionalContext = `${name} was formatted after your write. Read it again before you edit it.`;
console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext } }));

/** @param {string} text */
function formatted(text) {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch {
    return text; // Broken JSON is for json-must-parse to say.
  }
}
