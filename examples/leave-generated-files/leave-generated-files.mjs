// leave-generated-files: refuse to edit what a generator writes; the list is read once, several calls are answered at once
// Try: belay run PreToolUse --tool Edit --tool-input '{"file_path":"src/api.gen.ts"}' --config hooks.json
// Expect: deny (exit 2). The agent reads what to change instead.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

// One line for each kind of file: how its name ends, and what it is made from.
const lines = readFileSync(new URL("generated.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");
const generated = lines.map((line) => line.split(/\s+from\s+/));

/** @param {{ tool_input: { file_path?: string } }} event */
function check({ tool_input }) {
  const found = generated.find(([ending = ""]) => tool_input.file_path?.endsWith(ending));
  if (!found) return {};
  return {
    exitCode: 2,
    stderr: `${tool_input.file_path} is generated: change ${found[1]}, then run its generator.`,
  };
}

if (process.env.BELAY_WARM) {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, input } = JSON.parse(line);
    console.log(JSON.stringify({ id, ...check(input) }));
  });
} else {
  const { exitCode = 0, stderr = "" } = check(JSON.parse(await text(process.stdin)));
  if (stderr) console.error(stderr);
  process.exitCode = exitCode;
}
