// The slowest output there is, at the cap: the decision alone, and the whole way through fire().
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bareSpawn, engineWith } from "./contestants.mjs";
import { interleave, median, timeOfAsync } from "./measure.mjs";
import { costOf, costOfJson } from "./worst-cost.mjs";
import { WORST_OUTPUTS } from "./worst-outputs.mjs";

const LIMIT_MS = 50;
const TRIES = 3;

/**
 * The name of the output that costs most.
 *
 * @param {(text: string) => Promise<number>} cost
 */
async function slowest(cost) {
  const costs = [];
  for (const [name, text] of Object.entries(WORST_OUTPUTS)) {
    const tries = [];
    for (let count = 0; count < TRIES; count += 1) tries.push(await cost(text));
    costs.push({ name, median: median(tries) });
  }
  return costs.reduce((worst, next) => (next.median > worst.median ? next : worst)).name;
}

/** @param {number} rounds */
async function decideWorst(rounds) {
  const name = await slowest(async (text) => costOf(text));
  const samples = await interleave(() => costOf(WORST_OUTPUTS[name] ?? ""), costOfJson, rounds);
  return { ...samples, detail: name };
}

const CHILD = fileURLToPath(new URL("./worst-child.mjs", import.meta.url));

/** @param {string} name @param {boolean} oursFirst */
function inFreshProcess(name, oursFirst = true) {
  const args = [CHILD, name, ...(oursFirst ? [] : ["reference-first"])];
  const printed = execFileSync(process.execPath, args, { encoding: "utf8" });
  const [ours = Number.NaN, reference = Number.NaN] = printed.split(" ").map(Number);
  return { ours, reference };
}

/** @param {number} rounds */
async function decideFresh(rounds) {
  const names = new Map(Object.entries(WORST_OUTPUTS).map(([name, text]) => [text, name]));
  const name = await slowest(async (text) => inFreshProcess(names.get(text) ?? "").ours);
  const samples = Array.from({ length: rounds }, (_, round) => inFreshProcess(name, round % 2 === 0));
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
  // Both streams full and not the same, and a refusal: what is on stderr becomes a message as well.
  const command = `cat ${file}; (printf .; cat ${file}) >&2; exit 2`;
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
    isShort: false,
    measure: ({ quick }) => decideFresh(quick ? 5 : 21),
  },
  {
    name: `fire(), worst of ${count} outputs of 100 KB on both streams`,
    reference: "spawn of the same command",
    unit: "ms",
    target: { of: "difference", atMost: LIMIT_MS },
    isShort: false,
    measure: ({ quick }) => fireWorst(quick ? 10 : 60),
  },
];
