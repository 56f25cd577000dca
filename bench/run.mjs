// npm run bench [-- --quick] [-- --json] [-- NAME]: every target of the engine, measured. bench/README.md says how to read it.
import { parseArgs } from "node:util";
import { HEADING, lineOf, measureRow } from "./report.mjs";
import { decideRows } from "./row-decide.mjs";
import { fireRows } from "./row-fire.mjs";
import { floodRows } from "./row-flood.mjs";
import { journalRows } from "./row-journal.mjs";
import { replayRows } from "./row-replay.mjs";
import { startRows } from "./row-start.mjs";
import { worstRows } from "./row-worst.mjs";

const { values, positionals } = parseArgs({
  options: { quick: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
  allowPositionals: true,
});

const wanted = [
  ...decideRows,
  ...fireRows,
  ...floodRows,
  ...worstRows,
  ...startRows,
  ...journalRows,
  ...replayRows,
].filter(({ name }) => positionals.every((word) => name.includes(word)));
if (wanted.length === 0) {
  process.stderr.write(`bench: no row has ${JSON.stringify(positionals.join(" "))} in its name\n`);
  process.exit(1);
}

if (!values.json) process.stdout.write(HEADING);
const rows = [];
for (const measurement of wanted) {
  const row = await measureRow(measurement, { quick: values.quick });
  rows.push(row);
  if (!values.json) process.stdout.write(lineOf(row));
}
const missed = rows.filter(({ met }) => !met);
if (values.json) {
  const machine = { node: process.version, platform: process.platform, arch: process.arch };
  process.stdout.write(`${JSON.stringify({ quick: values.quick, machine, rows }, null, 2)}\n`);
} else {
  const verdict = missed.length === 0 ? "every target is met" : `${missed.length} missed`;
  process.stdout.write(`\n${rows.length} rows: ${verdict}\n`);
}
process.exitCode = missed.length === 0 ? 0 : 1;
