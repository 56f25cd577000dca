// Parses every line of the files that are named, and nothing else: what a reader of session logs would take at least.
import { readFileSync } from "node:fs";

for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, "utf8");
  for (let start = 0, end = text.indexOf("\n"); end >= 0; start = end + 1, end = text.indexOf("\n", start))
    JSON.parse(text.slice(start, end));
}
