// A session in a process of its own, to be killed: folder, home, mode and prompt are given.
import { createAgent, offlineModel } from "@belay/agent";

const [cwd = "", home = "", mode, prompt = ""] = process.argv.slice(2);
setInterval(() => {}, 1000); // a person would keep it alive
const agent = await createAgent({
  cwd,
  home,
  mode: mode === "bypass" ? mode : "default",
  model: offlineModel(),
  isAttended: true,
});
process.stdout.write(`${agent.sessionId}\n`);
await agent.send(prompt);
