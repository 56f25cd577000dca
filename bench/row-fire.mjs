// fire() against bare spawns: what the engine adds to the price of a process.
import { setTimeout } from "node:timers/promises";
import { bareSpawn, engineWith, SETTLED_MS } from "./contestants.mjs";
import { interleave, timeOfAsync } from "./measure.mjs";

/** @param {string} command @param {number} count @param {number} rounds */
async function against(command, count, rounds) {
  const commands = Array.from({ length: count }, () => command);
  const engine = await engineWith(commands, { limits: { maxParallel: count } });
  await setTimeout(SETTLED_MS);
  try {
    return await interleave(
      () => timeOfAsync(engine.fire),
      () => timeOfAsync(() => Promise.all(commands.map(bareSpawn))),
      rounds,
    );
  } finally {
    await engine.close();
  }
}

/** @type {import("./report.mjs").Measurement[]} */
export const fireRows = [
  {
    name: "fire(), one `true` hook",
    reference: 'spawn("sh", ["-c", "true"])',
    unit: "ms",
    target: { of: "ratio", atMost: 1.15 },
    measure: ({ quick }) => against("true", 1, quick ? 60 : 400),
  },
  {
    name: "fire(), 100 hooks `sleep 0.05`, maxParallel 100",
    reference: "100 such spawns at once",
    unit: "ms",
    target: { of: "ratio", atMost: 1.15 },
    measure: ({ quick }) => against("sleep 0.05", 100, quick ? 5 : 20),
  },
];
