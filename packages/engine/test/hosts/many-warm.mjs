// Calls a warm hook as often as asked for, one at a time and several at once, and prints what is left over afterwards.
import { readdirSync } from "node:fs";
import { engineWith } from "./engine-with.mjs";

const [times, command] = process.argv.slice(2);
const hooks = [{ type: "command", command, warm: true }];
const { engine } = await engineWith(hooks, { journal: false });

const descriptors = () => readdirSync("/proc/self/fd").length;
const handles = () => process.getActiveResourcesInfo().filter((name) => name !== "TTYWrap").length;
const listeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
const settled = () => new Promise((resolve) => setTimeout(resolve, 100));

const { signal } = new AbortController();
const pids = new Set();
const fire = async () => {
  const { runs } = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }, { signal });
  for (const { stdout } of runs) pids.add(stdout.split(" ")[0]);
  return runs.length;
};

await fire();
await settled();
const before = [descriptors(), handles(), listeners()];
const rss = process.memoryUsage.rss();
let answers = 0;
while (answers < Number(times)) {
  const counts = await Promise.all([fire(), fire(), fire(), fire()]);
  answers += counts.reduce((sum, count) => sum + count, 0);
}
await settled();
const [newDescriptors, newHandles, newListeners] = [descriptors(), handles(), listeners()].map(
  (count, index) => count - (before[index] ?? 0),
);
process.stdout.write(
  JSON.stringify({
    answers,
    processes: pids.size,
    newDescriptors,
    newHandles,
    newListeners,
    rssGrowth: process.memoryUsage.rss() - rss,
  }),
);
await engine.close();
