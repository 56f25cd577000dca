// What one output means in every agent: no process, no file.
import { emulate, HARNESSES } from "@belay/harness";
import { interleave, timeOf } from "./measure.mjs";
import { EVENT, oneKilobyte, runThatPrinted } from "./row-decide.mjs";

const REPEATS = 10;
const CALL = { tool: "Bash", input: { command: "npm test" } };

/** @type {import("./report.mjs").Measurement[]} */
export const emulateRows = [
  {
    name: `one output of 1 KB read as each of ${HARNESSES.length} agents does`,
    reference: "JSON.parse of that 1 KB",
    unit: "ms",
    target: { of: "value", atMost: 1 },
    isShort: false,
    measure: ({ quick }) => {
      const stdout = oneKilobyte();
      return interleave(
        () =>
          timeOf(() => {
            const hooks = /** @type {const} */ ([
              { hook: "guard", type: "command", run: runThatPrinted(stdout) },
            ]);
            for (const harness of HARNESSES) emulate(harness, { event: EVENT, ...CALL, hooks });
          }, REPEATS),
        () => timeOf(() => JSON.parse(stdout), REPEATS),
        quick ? 200 : 2000,
      );
    },
  },
];
