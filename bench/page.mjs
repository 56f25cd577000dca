// docs/performance.md and its pictures, made of what was measured. scripts/generate.mjs holds them together.
import { short, targetOf } from "./report.mjs";
import { svgOf } from "./svg.mjs";

/** @typedef {import("./report.mjs").Row} Row */
/** @typedef {import("./report.mjs").Gap} Gap */
/** @typedef {Omit<import("./curves.mjs").Curve, "measure"> & { series: import("./curves.mjs").Series[], notes: string[] }} Grown */
/**
 * @typedef {object} Results
 * @property {string} date
 * @property {boolean} quick
 * @property {ReturnType<typeof import("./machine.mjs").machine>} machine
 * @property {(Row | Gap)[]} rows
 * @property {Grown[]} curves
 */

const PAGE = "docs/performance.md";
const FOLDER = "docs/performance";
export const RESULTS = `${FOLDER}/results.json`;

/** Above this a ratio near its target says nothing. */
const RESTLESS = 0.2;

/** Every file of the page, by its path in the clone. @param {Results} results @returns {[string, string][]} */
export function performanceFiles(results) {
  return [
    [PAGE, pageOf(results)],
    ...results.curves.map(
      (curve) => /** @type {[string, string]} */ ([`${FOLDER}/${curve.name}.svg`, svgOf(curve)]),
    ),
  ];
}

/** @param {Results} results */
function pageOf({ date, quick, machine, rows, curves }) {
  const { cores, memoryGB, node, platform, arch, kernel } = machine;
  const measured = rows.filter((row) => "met" in row);
  const missed = measured.filter(({ met }) => !met);
  const absent = rows.filter((row) => "notMeasured" in row);
  return `${[
    "# Performance",
    "What a hook costs, side by side with what it is compared to: both in turn, in the same minutes, on the same machine. Compare ratios between machines, not milliseconds. [How it is measured](../bench/README.md).",
    `Measured on ${date}: ${cores} cores, ${memoryGB} GB of memory, Node ${node}, ${platform} ${kernel}, ${arch}.${quick ? " A quick run: less certain than a full one." : ""}`,
    "```sh clone\\nnpm run bench -- --write            # measures everything, about thirteen minutes, and writes this page\\n```".replaceAll(
      "\\n",
      "\n",
    ),
    "## Targets",
    verdictOf(measured.length, missed),
    ...missed.map(missLine),
    ...absent.map(
      (row) => `- **Not measured**: ${row.name}, against ${row.reference}: ${code(row.notMeasured)}.`,
    ),
    [
      "| | Ours | p99 | Reference | Ratio | Target | Noise | |",
      "|---|--:|--:|--:|--:|--:|--:|---|",
      ...measured.map(tableLine),
    ].join("\n"),
    `Medians, and the worst where it says "longest task"; p99 is what one in a hundred exceeds, where there were a hundred. Noise is the spread of the reference's middle half; above ${RESTLESS * 100} % the machine was busy with other things.`,
    "## How it grows",
    ...curves.flatMap(section),
  ].join("\n\n")}\n`;
}

/** @param {number} count @param {Row[]} missed */
function verdictOf(count, missed) {
  return missed.length === 0
    ? `All ${count} are met.`
    : `${missed.length} of ${count} are missed; [why](../bench/README.md#what-is-missed-and-why):`;
}

/** @param {Row} row */
function missLine(row) {
  const { name, reference, ours, unit, ratio, noise, p99 } = row;
  const restless = noise > RESTLESS ? `; the noise was ${Math.round(noise * 100)} %` : "";
  const worst = row.target.p99 === undefined || p99 === undefined ? "" : `, p99 ${short(p99)} ${unit}`;
  return `- **Missed**: ${name}, against ${reference}: ${short(ours)} ${unit}${worst}, ${short(ratio)} ×, where ${targetOf(row)} is the target${restless}.`;
}

/** @param {Row} row */
function tableLine(row) {
  const { name, detail, reference, ours, p99, referenceValue, unit, ratio, noise, met } = row;
  const cells = [
    `${name}${detail === undefined ? "" : ` (${detail})`}<br>against ${reference}`,
    `${short(ours)} ${unit}`,
    p99 === undefined ? "–" : `${short(p99)} ${unit}`,
    `${short(referenceValue)} ${unit}`,
    `${short(ratio)} ×`,
    targetOf(row),
    `${Math.round(noise * 100)} %`,
    met ? "met" : "**missed**",
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/** @param {Grown} curve */
function section({ name, title, yLabel, xLabel, series, xNames, notes }) {
  const sizes = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  /** @param {import("./curves.mjs").Series} one */
  const line = ({ name, points }) =>
    `| ${name} | ${sizes.map((size) => cellOf(points.find(({ x }) => x === size))).join(" | ")} |`;
  return [
    `### ${title.replaceAll("`", "")}`,
    `![${title.replaceAll("`", "")}](performance/${name}.svg)`,
    [
      `| ${yLabel} | ${sizes.map((size) => xNames[size] ?? size).join(" | ")} |`,
      `|---|${sizes.map(() => "--:").join("|")}|`,
      ...series.map(line),
    ].join("\n"),
    ...notes.map((note) => `Not measured, by ${xLabel}: ${code(note)}.`),
  ];
}

/** @param {{ y: number } | undefined} point */
const cellOf = (point) => (point ? short(point.y) : "–");

/** A command in it stands between backticks. @param {string} text */
const code = (text) => text.replace(/npm run .*$/, "`$&`");
