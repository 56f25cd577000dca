// Fires events one after another into one journal: node journal.mjs <folder> <session> <count> [journalBytes]
import { engineWith } from "./engine-with.mjs";

const [journal = "", sessionId = "", count, journalBytes] = process.argv.slice(2);
const { engine } = await engineWith([{ type: "json", json: { systemMessage: "x".repeat(20_000) } }], {
  journal,
  sessionId,
  ...(journalBytes && { limits: { journalBytes: Number(journalBytes) } }),
});
for (let done = 0; done < Number(count); done += 1)
  await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {}, tool_use_id: String(done) });
await engine.close();
