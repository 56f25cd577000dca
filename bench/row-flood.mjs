// A hook that floods stdout: what the engine's memory does meanwhile. Each flood has a fresh process.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { interleave } from "./measure.mjs";

const CHILD = fileURLToPath(new URL("./flood-child.mjs", import.meta.url));
const GIB = 1024 ** 3;
const MB = 1000 ** 2;

/** MiB by which a process grew while its hook wrote this many bytes. @param {number} bytes @param {"on" | "off"} launcher */
export function growthOfFlood(bytes, launcher) {
  return Number(execFileSync(process.execPath, [CHILD, String(bytes), launcher], { encoding: "utf8" }));
}

/** @param {number} ours @param {number} reference @param {number} rounds @param {"on" | "off"} launcher */
function against(ours, reference, rounds, launcher = "off") {
  return interleave(
    () => growthOfFlood(ours, launcher),
    () => growthOfFlood(reference, launcher),
    rounds,
    0,
  );
}

/** @type {import("./report.mjs").Measurement[]} */
export const floodRows = [
  {
    name: "memory growth, a hook writes 1 GiB",
    reference: "a hook that writes 1 MB",
    unit: "MiB",
    target: { of: "value", atMost: 64 },
    measure: ({ quick }) => against(GIB, MB, quick ? 2 : 7),
  },
  {
    name: "memory growth, a hook writes 1 GiB",
    reference: "a hook that writes 128 MB",
    unit: "MiB",
    // "No more than": V8 doubles its young generation once or not, 4 MiB; two floods of one size differ by that.
    target: { of: "difference", atMost: 4 },
    measure: ({ quick }) => against(GIB, 128 * MB, quick ? 3 : 9),
  },
  {
    name: "memory growth through the launcher, a hook writes 1 GiB",
    reference: "a hook that writes 128 MB",
    unit: "MiB",
    target: { of: "value", atMost: 8 },
    measure: ({ quick }) => against(GIB, 128 * MB, quick ? 3 : 9, "on"),
  },
];
