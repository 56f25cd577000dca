// A session whose transcript cannot grow as far as its turn needs; the caller sets the limit. Arguments: folder, home.
import { createAgent, offlineModel } from "@belay/agent";

const [cwd = "", home = ""] = process.argv.slice(2);
const agent = await createAgent({
  cwd,
  home,
  mode: "bypass",
  model: offlineModel(),
  isAttended: true,
  journal: false,
});
/** @param {unknown} error */
const words = (error) => (error instanceof Error ? error.message : String(error));
const turn = await agent.send("run seq 9000 then run seq 9000").then(({ reason }) => reason, words);
const { isBusy } = agent.state;
const closed = await agent.close("other").then(() => "", words);
const hooks = await agent.hooks().then(() => "still there", words);
process.stdout.write(JSON.stringify({ turn, isBusy, closed, hooks }));
