// The hook that a driven agent calls: writes down the payload and the agent's own variables, and answers as the run says.
// A run copies it to hooks/NAME.mjs in the scratch home, so it imports nothing of ours.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const label = basename(self, ".mjs");
const folder = join(dirname(self), "..", "..", "seen");
const started = Date.now();
const payload = readFileSync(0, "utf8");
const { answers, given } = JSON.parse(readFileSync(join(folder, "run.json"), "utf8"));

const earlier = readdirSync(folder).filter((name) => name.endsWith(`.${label}.json`)).length;
const file = join(folder, `${started}-${process.pid}.${label}.json`);
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in given)));
/** @param {object} more */
const write = (more) => writeFileSync(file, JSON.stringify({ label, started, env, payload, ...more }));
write({});

/** @type {{ when?: string, once?: boolean, stdout?: string, stderr?: string, exit?: number, sleep?: number }[]} */
const known = answers[label] ?? [];
const answer =
  known.find(({ when, once }) => (!when || payload.includes(when)) && !(once && earlier > 0)) ?? {};
if (answer.sleep) await new Promise((resolve) => setTimeout(resolve, answer.sleep));
if (existsSync(folder)) write({ finished: Date.now() });
if (answer.stderr) process.stderr.write(answer.stderr);
if (answer.stdout) process.stdout.write(answer.stdout);
process.exitCode = answer.exit ?? 0;
