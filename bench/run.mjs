// npm run bench: every target measured, side by side. bench/README.md says which flags there are and how to read it.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { curves, curvesOfRows } from "./curves.mjs";
import { machine } from "./machine.mjs";
import { installPeers } from "./peers.mjs";
import { HEADING, lineOf, measureRow, short } from "./report.mjs";
import { decideRows } from "./row-decide.mjs";
import { emulateRows } from "./row-emulate.mjs";
import { fireRows } from "./row-fire.mjs";
import { floodRows } from "./row-flood.mjs";
import { hostRows } from "./row-host.mjs";
import { inspectRows } from "./row-inspect.mjs";
import { journalRows } from "./row-journal.mjs";
import { logRows } from "./row-logs.mjs";
import { moduleRows } from "./row-module.mjs";
import { relayRows } from "./row-relay.mjs";
import { replayRows } from "./row-replay.mjs";
import { startRows } from "./row-start.mjs";
import { testRows } from "./row-test.mjs";
import { warmRows } from "./row-warm.mjs";
import { worstRows } from "./row-worst.mjs";
import { BASELINE, countWorse, writeBaseline } from "./short.mjs";
import { writePage } from "./write-page.mjs";

const flag = /** @type {const} */ ({ type: "boolean", default: false });
const OPTIONS = /** @type {const} */ ({
  quick: flag,
  json: flag,
  curves: flag,
  write: flag,
  peers: flag,
  short: flag,
  "write-baseline": flag,
  baseline: { type: "string", default: BASELINE },
});
const { values, positionals } = readArgs();

/** @template {{ name: string }} Named @param {readonly Named[]} all */
const wanted = (all) => all.filter(({ name }) => positionals.every((word) => name.includes(word)));
const allRows = [
  ...decideRows,
  ...emulateRows,
  ...fireRows,
  ...hostRows,
  ...warmRows,
  ...moduleRows,
  ...floodRows,
  ...worstRows,
  ...startRows,
  ...relayRows,
  ...testRows,
  ...journalRows,
  ...replayRows,
  ...logRows,
  ...inspectRows,
];
const wantedRows = wanted(allRows);
const wantedCurves = values.curves || values.write ? wanted(curves) : [];

if (wantedRows.length + wantedCurves.length === 0)
  refuse(`no row has ${JSON.stringify(positionals.join(" "))} in its name`);
if (values.write && positionals.length > 0) refuse("--write writes the page of all rows; leave out the name");
// The page is to have every row, and says so where npm could not help.
const arePeersThere = values.peers || values.write ? installPeers() : true;
if (!arePeersThere && !values.write) refuse("the peers could not be installed; npm says why above");

/** @param {string} text */
const say = (text) => {
  if (!values.json) process.stdout.write(text);
};

if (values["write-baseline"]) await writeBaseline(wantedRows, values.baseline, say);
else if (values.short) {
  if (!existsSync(values.baseline))
    refuse(`there is no ${values.baseline}; on a quiet machine: npm run bench -- --write-baseline`);
  const worse = await countWorse(wantedRows, allRows, values.baseline, say);
  process.exitCode = worse === 0 ? 0 : 1;
} else await measureAll();

async function measureAll() {
  const { quick } = values;
  const date = new Date().toISOString().slice(0, 10);
  say(HEADING);
  const rows = [];
  for (const measurement of wantedRows) {
    const row = await measureRow(measurement, { quick });
    rows.push(row);
    say(lineOf(row));
  }
  const grown = wantedCurves.length > 0 ? curvesOfRows(rows) : [];
  for (const { measure, ...curve } of wantedCurves) grown.push({ ...curve, ...(await measure({ quick })) });
  for (const { title, yLabel, series, xNames, notes } of grown) {
    say(`\n${title} (${yLabel})\n${linesOf(series, xNames)}`);
    for (const note of notes) say(`  not measured: ${note}\n`);
  }
  const results = { date, quick, machine: machine(), rows, curves: grown };
  if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  if (values.write) for (const file of writePage(results)) say(`wrote ${file}\n`);
  const missed = rows.filter((row) => "met" in row && !row.met).length;
  const absent = rows.filter((row) => "notMeasured" in row).length;
  const verdict = missed === 0 ? "every target that was measured is met" : `${missed} missed`;
  say(`\n${rows.length} rows: ${verdict}${absent === 0 ? "" : `, ${absent} not measured`}\n`);
  process.exitCode = missed === 0 ? 0 : 1;
}

/** @param {import("./curves.mjs").Series[]} series @param {Record<string, string>} xNames */
function linesOf(series, xNames) {
  return series
    .map(
      ({ name, points }) =>
        `  ${name}: ${points.map(({ x, y }) => `${xNames[x] ?? x} ${short(y)}`).join(", ")}\n`,
    )
    .join("");
}

function readArgs() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const known = Object.keys(OPTIONS).map((name) => `--${name}`);
    return refuse(
      `${/** @type {Error} */ (error).message}\nIt takes words of a row's name, and ${known.join(", ")}`,
    );
  }
}

/** @param {string} why @returns {never} */
function refuse(why) {
  process.stderr.write(`bench: ${why}\n`);
  process.exit(1);
}
