// npm run soak [-- --minutes 1]: two writers at 200 events a second each, one of them killed with -9 again and again, and a
// reader that follows. Every record whose fire() had resolved must be in the journal, and must have been followed, and each
// writer must have written enough. The same file is the writer: node soak.mjs writer <folder> <name>.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createEngine } from "@belay/engine";
import { followJournal, linesFromStart } from "@belay/engine/internal";

const SELF = fileURLToPath(import.meta.url);
const WRITERS = 2;
const EVENTS_A_SECOND = 200;
const KILLS = 20;
/** Mostly short records; one in so many is longer than a page, and a kill can tear it. */
const LONG_ONE_IN = 50;
/** Of the events that are due of a writer, so many must be acknowledged: nothing is shown by a journal that nobody writes. */
const ENOUGH = 0.5;
/** Files of 8 MiB, none of which goes before the end. */
const JOURNAL_BYTES = 16 * 1024 ** 3;

if (process.argv[2] === "writer") await write(process.argv[3] ?? "", process.argv[4] ?? "");
else process.exitCode = await soak();

/** Fires at a steady rate, and prints the id of each event when it is done. @param {string} root @param {string} name */
async function write(root, name) {
  const engine = await createEngine({
    cwd: root,
    home: root,
    configFiles: [join(root, "hooks.json")],
    journal: join(root, "journal"),
    limits: { journalBytes: JOURNAL_BYTES },
  });
  const started = performance.now();
  for (let count = 0; ; count += 1) {
    const early = started + (count * 1000) / EVENTS_A_SECOND - performance.now();
    if (early > 0) await sleep(early);
    const id = `${name}.${count}`;
    const content = "x".repeat(count % LONG_ONE_IN === 0 ? 60_000 : 200);
    await engine.fire("PreToolUse", { tool_name: "Write", tool_input: { content }, tool_use_id: id });
    writeSync(1, `${id}\n`);
  }
}

async function soak() {
  const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } } });
  const seconds = Number(values.minutes) * 60;
  if (!(seconds > 0)) {
    process.stderr.write(`soak: --minutes ${values.minutes} is no length of time\n`);
    return 1;
  }
  const root = mkdtempSync(join(tmpdir(), "belay-soak-"));
  const folder = join(root, "journal");
  mkdirSync(join(root, ".git"));
  const hooks = { PreToolUse: [{ hooks: [{ type: "json", json: { systemMessage: "seen" } }] }] };
  writeFileSync(join(root, "hooks.json"), JSON.stringify({ hooks }));
  /** @type {Set<string>} */
  const acknowledged = new Set();
  const follower = follow(folder);
  try {
    const places = Array.from({ length: WRITERS }, (_, index) => writerPlace(root, index, acknowledged));
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Not on the second: a kill is to fall on any step of a write.
      await sleep((seconds * 1000) / KILLS + Math.random() * 5);
      await places[kill % WRITERS]?.replace();
    }
    const due = EVENTS_A_SECOND * seconds;
    const behind = () => places.filter(({ count }) => count() < due * ENOUGH);
    // A machine that is slow, or busy, has as long again: how fast it is, is not what is tested.
    const last = performance.now() + seconds * 1000;
    while (behind().length > 0 && performance.now() < last) await sleep(100);
    await Promise.all(places.map(({ end }) => end()));
    const { seen, torn, twice } = await read(folder);
    await follower.saw(seen.size);
    const lost = [...acknowledged].filter((id) => !seen.has(id));
    const unfollowed = [...seen].filter((id) => !follower.seen.has(id));
    process.stdout.write(
      `soak: ${seconds} s, ${WRITERS} writers, ${KILLS} kills; ${acknowledged.size} acknowledged, ${seen.size} recorded, ` +
        `${torn} torn; lost: ${lost.length}, twice: ${twice}, not followed: ${unfollowed.length}\n`,
    );
    for (const { index, count } of behind())
      process.stdout.write(
        `soak: too little was written by writer ${index}: ${count()} of ${due} events, in up to twice their time; ` +
          "what it wrote to stderr is above, or the machine is too busy: try it alone\n",
      );
    return lost.length + twice + unfollowed.length + behind().length === 0 ? 0 : 1;
  } finally {
    await follower.end();
    rmSync(root, { recursive: true, force: true });
  }
}

/** A writer, and the next one in its place when it was killed. @param {string} root @param {number} index @param {Set<string>} acknowledged */
function writerPlace(root, index, acknowledged) {
  let generation = 0;
  let count = 0;
  let running = start();
  function start() {
    const child = spawn(process.execPath, [SELF, "writer", root, `${index}.${generation}`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    generation += 1;
    const closed = new Promise((resolve) => child.once("close", resolve));
    createInterface({ input: child.stdout }).on("line", (id) => {
      acknowledged.add(id);
      count += 1;
    });
    return { child, closed };
  }
  const end = async () => {
    running.child.kill("SIGKILL");
    await running.closed;
  };
  return {
    index,
    count: () => count,
    end,
    replace: async () => {
      await end();
      running = start();
    },
  };
}

/** @param {import("@belay/engine/internal").JournalLine} line */
function idIn(line) {
  return "record" in line ? String(line.record.payload.tool_use_id) : undefined;
}

/** @param {string} folder */
function follow(folder) {
  let isOver = false;
  /** @type {Set<string>} */
  const seen = new Set();
  const follower = followJournal(folder);
  const over = (async () => {
    while (!isOver) {
      const { lines, more } = follower.look();
      for (const id of lines.map(idIn)) if (id !== undefined) seen.add(id);
      if (!more) await sleep(100);
    }
  })();
  return {
    seen,
    /** Waits until it has caught up. @param {number} count */
    saw: async (count) => {
      for (let tries = 0; tries < 100 && seen.size < count; tries += 1) await sleep(50);
    },
    end: () => {
      isOver = true;
      return over;
    },
  };
}

/** @param {string} folder */
async function read(folder) {
  /** @type {Set<string>} */
  const seen = new Set();
  let torn = 0;
  let twice = 0;
  for await (const line of linesFromStart(folder)) {
    const id = idIn(line);
    if (id === undefined) torn += 1;
    else if (seen.has(id)) twice += 1;
    else seen.add(id);
  }
  return { seen, torn, twice };
}
