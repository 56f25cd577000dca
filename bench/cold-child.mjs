// Reads one output first thing in a process of its own, and prints the milliseconds that took.
import { timeOf } from "./measure.mjs";
import { hooksOf, outcomeOf, runThatPrinted } from "./row-decide.mjs";
import { WORST_OUTPUTS } from "./worst-outputs.mjs";

const hooks = hooksOf(1);
const run = runThatPrinted(WORST_OUTPUTS[process.argv[2] ?? ""] ?? "{}");
process.stdout.write(`${timeOf(() => outcomeOf(hooks, run), 1)}\n`);
