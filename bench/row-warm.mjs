// A hook that keeps its process, against the same script started for every call.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { engineWith, SETTLED_MS } from "./contestants.mjs";
import { interleave, timeOfAsync } from "./measure.mjs";

/** One script each that answers with its process id: warm, by lines that carry an id; cold, by what it prints. */
const NODE = `
const answer = () => ({ systemMessage: String(process.pid) });
if (process.env.BELAY_WARM !== "1") process.stdin.resume().on("end", () => console.log(JSON.stringify(answer())));
else require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  console.log(JSON.stringify({ id: JSON.parse(line).id, output: answer() }));
});
`;
const PYTHON = `
import json, os, sys
answer = {"systemMessage": str(os.getpid())}
if os.environ.get("BELAY_WARM") != "1":
    sys.stdin.read()
    print(json.dumps(answer))
else:
    for line in sys.stdin:
        print(json.dumps({"id": json.loads(line)["id"], "output": answer}), flush=True)
`;

/** @param {string} program @param {string} file @param {string} source @param {number} rounds */
async function against(program, file, source, rounds) {
  const folder = mkdtempSync(join(tmpdir(), "belay-bench-"));
  const script = join(folder, file);
  writeFileSync(script, source);
  const hook = { type: "command", command: program, args: [script] };
  const warm = await engineWith([{ ...hook, warm: true }]);
  const cold = await engineWith([hook]);
  await setTimeout(SETTLED_MS);
  try {
    const kept = new Set([await pidOf(warm), await pidOf(warm)]);
    const started = new Set([await pidOf(cold), await pidOf(cold)]);
    if (kept.size !== 1 || started.size !== 2) throw new Error("warm is not warm, or cold not cold");
    return await interleave(
      () => timeOfAsync(warm.fire),
      () => timeOfAsync(cold.fire),
      rounds,
    );
  } finally {
    await Promise.all([warm.close(), cold.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {Awaited<ReturnType<typeof engineWith>>} engine */
async function pidOf({ fire }) {
  const { messages, runs } = await fire();
  const said = messages[0]?.block.content;
  if (!/^\d+$/.test(String(said))) throw new Error(`the hook did not answer: ${JSON.stringify(runs)}`);
  return said;
}

/** @type {import("./report.mjs").Measurement[]} */
export const warmRows = [
  {
    name: "warm Node hook",
    reference: "the same hook cold",
    unit: "ms",
    target: { of: "ratio", atMost: 1 / 50 },
    measure: ({ quick }) => against(process.execPath, "hook.cjs", NODE, quick ? 20 : 200),
  },
  {
    name: "warm Python hook",
    reference: "the same hook cold",
    unit: "ms",
    target: { of: "value", atMost: 1 },
    measure: ({ quick }) => against("python3", "hook.py", PYTHON, quick ? 20 : 200),
  },
];
