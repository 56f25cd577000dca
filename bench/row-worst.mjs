// The slowest output there is, at the cap: the decision alone, and the whole way through fire().
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave, median, timeOf, timeOfAsync } from "./measure.mjs";
import { hooksOf, outcomeOf, runThatPrinted } from "./row-decide.mjs";
import { bareSpawn, engineWith } from "./row-fire.mjs";
import { WORST_OUTPUTS } from "./worst-outputs.mjs";

const LIMIT_MS = 50;
const TRIES = 3;

/**
 * The name of the output that costs most.
 *
 * @param {(text: string) => Promise<number>} costOf
 */
async function slowest(costOf) {
  const costs = [];
  for (const [name, text] of Object.entries(WORST_OUTPUTS)) {
    const tries = [];
    for (let count = 0; count < TRIES; count += 1) tries.push(await costOf(text));
    costs.push({ name, cost: median(tries) });
  }
  return costs.reduce((worst, next) => (next.cost > worst.cost ? next : worst)).name;
}

/** @param {number} rounds */
async function decideWorst(rounds) {
  const hooks = hooksOf(1);
  // A hook that was stopped while it printed: every object is looked for, the cut one too.
  const runs = (/** @type {string} */ text) => [
    runThatPrinted(text),
    { ...runThatPrinted(text), truncated: true, cut: /** @type {["stdout"]} */ (["stdout"]) },
  ];
  const cost = (/** @type {string} */ text) =>
    Math.max(...runs(text).map((run) => timeOf(() => outcomeOf(hooks, run), 1)));
  const name = await slowest(async (text) => cost(text));
  const plain = JSON.stringify({ systemMessage: "x".repeat(102_000) });
  const samples = await interleave(
    () => cost(WORST_OUTPUTS[name] ?? ""),
    () => timeOf(() => JSON.parse(plain), 1),
    rounds,
  );
  return { ...samples, detail: name };
}

const CHILD = fileURLToPath(new URL("./worst-child.mjs", import.meta.url));

/** @param {string} name */
function inFreshProcess(name) {
  const [ours = Number.NaN, reference = Number.NaN] = execFileSync(process.execPath, [CHILD, name], {
    encoding: "utf8",
  })
    .split(" ")
    .map(Number);
  return { ours, reference };
}

/** @param {number} rounds */
async function decideFresh(rounds) {
  const names = new Map(Object.entries(WORST_OUTPUTS).map(([name, text]) => [text, name]));
  const name = await slowest(async (text) => inFreshProcess(names.get(text) ?? "").ours);
  const samples = Array.from({ length: rounds }, () => inFreshProcess(name));
  return {
    ours: samples.map(({ ours }) => ours),
    reference: samples.map(({ reference }) => reference),
    detail: name,
  };
}

/** @param {number} rounds */
async function fireWorst(rounds) {
  const folder = mkdtempSync(join(tmpdir(), "belay-bench-"));
  const file = join(folder, "output");
  // Both streams full, and a refusal: what is on stderr becomes a message as well.
  const command = `cat ${file}; cat ${file} >&2; exit 2`;
  const engine = await engineWith([command]);
  const fire = () => timeOfAsync(engine.fire);
  const bare = () => timeOfAsync(() => bareSpawn(command));
  try {
    const name = await slowest(async (text) => {
      writeFileSync(file, text);
      return (await fire()) - (await bare());
    });
    writeFileSync(file, WORST_OUTPUTS[name] ?? "");
    return { ...(await interleave(fire, bare, rounds)), detail: name };
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const count = Object.keys(WORST_OUTPUTS).length;

/** @type {import("./report.mjs").Measurement[]} */
export const worstRows = [
  {
    name: `parse + decide + route, worst of ${count} outputs of 100 KB`,
    reference: "JSON.parse of 100 KB",
    unit: "ms",
    target: { of: "value", atMost: LIMIT_MS },
    measure: ({ quick }) => decideWorst(quick ? 10 : 60),
  },
  {
    name: `the same in a fresh process, worst of ${count} outputs of 100 KB`,
    reference: "JSON.parse of 100 KB, there",
    unit: "ms",
    target: { of: "value", atMost: LIMIT_MS },
    measure: ({ quick }) => decideFresh(quick ? 5 : 21),
  },
  {
    name: `fire(), worst of ${count} outputs of 100 KB on both streams`,
    reference: "spawn of the same command",
    unit: "ms",
    target: { of: "difference", atMost: LIMIT_MS },
    measure: ({ quick }) => fireWorst(quick ? 10 : 60),
  },
];
