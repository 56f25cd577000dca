// Changes its own environment between events, and prints what a hook found there each time.
import { engineWith } from "./engine-with.mjs";

const { engine } = await engineWith([{ type: "command", command: 'echo "$FIRST $LATE"' }]);
const found = async () => {
  const { runs } = await engine.fire("PreToolUse", { tool_name: "Bash", tool_input: {} });
  process.stdout.write(runs[0]?.stdout ?? "");
};

process.env.FIRST = "first";
await found();
process.env.LATE = "late";
await found();
delete process.env.FIRST;
await found();
await engine.close();
