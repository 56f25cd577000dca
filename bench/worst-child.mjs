// Reads one of the worst outputs in a process of its own, where nothing is compiled yet; prints the milliseconds, and those
// of a JSON.parse of as much text. A second argument lets the reference go first.
import { costOf, costOfJson } from "./worst-cost.mjs";
import { WORST_OUTPUTS } from "./worst-outputs.mjs";

const text = WORST_OUTPUTS[process.argv[2] ?? ""];
if (text === undefined) throw new Error(`no output is named ${process.argv[2]}`);
const early = process.argv[3] === undefined ? undefined : costOfJson();
const ours = costOf(text);
process.stdout.write(`${ours} ${early ?? costOfJson()}\n`);
