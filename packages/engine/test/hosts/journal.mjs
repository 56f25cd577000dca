// Fires events one after another into one journal: node journal.mjs <folder> <session> <count> [journalBytes]
// Prints the number of each when its fire() has resolved: from then on its record is in the journal, whatever happens.
import { writeSync } from "node:fs";
import { engineWith } from "./engine-with.mjs";

const [journal = "", sessionId = "", count, journalBytes] = process.argv.slice(2);
const { engine } = await engineWith([{ type: "json", json: { systemMessage: "x".repeat(20_000) } }], {
  journal,
  sessionId,
  ...(journalBytes && { limits: { journalBytes: Number(journalBytes) } }),
});
for (let done = 0; done < Number(count); done += 1) {
  await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {}, tool_use_id: String(done) });
  writeSync(1, `${done}\n`);
}
await engine.close();
