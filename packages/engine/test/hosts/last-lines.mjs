// Reads the last lines of a journal and prints how many came and how much memory grew: node last-lines.mjs <folder> <count>
import { linesFromEnd } from "@belay/engine/internal";
import { whileGrowing } from "./grown.mjs";

const [folder = "", count] = process.argv.slice(2);
const { result, grownMiB } = await whileGrowing(async () => {
  const lines = linesFromEnd(folder);
  return Array.from({ length: Number(count) }, () => lines.next()).filter(({ done }) => !done).length;
});
process.stdout.write(JSON.stringify({ lines: result, grownMiB }));
