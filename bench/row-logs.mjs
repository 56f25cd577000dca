// `belay stats --from claude-code` over session logs of 1 GB: time against JSON.parse of every line, and memory; a json hook asked
// of what logs tell by `belay replay --from`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave } from "./measure.mjs";
import { belay } from "./row-replay.mjs";
import { writeSessionLogs } from "./session-log.mjs";

const CHILD = fileURLToPath(new URL("./logs-child.mjs", import.meta.url));

const MB = 1_000_000;
/** MB a second. */
const LEAST_RATE = 150;
/** MiB. */
const MOST_MEMORY = 200;

/** @typedef {{ home: string, project: string, bytes: number, calls: number, files: string[] }} Logs */

/**
 * Logs of so many MB, for as long as `use` takes.
 * @template T
 * @param {number} size
 * @param {(logs: Logs) => Promise<T>} use
 */
async function withLogs(size, use) {
  const home = mkdtempSync(join(tmpdir(), "belay-bench-"));
  try {
    return await use({ home, project: home, ...writeSessionLogs(home, size * MB) });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** @param {Logs} logs */
function counted(logs) {
  const result = belay(["stats", "--from", "claude-code", "--json"], logs);
  const [{ calls, bytes }] = JSON.parse(result.stdout).logs;
  if (calls !== logs.calls || bytes !== logs.bytes)
    throw new Error(`${calls} of ${logs.calls} calls were counted, in ${bytes} of ${logs.bytes} bytes`);
  return result;
}

const SILENT = { hooks: { PreToolUse: [{ hooks: [{ type: "json", json: {} }] }] } };
/** Calls a second. */
const LEAST_CALLS = 5000;

/** Milliseconds in which a json hook is asked of so many calls: from the logs to its decisions. @param {Logs} logs @param {number} calls */
function asked(logs, calls) {
  const config = join(logs.home, "hooks.json");
  writeFileSync(config, JSON.stringify(SILENT));
  const args = ["replay", "--from", "claude-code", "--config", config, "--event", "PreToolUse"];
  // What Claude Code's own hooks refused, this one lets through.
  const { stdout } = belay([...args, "--sample", String(calls), "--yes", "--json"], logs, 2);
  const { hooks, summary } = JSON.parse(stdout);
  if (hooks[0].runs !== calls) throw new Error(`the hook ran ${hooks[0].runs} times, not ${calls}`);
  return summary.ms;
}

/** Milliseconds of a process that only parses every line. @param {Logs} logs */
function parsed({ files }) {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [CHILD, ...files], { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${CHILD} exited with ${status}: ${stderr}`);
  return performance.now() - started;
}

/** @type {import("./report.mjs").Measurement[]} */
export const logRows = [
  ...[200, 1000].map((size) => ({
    isShort: size < 1000,
    name: `belay stats --from claude-code, logs of ${size.toLocaleString("en")} MB`,
    reference: "JSON.parse of every line",
    unit: /** @type {const} */ ("ms"),
    target: { of: /** @type {const} */ ("value"), atMost: Math.floor((size / LEAST_RATE) * 1000) },
    measure: (/** @type {{ quick: boolean }} */ { quick }) =>
      withLogs(size, (logs) =>
        interleave(
          () => counted(logs).ms,
          () => parsed(logs),
          quick ? 2 : 5,
          0,
        ),
      ),
  })),
  {
    isShort: false,
    name: "belay replay --from claude-code, a json hook on 10,000 calls in logs of 270 MB",
    reference: "JSON.parse of every line",
    unit: "ms",
    target: { of: "value", atMost: (10_000 / LEAST_CALLS) * 1000 },
    measure: ({ quick }) =>
      withLogs(270, (logs) =>
        interleave(
          () => asked(logs, 10_000),
          () => parsed(logs),
          quick ? 2 : 5,
          0,
        ),
      ),
  },
  {
    isShort: false,
    name: "memory of belay stats --from claude-code, logs of 1,000 MB",
    reference: "of 100 MB",
    unit: "MiB",
    target: { of: "value", atMost: MOST_MEMORY },
    measure: ({ quick }) =>
      withLogs(1000, (long) =>
        withLogs(100, (short) =>
          interleave(
            () => counted(long).peak,
            () => counted(short).peak,
            quick ? 1 : 3,
            0,
          ),
        ),
      ),
  },
];
