// A hook that is a function in a warm thread, against the least that a thread can do.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { engineWith, SETTLED_MS } from "./contestants.mjs";
import { interleave, timeOfAsync } from "./measure.mjs";

const ECHO =
  'const { parentPort } = require("node:worker_threads"); parentPort.on("message", (value) => parentPort.postMessage(value));';

/** A message to a thread and back. */
function bareThread() {
  const worker = new Worker(ECHO, { eval: true });
  return {
    roundTrip: () =>
      new Promise((resolve) => {
        worker.once("message", resolve);
        worker.postMessage({ tool_name: "Bash", tool_input: { command: "npm test" } });
      }),
    close: () => worker.terminate(),
  };
}

/** @param {number} rounds */
async function against(rounds) {
  const folder = mkdtempSync(join(tmpdir(), "belay-bench-"));
  const module = join(folder, "hook.mjs");
  writeFileSync(module, "export default ({ tool_name }) => ({ systemMessage: tool_name });\n");
  const engine = await engineWith([{ type: "module", module }]);
  const thread = bareThread();
  await setTimeout(SETTLED_MS);
  try {
    const { runs } = await engine.fire();
    if (runs[0]?.failure) throw new Error(`the module did not run: ${JSON.stringify(runs[0])}`);
    return await interleave(
      () => timeOfAsync(engine.fire),
      () => timeOfAsync(thread.roundTrip),
      rounds,
    );
  } finally {
    await Promise.all([engine.close(), thread.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @type {import("./report.mjs").Measurement[]} */
export const moduleRows = [
  {
    name: "module hook",
    reference: "a message to a thread and back",
    unit: "ms",
    target: { of: "value", atMost: 0.5 },
    measure: ({ quick }) => against(quick ? 200 : 2000),
  },
];
