// The host of host.mjs: grows to the size it is given, tells how large it is, then measures what it is asked to.
import { randomFillSync } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { bareSpawn, engineWith, geminiRunner, SETTLED_MS } from "./contestants.mjs";
import { MB } from "./host.mjs";
import { inTurns, longestGap, timeOfAsync } from "./measure.mjs";

const size = Number(process.argv[2]);
const gemini = process.argv[3] === "with-peer" ? await geminiRunner() : undefined;

/** What the node process has by itself, and what a collection may give back or take. */
const SLACK = 50 * MB;

/** Data that no kernel can share or compress, in pieces that stay referenced until the process ends. @type {Buffer[]} */
const ballast = [];
const noise = randomFillSync(Buffer.alloc(MB));
while (process.memoryUsage.rss() < size) {
  noise.writeUInt32LE(ballast.length);
  ballast.push(Buffer.from(noise));
}

function checkSize() {
  const rss = process.memoryUsage.rss();
  const held = ballast.reduce((sum, piece) => sum + piece.length, 0);
  const isAsClaimed = rss >= size * 0.98 && rss <= size * 1.05 + SLACK;
  if (!isAsClaimed)
    throw new Error(`the host is to have ${size / MB} MB and has ${rss / MB}, ${held / MB} of them held`);
  return rss;
}

/** @type {Map<string, Promise<Awaited<ReturnType<typeof engineWith>>>>} */
const engines = new Map();

/** @param {string} command @param {number} count */
function engineFor(command, count) {
  const key = `${count} ${command}`;
  const opened = engines.get(key) ?? openSettled(command, count);
  engines.set(key, opened);
  return opened;
}

/** The third hook starts the companion, which the host hears of some turns of its event loop later. */
const FIRST_HOOKS = 4;

/** An engine that has run hooks before, as in a host that has lived long enough to grow. @param {string} command @param {number} count */
async function openSettled(command, count) {
  const commands = Array.from({ length: count }, () => command);
  const engine = await engineWith(commands, { limits: { maxParallel: Math.max(count, 64) } });
  for (let fired = 0; fired < FIRST_HOOKS; fired += 1) {
    await engine.fire();
    await setTimeout(SETTLED_MS / FIRST_HOOKS);
  }
  return engine;
}

const MEASURES = { time: timeOfAsync, frozen: longestGap };
/** How long an idle loop is watched: about as long as a hook runs. */
const IDLE_MS = 4;

/** @param {import("./host.mjs").Order} order */
async function measure({ what, command, count, who, rounds, warmups }) {
  const { fire } = await engineFor(command, count);
  /** @param {(command: string) => Promise<unknown>} run */
  const all = (run) => () => Promise.all(Array.from({ length: count }, () => run(command)));
  const runs = {
    ours: fire,
    bare: all(bareSpawn),
    gemini: all(gemini ?? (() => Promise.reject(new Error("the host has no peer loaded")))),
    idle: () => setTimeout(IDLE_MS),
  };
  const tasks = who.map((name) => [name, () => MEASURES[what](runs[name])]);
  const samples = await inTurns(Object.fromEntries(tasks), rounds, warmups);
  checkSize();
  return samples;
}

process.on("message", async (order) => {
  process.send?.(await measure(/** @type {import("./host.mjs").Order} */ (order)));
});
process.on("disconnect", async () => {
  for (const engine of engines.values()) await (await engine).close();
  process.exit();
});
process.send?.({ rss: checkSize() });
