// The least program that runs a command so many times, so many at a time: node test-child.mjs COMMAND TIMES AT-A-TIME
import { spawn } from "node:child_process";

const [command = "true", times = "1", parallel = "1"] = process.argv.slice(2);
const PAYLOAD = JSON.stringify({ tool_name: "Bash", tool_input: { command: "npm test" } });

/** As contestants.mjs spawns, which loads more than this program should. */
function once() {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", command], { stdio: ["pipe", "pipe", "pipe"] });
    child.stdout.resume();
    child.stderr.resume();
    child.stdin.on("error", () => {});
    child.stdin.end(PAYLOAD);
    child.on("error", reject);
    child.on("exit", resolve);
  });
}

let left = Number(times);
const row = async () => {
  while (left-- > 0) await once();
};
await Promise.all(Array.from({ length: Number(parallel) }, row));
