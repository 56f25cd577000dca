// Many hooks at once against as many bare spawns. One hook alone is the first row of row-host.mjs. In a process of its own,
// which has only what a host of hooks has: what other rows left in this one would be copied by each fork.
import { MB } from "./host.mjs";
import { against } from "./row-host.mjs";

/** A hundred processes at once make it as large by themselves. */
const LARGER = 100 * MB;

/** @type {import("./report.mjs").Measurement[]} */
export const fireRows = [
  {
    name: "fire(), 100 hooks `sleep 0.05`, maxParallel 100",
    reference: "100 such spawns at once",
    unit: "ms",
    target: { of: "ratio", atMost: 1.15 },
    measure: ({ quick }) =>
      against(LARGER, { command: "sleep 0.05", count: 100, rounds: quick ? 5 : 20, warmups: 2 }),
  },
];
