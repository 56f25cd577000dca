// Fires as many events as asked for, with every way of ending among them, and prints what is left over afterwards.
import { engineWith } from "./engine-with.mjs";
import { leftOver } from "./left-over.mjs";

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
const { signal } = new AbortController();
const fire = async () =>
  (await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} }, { signal })).runs.length;
process.stdout.write(JSON.stringify(await leftOver(fire, Number(process.argv[2]))));
await engine.close();
