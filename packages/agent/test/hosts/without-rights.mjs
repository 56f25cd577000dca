// Calls tools as a user to whom files can be forbidden: the superuser may read and write everything.
// Arguments: the working folder, and the calls as JSON: [[tool, input], ...]. Prints their results.
import { builtInTools } from "@belay/agent";

const [cwd = "", calls = "[]"] = process.argv.slice(2);
const context = { cwd, env: process.env, signal: new AbortController().signal, warn: () => {}, id: "call-1" };
// Everything is loaded by now, or at the first pattern: the clone itself may be out of the new user's reach.
const byName = new Map(builtInTools().map((tool) => [tool.name, tool]));
await byName.get("Grep")?.run({ pattern: "a+", glob: "*.none" }, context);
if (process.getuid?.() === 0) process.setuid?.(65_534);

const results = [];
for (const [name, input] of JSON.parse(calls)) results.push(await byName.get(name)?.run(input, context));
process.stdout.write(JSON.stringify(results));
