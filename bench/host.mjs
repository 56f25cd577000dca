// A process of a given size that runs hooks, as an agent that has lived for hours does.
import { fork } from "node:child_process";
import { once } from "node:events";
import { freemem } from "node:os";
import { fileURLToPath } from "node:url";

const CHILD = fileURLToPath(new URL("./host-child.mjs", import.meta.url));
export const MB = 1000 ** 2;

/** @typedef {"ours" | "bare" | "gemini" | "idle"} Who */
/**
 * @typedef {object} Order what a host is asked to measure, each contestant in its turn
 * @property {"time" | "frozen"} what milliseconds for all hooks, or the longest stop of the event loop meanwhile
 * @property {string} command
 * @property {number} count hooks at once
 * @property {readonly Who[]} who
 * @property {number} rounds
 * @property {number} warmups
 */
/** @typedef {Partial<Record<Who, number[]>>} HostSamples */
/** @typedef {{ rss: number, measure: (order: Order) => Promise<HostSamples> }} Host */

/** What keeps a host of this size from being measured here. @param {number} bytes @returns {string | undefined} */
export function noRoomFor(bytes) {
  const needed = bytes * 1.3 + 200 * MB;
  if (available() >= needed) return undefined;
  return `needs ${(needed / 1000 / MB).toFixed(1)} GB of free memory, and there are ${(available() / 1000 / MB).toFixed(1)}`;
}

/** What can be had without swapping; freemem leaves the file cache out. */
function available() {
  return "availableMemory" in process ? process.availableMemory() : freemem();
}

/**
 * @template Result
 * @param {{ bytes: number, withPeer?: boolean }} size how large it is, and whether Gemini CLI's runner is loaded in it
 * @param {(host: Host) => Promise<Result>} use
 */
export async function withHost({ bytes, withPeer = false }, use) {
  const child = fork(CHILD, [String(bytes), ...(withPeer ? ["with-peer"] : [])], {
    stdio: ["ignore", 2, 2, "ipc"],
    // In a first shell, bash takes a socket on stdin for a remote login and reads ~/.bashrc: hundreds of milliseconds of it
    // would be counted against Gemini CLI's runner, which uses bash.
    env: { ...process.env, SHLVL: "2" },
  });
  const died = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the host of ${bytes / MB} MB ended with ${signal ?? code}`);
  });
  died.catch(() => {});
  /** @returns {Promise<any>} */
  const reply = async () => (await Promise.race([once(child, "message"), died]))[0];
  try {
    const { rss } = await reply();
    return await use({
      rss,
      measure: (order) => {
        child.send(order);
        return reply();
      },
    });
  } finally {
    if (child.exitCode === null) {
      const gone = once(child, "exit");
      if (child.connected) child.disconnect();
      await gone;
    }
  }
}
