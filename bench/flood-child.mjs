// Fires one hook that writes this many bytes, in a process of its own, and prints by how many MiB the process grew.
import { engineWith } from "./row-fire.mjs";

const engine = await engineWith([`head -c ${process.argv[2]} /dev/zero`]);
const before = process.memoryUsage().rss;
const { runs } = await engine.fire();
const peak = process.resourceUsage().maxRSS * 1024;
await engine.close();
if (!runs[0]?.truncated || runs[0].exitCode !== 0) throw new Error("the flood was not read to its end");
process.stdout.write(`${(peak - before) / 1024 / 1024}\n`);
