// Timing in turns: ours and the reference see the same machine, minute by minute.

/** @typedef {{ ours: number[], reference: number[] }} Samples */
/** @typedef {() => number | Promise<number>} Task returns what it measured */

/**
 * Runs every task once a round and lets another one begin each time, so that none profits from a warm cache or a quiet
 * moment.
 *
 * @template {string} Name
 * @param {Record<Name, Task>} tasks
 * @param {number} rounds
 * @param {number} warmups rounds that are not counted
 * @returns {Promise<Record<Name, number[]>>}
 */
export async function inTurns(tasks, rounds, warmups = Math.ceil(rounds / 10)) {
  const names = /** @type {Name[]} */ (Object.keys(tasks));
  const samples = /** @type {Record<Name, number[]>} */ (
    Object.fromEntries(names.map((name) => [name, /** @type {number[]} */ ([])]))
  );
  for (let round = -warmups; round < rounds; round += 1) {
    const first = (round + warmups) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const measured = await tasks[name]();
      if (round >= 0) samples[name].push(measured);
    }
  }
  return samples;
}

/**
 * @param {Task} ours
 * @param {Task} reference
 * @param {number} rounds
 * @param {number} [warmups]
 * @returns {Promise<Samples>}
 */
export function interleave(ours, reference, rounds, warmups) {
  return inTurns({ ours, reference }, rounds, warmups);
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

/**
 * How long the event loop stood still: the longest time, in ms, between two turns of it while a task runs. A chain of
 * setImmediate takes every turn there is; the task's own start and end count.
 *
 * @param {() => Promise<unknown>} task
 */
export async function longestGap(task) {
  let longest = 0;
  let isRunning = true;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const turn = () => {
    look();
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  await task();
  isRunning = false;
  look();
  return longest;
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

/** With fewer values than this the one in a hundred is a guess. */
const ENOUGH_FOR_P99 = 100;

/** What one in a hundred exceeds, if there are values enough to say. @param {readonly number[]} values */
export function p99(values) {
  return values.length >= ENOUGH_FOR_P99 ? quantile(values, 0.99) : undefined;
}

/**
 * How restless the machine was: the middle half of the values, as a share of their median.
 *
 * @param {readonly number[]} values
 */
export function spread(values) {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);
}
