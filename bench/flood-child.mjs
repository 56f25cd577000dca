// Fires one hook that writes this many bytes, in a process of its own, and prints by how many MiB the process grew.
import { readFileSync } from "node:fs";
import { engineWith } from "./row-fire.mjs";

/** The most memory this process ever had. What getrusage tells begins with that of the process that started this one. */
function peakBytes() {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
}

const engine = await engineWith([`head -c ${process.argv[2]} /dev/zero`]);
const before = process.memoryUsage().rss;
const { runs } = await engine.fire();
const peak = peakBytes();
await engine.close();
if (!runs[0]?.truncated || runs[0].exitCode !== 0) throw new Error("the flood was not read to its end");
process.stdout.write(`${(peak - before) / 1024 / 1024}\n`);
