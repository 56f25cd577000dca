// Prints the peak memory, in MiB, of a process that reads a journal: all of it, or its last records.
import { linesFromEnd, linesFromStart } from "@belay/engine/internal";
import { peakBytes } from "./peak.mjs";

const [folder = "", what, shown] = process.argv.slice(2);
let read = 0;
if (what === "all") {
  for await (const line of linesFromStart(folder)) if ("record" in line) read += 1;
} else {
  for (const line of linesFromEnd(folder)) {
    if ("record" in line) read += 1;
    if (read === Number(shown)) break;
  }
}
if (read === 0) throw new Error(`no records in ${folder}`);
process.stdout.write(String(peakBytes() / 1024 / 1024));
