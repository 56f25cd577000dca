// Reads one of the worst outputs in a process of its own, where nothing is compiled yet; prints the milliseconds, and those
// of a JSON.parse of as much text.
import { timeOf } from "./measure.mjs";
import { hooksOf, outcomeOf, runThatPrinted } from "./row-decide.mjs";
import { WORST_OUTPUTS } from "./worst-outputs.mjs";

const text = WORST_OUTPUTS[process.argv[2] ?? ""];
if (text === undefined) throw new Error(`no output is named ${process.argv[2]}`);
const hooks = hooksOf(1);
const run = runThatPrinted(text);
const plain = JSON.stringify({ systemMessage: "x".repeat(102_000) });
const ours = timeOf(() => outcomeOf(hooks, run), 1);
const reference = timeOf(() => JSON.parse(plain), 1);
process.stdout.write(`${ours} ${reference}\n`);
