// Timing in turns: ours and the reference see the same machine, minute by minute.

/** @typedef {{ ours: number[], reference: number[] }} Samples */

/**
 * Runs both tasks in turn and swaps who goes first, so that neither profits from a warm cache or a quiet moment.
 *
 * @param {() => number | Promise<number>} ours returns what it measured
 * @param {() => number | Promise<number>} reference
 * @param {number} rounds
 * @param {number} warmups rounds that are not counted
 * @returns {Promise<Samples>}
 */
export async function interleave(ours, reference, rounds, warmups = Math.ceil(rounds / 10)) {
  /** @type {Samples} */
  const samples = { ours: [], reference: [] };
  for (let round = -warmups; round < rounds; round += 1) {
    const oursFirst = round % 2 === 0;
    const first = await (oursFirst ? ours : reference)();
    const second = await (oursFirst ? reference : ours)();
    if (round < 0) continue;
    samples.ours.push(oursFirst ? first : second);
    samples.reference.push(oursFirst ? second : first);
  }
  return samples;
}

/**
 * Milliseconds that a task takes; a quick one is repeated, and its share is given.
 *
 * @param {() => unknown} task
 * @param {number} repeats
 */
export function timeOf(task, repeats) {
  const started = performance.now();
  for (let count = 0; count < repeats; count += 1) task();
  return (performance.now() - started) / repeats;
}

/** @param {() => Promise<unknown>} task */
export async function timeOfAsync(task) {
  const started = performance.now();
  await task();
  return performance.now() - started;
}

/** @param {readonly number[]} values @param {number} share from 0 to 1 */
function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at % 1);
}

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/**
 * How restless the machine was: the middle half of the values, as a share of their median.
 *
 * @param {readonly number[]} values
 */
export function spread(values) {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);
}
