// `belay replay` of 100,000 records, which runs nothing: records a second, and memory; `belay stats` of the same.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { interleave } from "./measure.mjs";
import { withJournal } from "./row-journal.mjs";

const BELAY = fileURLToPath(new URL("../packages/cli/bin/belay.js", import.meta.url));
/** Loaded before the command line: says at its end how much memory it took at its peak. */
const PEAK = `data:text/javascript,${encodeURIComponent(`
  import { peakBytes } from "${new URL("./peak.mjs", import.meta.url)}";
  process.on("exit", () => process.stderr.write(String(peakBytes() / 1024 / 1024)));
`)}`;

const RECORDS = 100_000;
/** A second. */
const LEAST_RATE = 20_000;

const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;

/** @param {readonly string[]} args @param {{ home: string, project: string }} place @param {number} [code] what it exits with */
export function belay(args, { home, project }, code = 0) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", PEAK, BELAY, ...args], {
    cwd: project,
    env: { ...env, HOME: home },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const ms = performance.now() - started;
  if (status !== code) throw new Error(`belay ${args.join(" ")} exited with ${status}: ${stderr}`);
  return { ms, stdout, peak: Number(stderr) };
}

/** @param {string} command @param {"ms" | "peak"} what @param {number} more @param {number} fewer @param {number} rounds */
function against(command, what, more, fewer, rounds) {
  return withJournal(more, (long) =>
    withJournal(fewer, (short) =>
      interleave(
        () => measured(command, more, long)[what],
        () => measured(command, fewer, short)[what],
        rounds,
        0,
      ),
    ),
  );
}

/** @param {string} command @param {number} records @param {{ home: string, project: string }} place */
function measured(command, records, place) {
  const result = belay([command, "--json"], place);
  const { summary, events = summary?.events } = JSON.parse(result.stdout);
  if (events !== records) throw new Error(`belay ${command} counted ${events} events of ${records}`);
  return result;
}

/** @type {import("./report.mjs").Measurement[]} */
export const replayRows = ["replay", "stats"].flatMap((command) => [
  {
    isShort: false,
    name: `belay ${command}, a journal of ${RECORDS.toLocaleString("en")}`,
    reference: "of 1",
    unit: /** @type {const} */ ("ms"),
    target: { of: /** @type {const} */ ("value"), atMost: (RECORDS / LEAST_RATE) * 1000 },
    measure: (/** @type {{ quick: boolean }} */ { quick }) =>
      against(command, "ms", RECORDS, 1, quick ? 2 : 5),
  },
  {
    isShort: false,
    name: `memory of belay ${command}, ${(4 * RECORDS).toLocaleString("en")} records`,
    // Fewer would not fill V8's young generation, which grows to its bound and no further.
    reference: RECORDS.toLocaleString("en"),
    unit: /** @type {const} */ ("MiB"),
    target: { of: /** @type {const} */ ("difference"), atMost: 8 },
    measure: (/** @type {{ quick: boolean }} */ { quick }) =>
      against(command, "peak", 4 * RECORDS, RECORDS, quick ? 1 : 3),
  },
]);
