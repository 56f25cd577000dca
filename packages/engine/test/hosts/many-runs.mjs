// Fires as many events as asked for, with every way of ending among them, and prints what is left over afterwards.
import { readdirSync } from "node:fs";
import { engineWith } from "./engine-with.mjs";

const COMMANDS = [
  "true",
  "exit 2",
  "kill -KILL $$",
  "echo x; echo y >&2",
  "head -c 200000 /dev/zero",
  "no-such-program",
];
const { engine } = await engineWith(
  COMMANDS.map((command) => ({ type: "command", command })),
  { journal: false },
);

const descriptors = () => readdirSync("/proc/self/fd").length;
const handles = () => process.getActiveResourcesInfo().filter((name) => name !== "TTYWrap").length;
const listeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
const settled = () => new Promise((resolve) => setTimeout(resolve, 100));

const controller = new AbortController();
const fire = async () => {
  const { runs } = await engine.fire(
    "PreToolUse",
    { tool_name: "Bash", tool_input: {} },
    { signal: controller.signal },
  );
  return runs.length;
};

let answers = 0;
await fire();
await settled();
const before = [descriptors(), handles(), listeners()];
while (answers < Number(process.argv[2])) {
  const counts = await Promise.all([fire(), fire(), fire(), fire()]);
  answers += counts.reduce((sum, count) => sum + count, 0);
}
await settled();
const [newDescriptors = 0, newHandles = 0, newListeners = 0] = [descriptors(), handles(), listeners()].map(
  (count, index) => count - (before[index] ?? 0),
);
process.stdout.write(
  JSON.stringify({
    newDescriptors,
    newHandles,
    newListeners,
    answers: Math.min(answers, Number(process.argv[2])),
  }),
);
await engine.close();
