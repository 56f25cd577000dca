// From samples to a row, and from rows to a table.
import { median, spread } from "./measure.mjs";

/**
 * What is held against the target: ours ÷ reference, ours alone, or ours − reference. In ms or MiB.
 *
 * @typedef {{ of: "ratio" | "value" | "difference", atMost: number }} Target
 */

/**
 * @typedef {object} Measurement
 * @property {string} name
 * @property {string} reference what it is compared with, in the same run
 * @property {"µs" | "ms" | "MiB"} unit how it is shown; times are measured in ms
 * @property {Target} target
 * @property {(options: { quick: boolean }) => Promise<import("./measure.mjs").Samples & { detail?: string }>} measure
 */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} [detail]
 * @property {number} ours median
 * @property {string} reference
 * @property {number} referenceValue median
 * @property {number} ratio
 * @property {"µs" | "ms" | "MiB"} unit
 * @property {number} rounds
 * @property {number} noise spread of the reference's middle half, as a share of its median
 * @property {Target} target
 * @property {boolean} met
 */

/** @param {Measurement} measurement @param {{ quick: boolean }} options @returns {Promise<Row>} */
export async function measureRow({ name, reference, unit, target, measure }, options) {
  const samples = await measure(options);
  const scale = unit === "µs" ? 1000 : 1;
  const ours = median(samples.ours);
  const referenceValue = median(samples.reference);
  const held = { ratio: ours / referenceValue, value: ours, difference: ours - referenceValue };
  return {
    name,
    ...(samples.detail !== undefined && { detail: samples.detail }),
    ours: ours * scale,
    reference,
    referenceValue: referenceValue * scale,
    ratio: held.ratio,
    unit,
    rounds: samples.ours.length,
    noise: spread(samples.reference),
    target: target.of === "ratio" ? target : { ...target, atMost: target.atMost * scale },
    met: held[target.of] <= target.atMost,
  };
}

/** @param {Row} row */
export function lineOf(row) {
  const { name, detail, ours, reference, referenceValue, ratio, unit, noise, met } = row;
  const numbers = [
    `${short(ours)} ${unit}`.padStart(10),
    `${short(referenceValue)} ${unit}`.padStart(10),
    `${short(ratio)} ×`.padStart(8),
    targetOf(row).padStart(13),
    `${Math.round(noise * 100)} %`.padStart(6),
    met ? "  ok" : "  MISSED",
  ].join("");
  return `${name}${detail === undefined ? "" : ` (${detail})`}\n  against ${reference}\n${numbers}\n`;
}

export const HEADING = `${["ours", "reference"].map((word) => word.padStart(10)).join("")}${"ratio".padStart(8)}${"target".padStart(13)}${"noise".padStart(6)}\n`;

/** @param {Row} row */
function targetOf({ target: { of, atMost }, unit }) {
  if (of === "ratio") return `≤ ${atMost} ×`;
  return `${of === "difference" ? "+" : ""}≤ ${atMost} ${unit}`;
}

/** Three digits that count. @param {number} value */
function short(value) {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
