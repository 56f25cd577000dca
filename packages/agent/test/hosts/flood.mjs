// Runs Bash with 100 MB on each stream in turn, after a first call that prints little, and prints how much memory grew.
import { builtInTools } from "@belay/agent";

const bash = builtInTools().find(({ name }) => name === "Bash");
if (!bash) throw new Error("no Bash");
const context = {
  cwd: process.cwd(),
  env: process.env,
  signal: new AbortController().signal,
  warn: () => {},
  id: "call-1",
};
const flood = (/** @type {number} */ bytes, /** @type {string} */ to) =>
  bash.run({ command: `head -c ${bytes} /dev/zero | tr '\\0' x ${to}` }, context);
await flood(1000, "");

const before = process.memoryUsage().rss;
let highest = before;
const watch = setInterval(() => {
  highest = Math.max(highest, process.memoryUsage().rss);
}, 5);
const out = await flood(104_857_600, "");
const err = await flood(104_857_600, ">&2");
clearInterval(watch);
const lengths = [out.response?.stdout, err.response?.stderr].map((text) => String(text).length);
process.stdout.write(JSON.stringify({ lengths, grownMiB: (highest - before) / 1024 / 1024 }));
