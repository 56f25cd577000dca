// The short form for CI: is a ratio much worse than the one that was written down? Three tries, and the best of them counts.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { machine } from "./machine.mjs";
import { measureRow, short } from "./report.mjs";

export const BASELINE = fileURLToPath(new URL("./baseline.json", import.meta.url));
const TRIES = 3;
const WORSE = 1.5;

/** @typedef {import("./report.mjs").Measurement} Measurement */
/** @typedef {(text: string) => void} Say */

/** @param {{ name: string, reference: string }} row */
const keyOf = ({ name, reference }) => `${name}, to ${reference}`;

/** @param {readonly Measurement[]} all */
const shortOnes = (all) => all.filter(({ isShort = true }) => isShort);

/** Writes down what is best of three here and now; rows that are not asked for stay as they are. @param {readonly Measurement[]} all @param {string} file @param {Say} say */
export async function writeBaseline(all, file, say) {
  /** @type {Record<string, number>} */
  const ratios = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).ratios : {};
  for (const measurement of shortOnes(all)) {
    const best = await bestRatio(measurement, 0);
    if (typeof best === "number") ratios[keyOf(measurement)] = Number(best.toPrecision(3));
    say(`${typeof best === "number" ? `${short(best)} ×` : best}  ${keyOf(measurement)}\n`);
  }
  writeFileSync(file, `${JSON.stringify({ machine: machine(), ratios }, null, 2)}\n`);
}

/**
 * How many rows are worse than the baseline allows, have none, or are gone from `all`: a row must not escape by a new name.
 *
 * @param {readonly Measurement[]} wanted
 * @param {readonly Measurement[]} all
 * @param {string} file
 * @param {Say} say
 */
export async function countWorse(wanted, all, file, say) {
  /** @type {{ ratios: Record<string, number> }} */
  const { ratios } = JSON.parse(readFileSync(file, "utf8"));
  const keys = new Set(shortOnes(all).map(keyOf));
  const gone = Object.keys(ratios).filter((key) => !keys.has(key));
  const fresh = shortOnes(wanted)
    .map(keyOf)
    .filter((key) => ratios[key] === undefined);
  let worse = 0;
  for (const measurement of shortOnes(wanted)) {
    const key = keyOf(measurement);
    const before = ratios[key];
    if (before === undefined) {
      say(`NEW    ${key}: not in the baseline\n`);
      continue;
    }
    const best = await bestRatio(measurement, before * WORSE);
    if (typeof best === "string") {
      say(`–      ${key}: ${best}\n`);
      continue;
    }
    const isWorse = best > before * WORSE;
    if (isWorse) worse += 1;
    say(`${isWorse ? "WORSE" : "ok   "}  ${key}: ${short(best)} ×, was ${short(before)} ×\n`);
  }
  for (const key of gone) say(`GONE   ${key}: in the baseline, and no row\n`);
  if (fresh.length + gone.length > 0)
    say(
      `\nThe baseline has other rows. Take out of ${file} what is gone, then, on a quiet machine:\nnpm run bench -- --write-baseline <words of the new row's name>\n`,
    );
  if (worse > 0)
    say(
      `\n${worse} worse by more than ${WORSE} × than the baseline, three times over. Find out why; if it is meant,\nrun on a quiet machine: npm run bench -- --write-baseline\n`,
    );
  return worse + fresh.length + gone.length;
}

/**
 * The least ratio of three tries, or why there is none; a try that is good enough is the last.
 *
 * @param {Measurement} measurement
 * @param {number} enough
 */
async function bestRatio(measurement, enough) {
  let best = Number.POSITIVE_INFINITY;
  for (let count = 0; count < TRIES && best > enough; count += 1) {
    const row = await measureRow(measurement, { quick: true });
    if ("notMeasured" in row) return row.notMeasured;
    best = Math.min(best, row.ratio);
  }
  return best;
}
