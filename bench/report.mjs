// From samples to a row, and from rows to a table.
import { median, p99, spread } from "./measure.mjs";

/** @typedef {"µs" | "ms" | "MiB"} Unit */
/**
 * What is held against the target: ours ÷ reference, ours alone, or ours − reference. In ms or MiB. `p99` is held against
 * what one in a hundred of ours exceeds.
 *
 * @typedef {{ of: "ratio" | "value" | "difference", atMost: number, p99?: number }} Target
 */
/** @typedef {(import("./measure.mjs").Samples & { detail?: string }) | { notMeasured: string }} Measured */
/** @typedef {{ quick: boolean }} Options */

/**
 * @typedef {object} Measurement
 * @property {string} name
 * @property {string} reference what it is compared with, in the same run
 * @property {Unit} unit how it is shown; times are measured in ms
 * @property {Target} target
 * @property {boolean} [isShort] false for what CI leaves out: too slow, or not to be had without a peer
 * @property {boolean} [isWorst] what is held is the worst of all rounds, not their median
 * @property {(options: Options) => Promise<Measured>} measure
 */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} reference
 * @property {string} [detail]
 * @property {number} ours median, or the worst
 * @property {number} [p99] what one in a hundred of ours exceeds; absent after few rounds
 * @property {number} referenceValue as ours
 * @property {number} [referenceP99]
 * @property {number} ratio
 * @property {Unit} unit
 * @property {number} rounds
 * @property {number} noise spread of the reference's middle half, as a share of its median
 * @property {Target} target
 * @property {boolean} met
 */
/** @typedef {{ name: string, reference: string, notMeasured: string }} Gap a row without numbers, and why */

/** @param {Measurement} measurement @param {Options} options @returns {Promise<Row | Gap>} */
export async function measureRow({ name, reference, unit, target, isWorst = false, measure }, options) {
  const measured = await measure(options);
  if ("notMeasured" in measured) return { name, reference, notMeasured: measured.notMeasured };
  const scale = unit === "µs" ? 1000 : 1;
  /** @param {readonly number[]} values */
  const whole = (values) => (isWorst ? Math.max(...values) : median(values));
  const ours = whole(measured.ours);
  const referenceValue = whole(measured.reference);
  const held = { ratio: ours / referenceValue, value: ours, difference: ours - referenceValue };
  const oursP99 = p99(measured.ours);
  const referenceP99 = p99(measured.reference);
  return {
    name,
    reference,
    ...(measured.detail !== undefined && { detail: measured.detail }),
    ours: ours * scale,
    ...(oursP99 !== undefined && { p99: oursP99 * scale }),
    referenceValue: referenceValue * scale,
    ...(referenceP99 !== undefined && { referenceP99: referenceP99 * scale }),
    ratio: held.ratio,
    unit,
    rounds: measured.ours.length,
    noise: spread(measured.reference),
    target: target.of === "ratio" ? target : { ...target, atMost: target.atMost * scale },
    met: held[target.of] <= target.atMost && (oursP99 ?? 0) <= (target.p99 ?? Number.POSITIVE_INFINITY),
  };
}

/** @param {Row | Gap} row */
export function lineOf(row) {
  const title = `${row.name}${"detail" in row ? ` (${row.detail})` : ""}\n  against ${row.reference}\n`;
  if ("notMeasured" in row) return `${title}  not measured: ${row.notMeasured}\n`;
  const { ours, referenceValue, ratio, unit, noise, met } = row;
  const numbers = [
    `${short(ours)} ${unit}`.padStart(10),
    (row.p99 === undefined ? "–" : `${short(row.p99)} ${unit}`).padStart(10),
    `${short(referenceValue)} ${unit}`.padStart(10),
    `${short(ratio)} ×`.padStart(10),
    targetOf(row).padStart(22),
    `${Math.round(noise * 100)} %`.padStart(6),
    met ? "  ok" : "  MISSED",
  ].join("");
  return `${title}${numbers}\n`;
}

const COLUMNS = /** @type {const} */ ([
  ["ours", 10],
  ["p99", 10],
  ["reference", 10],
  ["ratio", 10],
  ["target", 22],
  ["noise", 6],
]);
export const HEADING = `${COLUMNS.map(([word, width]) => word.padStart(width)).join("")}\n`;

/** @param {Row} row */
export function targetOf({ target: { of, atMost, p99: worst }, unit }) {
  if (of === "ratio") return `≤ ${short(atMost)} ×`;
  const rest = worst === undefined ? "" : `, p99 ≤ ${worst} ${unit}`;
  return `${of === "difference" ? "+" : ""}≤ ${atMost} ${unit}${rest}`;
}

/** Three digits that count, and no noughts behind the last that does. @param {number} value */
export function short(value) {
  if (value >= 100) return Math.round(value).toLocaleString("en-GB");
  return Number(value.toPrecision(3)).toString();
}
