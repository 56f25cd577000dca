// The least program that runs a command so many times, so many at a time: node test-child.mjs COMMAND TIMES AT-A-TIME
import { bareSpawn } from "./row-fire.mjs";

const [command = "true", times = "1", parallel = "1"] = process.argv.slice(2);
let left = Number(times);
const row = async () => {
  while (left-- > 0) await bareSpawn(command);
};
await Promise.all(Array.from({ length: Number(parallel) }, row));
