// Hooks in a process that has grown: a fork takes as long as its parent is large, and the parent stands still meanwhile.
import { MB, noRoomFor, withHost } from "./host.mjs";
import { median, p99 } from "./measure.mjs";
import { missingPeer, peerVersions } from "./peers.mjs";

const SMALL = 50 * MB;
const LARGE = 1500 * MB;
const LARGEST = 2000 * MB;
const PEER = "@google/gemini-cli-core";
const WARMUPS = 4;

/** @typedef {import("./report.mjs").Measured} Measured */

/**
 * @param {number} bytes
 * @param {Partial<import("./host.mjs").Order> & Pick<import("./host.mjs").Order, "rounds">} order
 * @param {"bare" | "gemini"} reference
 * @returns {Promise<Measured>}
 */
export async function against(bytes, order, reference = "bare") {
  const notMeasured = noRoomFor(bytes) ?? (reference === "gemini" ? missingPeer(PEER) : undefined);
  if (notMeasured !== undefined) return { notMeasured };
  return withHost({ bytes, withPeer: reference === "gemini" }, async (host) => {
    const samples = await host.measure({
      what: "time",
      command: "true",
      count: 1,
      warmups: WARMUPS,
      who: ["ours", reference],
      ...order,
    });
    const { ours = [], [reference]: theirs = [] } = samples;
    return { ours, reference: theirs };
  });
}

/** @param {readonly number[]} gaps */
function idleDetail(gaps) {
  const worst = p99(gaps);
  const rest = worst === undefined ? "" : `, p99 ${worst.toFixed(2)} ms`;
  return `a loop with nothing to do: ${median(gaps).toFixed(2)} ms${rest}`;
}

/**
 * Ours and a loop with nothing to do by turns, then a few bare spawns, and again: after a fork of its own the host pays for
 * each page that it touches, which would be counted against whoever comes next.
 *
 * @param {number} rounds
 * @returns {Promise<Measured>}
 */
async function frozen(rounds) {
  const notMeasured = noRoomFor(LARGE);
  if (notMeasured !== undefined) return { notMeasured };
  const batch = 10;
  const order = /** @type {const} */ ({ what: "frozen", command: "true", count: 1 });
  return withHost({ bytes: LARGE }, async (host) => {
    /** @type {Record<"ours" | "idle" | "bare", number[]>} */
    const samples = { ours: [], idle: [], bare: [] };
    for (let round = 0; round < rounds / batch; round += 1) {
      const { ours = [], idle = [] } = await host.measure({
        ...order,
        who: ["ours", "idle"],
        rounds: batch,
        warmups: WARMUPS,
      });
      const { bare = [] } = await host.measure({ ...order, who: ["bare"], rounds: batch, warmups: 0 });
      samples.ours.push(...ours);
      samples.idle.push(...idle);
      samples.bare.push(...bare);
    }
    return { ours: samples.ours, reference: samples.bare, detail: idleDetail(samples.idle) };
  });
}

/** Two hosts at once and a few hooks in each by turns. @param {number} rounds @returns {Promise<Measured>} */
async function growth(rounds) {
  const notMeasured = noRoomFor(SMALL + LARGEST);
  if (notMeasured !== undefined) return { notMeasured };
  const few = {
    what: /** @type {const} */ ("time"),
    command: "true",
    count: 1,
    who: /** @type {const} */ (["ours"]),
  };
  const batch = 10;
  return withHost({ bytes: SMALL }, (small) =>
    withHost({ bytes: LARGEST }, async (large) => {
      /** @type {import("./measure.mjs").Samples} */
      const samples = { ours: [], reference: [] };
      for (let round = -1; round < rounds / batch; round += 1) {
        const order = { ...few, rounds: batch, warmups: 2 };
        const reference = await small.measure(order);
        const ours = await large.measure(order);
        if (round < 0) continue;
        samples.ours.push(...(ours.ours ?? []));
        samples.reference.push(...(reference.ours ?? []));
      }
      return samples;
    }),
  );
}

/** @type {import("./report.mjs").Measurement[]} */
export const hostRows = [
  {
    name: "one `true` hook in a process of 50 MB",
    reference: "spawn there",
    unit: "ms",
    target: { of: "ratio", atMost: 1.1 },
    measure: ({ quick }) => against(SMALL, { rounds: quick ? 40 : 400 }),
  },
  {
    name: "one `true` hook in a process of 1.5 GB",
    reference: "spawn there",
    unit: "ms",
    target: { of: "ratio", atMost: 0.2 },
    measure: ({ quick }) => against(LARGE, { rounds: quick ? 20 : 300 }),
  },
  {
    name: "one `true` hook in a process of 1.5 GB",
    reference: `Gemini CLI's HookRunner ${peerVersions()[PEER]} there`,
    unit: "ms",
    target: { of: "ratio", atMost: 0.2 },
    isShort: false,
    measure: ({ quick }) => against(LARGE, { rounds: quick ? 20 : 300 }, "gemini"),
  },
  {
    name: "event loop frozen by one hook in a process of 1.5 GB",
    reference: "spawn there",
    unit: "ms",
    target: { of: "value", atMost: 0.3, p99: 3 },
    measure: ({ quick }) => frozen(quick ? 20 : 300),
  },
  {
    name: "one `true` hook in a process of 2 GB",
    reference: "the same hook in a process of 50 MB",
    unit: "ms",
    target: { of: "ratio", atMost: 1.5 },
    measure: ({ quick }) => growth(quick ? 40 : 300),
  },
  {
    name: "100 hooks `sleep 0.05` in a process of 1.5 GB",
    reference: "100 spawns at once there",
    unit: "ms",
    target: { of: "ratio", atMost: 0.25 },
    measure: ({ quick }) =>
      against(LARGE, { command: "sleep 0.05", count: 100, rounds: quick ? 2 : 5, warmups: 1 }),
  },
];
