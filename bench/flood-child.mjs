// Fires one hook that writes this many bytes, in a process of its own, and prints by how many MiB the process grew. With "on"
// as the second argument the launcher runs it, which has run a hook before.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineWith } from "./contestants.mjs";
import { peakBytes } from "./peak.mjs";

/** From here on; elsewhere the most since the start is told, which is never less. */
function forgetPeak() {
  if (process.platform === "linux") writeFileSync("/proc/self/clear_refs", "5");
}

const [, , bytes, launcher] = process.argv;
const folder = mkdtempSync(join(tmpdir(), "belay-bench-"));
const size = join(folder, "size");
const engine = await engineWith([`head -c "$(cat ${size})" /dev/zero`], {
  launcher: launcher === "on" ? "on" : "off",
});
if (launcher === "on") {
  writeFileSync(size, "1");
  await engine.fire();
}
writeFileSync(size, String(bytes));
forgetPeak();
const before = process.memoryUsage().rss;
const { runs } = await engine.fire();
const peak = peakBytes();
await engine.close();
rmSync(folder, { recursive: true, force: true });
const [run] = runs;
if (run?.exitCode !== 0 || (run.stdout.length !== Number(bytes) && !run.truncated))
  throw new Error("the flood was not read to its end");
process.stdout.write(`${Math.max(0, peak - before) / 1024 / 1024}\n`);
