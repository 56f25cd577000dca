/*
 * Time without a clock's numbers: the processor's time for some work, against the same work on less, or against another
 * program's work on as much. What else a busy machine does meanwhile is not counted. The fastest tries are compared, and
 * what looks too slow is tried again: a busy machine slows some tries, and a slow program all of them.
 */

const ROUNDS = 8;

function timeOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Of several: one that was interrupted would make any other look short. */
function fastestOf(work: () => unknown): number {
  return Math.min(...Array.from({ length: 3 }, () => timeOf(work)));
}

/** How many times as long as the other the one takes; no further tries once that is below what is allowed. */
function timesAsLong(one: () => unknown, other: () => unknown, allowed: number): number {
  let [slow, quick] = [timeOf(one), fastestOf(other)];
  for (let round = 1; round < ROUNDS && slow / Math.max(quick, GRAIN_MS) >= allowed; round += 1) {
    slow = Math.min(slow, timeOf(one));
    quick = Math.min(quick, fastestOf(other));
  }
  return slow / Math.max(quick, GRAIN_MS);
}

/** What takes less than this is too short to be compared with. */
const GRAIN_MS = 0.2;

const SHARE = 16;

/** Sixteen times as much takes about sixteen times as long; work that looks at every pair takes 256 times as long. */
export const LINEAR = 64;

/**
 * How many times longer work takes on a text than on the first sixteenth of it. That is done sixteen times in a row: on a
 * busy machine what is short finds a moment of its own, and what is long never does.
 */
export function growthOf(text: string, work: (text: string) => unknown): number {
  const little = text.slice(0, text.length / SHARE);
  const littleByLittle = () => {
    for (let time = 0; time < SHARE; time += 1) work(little);
  };
  return timesAsLong(() => work(text), littleByLittle, LINEAR / SHARE) * SHARE;
}

const PARSED = JSON.stringify(
  Array.from({ length: 2500 }, (_, n) => ({ id: n, words: "some words of text" })),
);
/** One alone would be too short to be compared with. */
const IN_A_ROW = 4;

/** How often JSON.parse could read 100 KB while hook output of 100 KB is read: bench/ holds the milliseconds. */
export const READING = 600;

export function parsesDuring(work: () => unknown): number {
  const parse = () => {
    for (let time = 0; time < IN_A_ROW; time += 1) JSON.parse(PARSED);
  };
  return timesAsLong(work, parse, READING / IN_A_ROW) * IN_A_ROW;
}
