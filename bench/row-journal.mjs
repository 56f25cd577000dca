// `belay tail` over a journal of 1,000,000 records, and the whole of it read from its start: time, and memory.
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { journalFolder } from "@belay/engine/internal";
import { interleave, timeOf } from "./measure.mjs";

const BELAY = fileURLToPath(new URL("../packages/cli/bin/belay.js", import.meta.url));
const CHILD = fileURLToPath(new URL("./journal-child.mjs", import.meta.url));

const SHOWN = 100;
const FILE_BYTES = 8 * 1024 * 1024;

/** A record of about 1 KB, as one call of a tool with one hook leaves it. @param {number} index */
export function recordLine(index) {
  const cwd = "/home/someone/project";
  const run = { exitCode: 0, stdout: "", stderr: "", executionTime: 2.5, timedOut: false, truncated: false };
  const payload = {
    session_id: "3f0c8a52-6f0e-4a3d-9d8e-0d1f6c0b7a11",
    transcript_path: "/dev/null",
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: `npm test -- ${index} ${"x".repeat(250)}` },
    tool_use_id: `toolu_${index}`,
  };
  const record = {
    version: 1,
    id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    time: "2026-01-01T00:00:00.000Z",
    event: "PreToolUse",
    dialect: "wave",
    session: payload.session_id,
    cwd,
    hooks: [
      { name: "guard", onFailure: "continue", mode: "enforce", source: "hooks.json:3", dialect: "wave", run },
    ],
    context: {},
    extra: [],
    outcome: {
      event: "PreToolUse",
      dialect: "wave",
      action: "continue",
      blocked: false,
      decision: { kind: "none" },
      messages: [],
      diagnostics: [],
    },
    payload,
  };
  return `${JSON.stringify(record)}\n`;
}

/** Writes a journal as the engine cuts it: files of 8 MB. @param {string} folder @param {number} records */
function writeJournal(folder, records) {
  mkdirSync(folder, { recursive: true });
  let part = -1;
  let file = 0;
  let left = 0;
  const BATCH = 1000;
  for (let from = 0; from < records; from += BATCH) {
    if (left <= 0) {
      if (file) closeSync(file);
      part += 1;
      const suffix = part === 0 ? "" : `.part-${String(part).padStart(4, "0")}`;
      file = openSync(join(folder, `2026-01-01${suffix}.jsonl`), "a");
      left = FILE_BYTES;
    }
    const length = Math.min(BATCH, records - from);
    left -= writeSync(file, Array.from({ length }, (_, index) => recordLine(from + index)).join(""));
  }
  if (file) closeSync(file);
}

/**
 * A project with a journal of so many records, for as long as `use` takes.
 * @template T
 * @param {number} records
 * @param {(place: { home: string, project: string, folder: string }) => Promise<T>} use
 */
export async function withJournal(records, use) {
  const home = mkdtempSync(join(tmpdir(), "belay-bench-"));
  const project = join(home, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const folder = journalFolder(project, home);
  try {
    writeJournal(folder, records);
    return await use({ home, project, folder });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

// Extra certificates are parsed at every start of Node and would hide both numbers.
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;

/** @param {readonly string[]} args @param {{ home: string, project: string }} place */
function start(args, { home, project }) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    env: { ...env, HOME: home, COLUMNS: "100" },
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`node ${args.join(" ")} exited with ${status}: ${stderr}`);
  return stdout;
}

/** @param {number} records @param {number} rounds */
function tailAgainstNode(records, rounds) {
  return withJournal(records, (place) =>
    interleave(
      () =>
        timeOf(() => {
          const lines = start([BELAY, "tail", "-n", String(SHOWN)], place).split("\n").length - 1;
          if (lines !== Math.min(SHOWN, records)) throw new Error(`${lines} lines were shown`);
        }, 1),
      () => timeOf(() => start(["-e", "0"], place), 1),
      rounds,
    ),
  );
}

/** MiB at the peak of a fresh process that reads all, or the end of it. @param {"all" | "end"} what @param {number} more @param {number} fewer @param {number} rounds */
function memoryAgainst(what, more, fewer, rounds) {
  return withJournal(more, (long) =>
    withJournal(fewer, (short) => {
      const peak = (/** @type {typeof long} */ place) =>
        Number(start([CHILD, place.folder, what, String(SHOWN)], place));
      return interleave(
        () => peak(long),
        () => peak(short),
        rounds,
        0,
      );
    }),
  );
}

const MILLION = 1_000_000;

/** @type {import("./report.mjs").Measurement[]} */
export const journalRows = [
  ...[1, 1000, MILLION].map((records) => ({
    name: `belay tail -n ${SHOWN}, a journal of ${records.toLocaleString("en")}`,
    reference: "node -e 0",
    unit: /** @type {const} */ ("ms"),
    target: { of: /** @type {const} */ ("value"), atMost: 200 },
    isShort: records < MILLION,
    measure: (/** @type {{ quick: boolean }} */ { quick }) => tailAgainstNode(records, quick ? 5 : 20),
  })),
  {
    name: `memory of reading the last ${SHOWN} of 1,000,000 records`,
    reference: "of 1,000",
    unit: "MiB",
    target: { of: "difference", atMost: 4 },
    isShort: false,
    measure: ({ quick }) => memoryAgainst("end", MILLION, 1000, quick ? 3 : 7),
  },
  {
    name: "memory of reading 1,000,000 records from the first",
    // Fewer would not fill V8's young generation, which grows to its bound and no further.
    reference: "250,000",
    unit: "MiB",
    target: { of: "difference", atMost: 8 },
    isShort: false,
    measure: ({ quick }) => memoryAgainst("all", MILLION, 250_000, quick ? 1 : 3),
  },
];
