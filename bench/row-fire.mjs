// fire() against bare spawns: what the engine adds to the price of a process.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createEngine } from "@belay/engine";
import { interleave, timeOfAsync } from "./measure.mjs";

const EVENT = "PreToolUse";
/** A config that was just written is read again for every event: an edit may follow within the same tick of the clock. */
const SETTLED_MS = 3500;
const CALL = { tool_name: "Bash", tool_input: { command: "npm test" } };

/**
 * The least a program can do to run a hook: three pipes, the payload on stdin, both outputs read, the exit awaited.
 *
 * @param {string} command
 */
export function bareSpawn(command) {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", command], { stdio: ["pipe", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(CALL));
    child.on("error", reject);
    child.on("exit", resolve);
  });
}

/**
 * An engine in a scratch home, journal and all, with these commands as hooks of one event.
 *
 * @param {readonly string[]} commands
 * @param {Partial<import("@belay/engine").Limits>} limits
 */
export async function engineWith(commands, limits = {}) {
  const home = mkdtempSync(join(tmpdir(), "belay-bench-"));
  const config = join(home, "hooks.json");
  // A name each: equal handlers would run once.
  const hooks = commands.map((command, index) => ({ type: "command", command, name: `hook ${index}` }));
  writeFileSync(config, JSON.stringify({ hooks: { [EVENT]: [{ hooks }] } }));
  const engine = await createEngine({ cwd: home, home, configFiles: [config], limits });
  return {
    fire: async () => {
      const outcome = await engine.fire(EVENT, CALL);
      const ended = outcome.runs.filter(({ exitCode }) => exitCode !== undefined).length;
      if (ended !== commands.length) throw new Error(`${ended} of ${commands.length} hooks ran to their end`);
      return outcome;
    },
    close: async () => {
      await engine.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** @param {string} command @param {number} count @param {number} rounds */
async function against(command, count, rounds) {
  const commands = Array.from({ length: count }, () => command);
  const engine = await engineWith(commands, { maxParallel: count });
  await setTimeout(SETTLED_MS);
  try {
    return await interleave(
      () => timeOfAsync(engine.fire),
      () => timeOfAsync(() => Promise.all(commands.map(bareSpawn))),
      rounds,
    );
  } finally {
    await engine.close();
  }
}

/** @type {import("./report.mjs").Measurement[]} */
export const fireRows = [
  {
    name: "fire(), one `true` hook",
    reference: 'spawn("sh", ["-c", "true"])',
    unit: "ms",
    target: { of: "ratio", atMost: 1.15 },
    measure: ({ quick }) => against("true", 1, quick ? 60 : 400),
  },
  {
    name: "fire(), 100 hooks `sleep 0.05`, maxParallel 100",
    reference: "100 such spawns at once",
    unit: "ms",
    target: { of: "ratio", atMost: 1.15 },
    measure: ({ quick }) => against("sleep 0.05", 100, quick ? 5 : 20),
  },
];
