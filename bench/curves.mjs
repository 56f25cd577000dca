// What grows when something else does: a line per way to do it, a point per size.

import { bareSpawn, engineWith } from "./contestants.mjs";
import { MB, noRoomFor, withHost } from "./host.mjs";
import { inTurns, median, timeOfAsync } from "./measure.mjs";
import { missingPeer } from "./peers.mjs";
import { decideSamples } from "./row-decide.mjs";
import { growthOfFlood } from "./row-flood.mjs";

/** @typedef {import("./report.mjs").Options} Options */
/** @typedef {{ name: string, points: { x: number, y: number }[] }} Series times in ms or µs as the curve says */
/**
 * @typedef {object} Curve
 * @property {string} name its file, and what it is asked for by
 * @property {string} title
 * @property {string} xLabel
 * @property {string} yLabel
 * @property {Record<string, string>} xNames the sizes, and what stands below the axis for each
 * @property {(options: Options) => Promise<{ series: Series[], notes: string[] }>} measure
 */

/** Medians at each size, as lines. @param {{ x: number, medians: Record<string, number> }[]} rows @returns {Series[]} */
function seriesOf(rows) {
  const names = [...new Set(rows.flatMap(({ medians }) => Object.keys(medians)))];
  return names.map((name) => ({
    name,
    points: rows.flatMap(({ x, medians }) => (medians[name] === undefined ? [] : [{ x, y: medians[name] }])),
  }));
}

/** @param {Record<string, number[]>} samples @param {Record<string, string>} names */
function mediansOf(samples, names, scale = 1) {
  return Object.fromEntries(
    Object.entries(samples).map(([who, values]) => [names[who] ?? who, median(values) * scale]),
  );
}

const HOSTS = /** @type {const} */ ([50, 100, 200, 500, 1000, 1500, 2000]);
/** Below this the peer alone makes a process larger than it claims to be. */
const PEER_FROM = 200;
const CONTESTANTS = {
  ours: "belay",
  bare: "spawn",
  gemini: "Gemini CLI's HookRunner",
  idle: "nothing to do",
};

/** @param {"time" | "frozen"} what @param {number} rounds */
async function byHost(what, rounds) {
  const rows = [];
  const notes = [];
  const noPeer = missingPeer("@google/gemini-cli-core");
  if (noPeer !== undefined) notes.push(noPeer);
  for (const size of HOSTS) {
    const noRoom = noRoomFor(size * MB);
    if (noRoom !== undefined) {
      notes.push(`${size} MB: ${noRoom}`);
      continue;
    }
    const withPeer = noPeer === undefined && size >= PEER_FROM;
    /** @type {import("./host.mjs").Who[]} */
    const who = ["ours", "bare"];
    if (withPeer) who.push("gemini");
    if (what === "frozen") who.push("idle");
    const samples = await withHost({ bytes: size * MB, withPeer }, (host) =>
      host.measure({ what, command: "true", count: 1, who, rounds, warmups: 2 }),
    );
    rows.push({ x: size, medians: mediansOf(samples, CONTESTANTS) });
  }
  return { series: seriesOf(rows), notes };
}

const HOOKS = [1, 3, 10, 30, 100, 300, 1000];

/** @param {number} rounds */
async function byHooks(rounds) {
  const rows = [];
  for (const count of HOOKS) {
    const samples = await decideSamples(count, rounds);
    const names = { ours: "match to route", reference: "JSON.parse of 1 KB" };
    rows.push({ x: count, medians: mediansOf(samples, names, 1000) });
  }
  return { series: seriesOf(rows), notes: [] };
}

const KIB = 1024;
const OUTPUTS = {
  "1 KiB": KIB,
  "16 KiB": 16 * KIB,
  "256 KiB": 256 * KIB,
  "4 MiB": 4 * KIB ** 2,
  "64 MiB": 64 * KIB ** 2,
  "1 GiB": KIB ** 3,
};

/** @param {number} rounds */
async function timeByOutput(rounds) {
  const rows = [];
  for (const bytes of Object.values(OUTPUTS)) {
    const command = `head -c ${bytes} /dev/zero`;
    const direct = await engineWith([command], { launcher: "off" });
    const launched = await engineWith([command], { launcher: "on" });
    const samples = await inTurns(
      {
        "belay, direct": () => timeOfAsync(direct.fire),
        "belay, launcher": () => timeOfAsync(launched.fire),
        spawn: () => timeOfAsync(() => bareSpawn(command)),
      },
      rounds,
      2,
    );
    await Promise.all([direct.close(), launched.close()]);
    rows.push({ x: bytes, medians: mediansOf(samples, {}) });
  }
  return { series: seriesOf(rows), notes: [] };
}

/** A process that did not grow at all has no place on an axis of powers. */
const LEAST_MIB = 0.1;

/** @param {number} rounds */
async function memoryByOutput(rounds) {
  const rows = [];
  for (const bytes of Object.values(OUTPUTS)) {
    const samples = await inTurns(
      {
        direct: () => Math.max(growthOfFlood(bytes, "off"), LEAST_MIB),
        "through the launcher": () => Math.max(growthOfFlood(bytes, "on"), LEAST_MIB),
      },
      rounds,
      0,
    );
    rows.push({ x: bytes, medians: mediansOf(samples, {}) });
  }
  return { series: seriesOf(rows), notes: [] };
}

/** @param {readonly number[]} sizes @param {(size: number) => string} nameOf */
const named = (sizes, nameOf = (size) => size.toLocaleString("en-GB")) =>
  Object.fromEntries(sizes.map((size) => [String(size), nameOf(size)]));
/** @param {number} size */
const megabytes = (size) => (size < 1000 ? `${size} MB` : `${size / 1000} GB`);
const outputNames = Object.fromEntries(Object.entries(OUTPUTS).map(([name, bytes]) => [String(bytes), name]));

/** @type {Curve[]} */
export const curves = [
  {
    name: "host-memory",
    title: "One `true` hook in a process that has grown",
    xLabel: "memory of the process that runs hooks",
    yLabel: "ms for one hook, median",
    xNames: named(HOSTS, megabytes),
    measure: ({ quick }) => byHost("time", quick ? 6 : 60),
  },
  {
    name: "host-frozen",
    title: "Event loop frozen by one hook in a process that has grown",
    xLabel: "memory of the process that runs hooks",
    yLabel: "ms of the longest stop, median",
    xNames: named(HOSTS, megabytes),
    measure: ({ quick }) => byHost("frozen", quick ? 6 : 40),
  },
  {
    name: "hooks",
    title: "From match to route, one of the configured hooks matches",
    xLabel: "configured hooks",
    yLabel: "µs for one event, median",
    xNames: named(HOOKS),
    measure: ({ quick }) => byHooks(quick ? 100 : 1000),
  },
  {
    name: "output-time",
    title: "A hook that writes much: time",
    xLabel: "what the hook writes",
    yLabel: "ms for one hook, median",
    xNames: outputNames,
    measure: ({ quick }) => timeByOutput(quick ? 2 : 7),
  },
  {
    name: "output-memory",
    title: "A hook that writes much: growth of the process that runs it",
    xLabel: "what the hook writes",
    yLabel: "MiB, peak above the start",
    xNames: outputNames,
    measure: ({ quick }) => memoryByOutput(quick ? 1 : 5),
  },
];

/** Curves whose points are rows that are measured anyway: the size is in a row's name. */
const FROM_ROWS = [
  {
    name: "journal",
    title: "The last 100 records of a journal",
    xLabel: "records in the journal",
    yLabel: "ms, median",
    row: /^belay tail -n 100, a journal of ([\d,]+)$/,
    ours: "belay tail -n 100",
  },
];

/** @param {readonly (import("./report.mjs").Row | import("./report.mjs").Gap)[]} rows */
export function curvesOfRows(rows) {
  return FROM_ROWS.map(({ row: pattern, ours, ...curve }) => {
    const points = rows.flatMap((row) => {
      const size = pattern.exec(row.name)?.[1];
      return size === undefined || "notMeasured" in row
        ? []
        : [{ x: Number(size.replaceAll(",", "")), y: row.ours, reference: row }];
    });
    const reference = points[0]?.reference.reference ?? "";
    return {
      ...curve,
      xNames: named(points.map(({ x }) => x)),
      series: [
        { name: ours, points: points.map(({ x, y }) => ({ x, y })) },
        { name: reference, points: points.map(({ x, reference: row }) => ({ x, y: row.referenceValue })) },
      ],
      notes: /** @type {string[]} */ ([]),
    };
  }).filter(({ series }) => series.some(({ points }) => points.length > 1));
}
