// The logs that an agent wrote of a session, scrubbed and short, as fixtures for those who read logs.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { installed, nodeOf } from "./install.mjs";
import { run } from "./run.mjs";
import { scrubber, shorten } from "./scrub.mjs";
import { SESSION_PROMPT, sessionHooks, sessionScript } from "./session.mjs";

/** @typedef {import("./driver.mjs").Driver} Driver */

const TEXT = /\.(?:jsonl?|yaml|md)$/;
const MAX = 150_000;

/** @param {string} home @param {readonly string[]} folders @param {RegExp} names */
const filesIn = (home, folders, names) =>
  folders
    .map((folder) => join(home, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => relative(home, join(entry.parentPath, entry.name)))
    .sort();

/** Drives a session and writes its logs below `to`, under their paths from the home on. @param {Driver} driver @param {string} to */
export async function saveLogs(driver, to) {
  const where = { installed: installed(driver.name, driver.version), node: nodeOf(driver) };
  const started = Date.now();
  const plan = { hooks: sessionHooks(driver), script: sessionScript, prompt: SESSION_PROMPT, approves: true };
  const { home, exit, timedOut, fired, forget } = await run(driver, where, plan);
  const files = filesIn(home, driver.logs, TEXT);
  if (files.length === 0 || timedOut)
    throw new Error(
      `${driver.name}: no session log below ${home} (exit ${exit}${timedOut ? ", timed out" : ""})`,
    );
  const scrub = scrubber(home, started, driver.ids);
  const texts = files.map((path) => {
    const lines = scrub(readFileSync(join(home, path), "utf8")).split("\n");
    return { path, text: lines.map(shorten).join("\n") };
  });
  rmSync(to, { recursive: true, force: true });
  /** @param {string} path @param {string | Uint8Array} content */
  const save = (path, content) => {
    const file = join(to, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const { size } = statSync(file);
    process.stdout.write(`  ${path}: ${size} bytes${size > MAX ? ", too long for a fixture" : ""}\n`);
  };
  for (const { path, text } of texts) save(scrub(path), text);
  for (const [path, content] of await compressed(driver, where, home, texts, scrub)) save(path, content);
  forget();
  process.stdout.write(`${driver.name} ${driver.version}: ${fired.length} hook runs in this session\n`);
}

/**
 * What the agent makes of a log that has become old: it is given back scrubbed, and the agent is started again.
 * @param {Driver} driver @param {{ installed: string, node: string }} where @param {string} home @param {{ path: string, text: string }[]} texts @param {(text: string) => string} scrub @returns {Promise<[string, Uint8Array][]>}
 */
async function compressed({ compresses, ...driver }, where, home, texts, scrub) {
  if (!compresses) return [];
  for (const { path, text } of texts) {
    const old = join(home, compresses.old(scrub(path)));
    mkdirSync(dirname(old), { recursive: true });
    writeFileSync(old, text);
    utimesSync(old, new Date("2025-01-05T10:00:00Z"), new Date("2025-01-05T10:00:00Z"));
  }
  const args = (/** @type {import("./driver.mjs").Place} */ place, /** @type {string} */ prompt) => [
    ...driver.args(place, prompt),
    ...compresses.args,
  ];
  await run({ ...driver, args }, where, {
    home,
    hooks: [],
    script: ({ shell }) => ({ "": [{ calls: [shell("sleep 3")] }] }),
    prompt: "Wait a little.",
    approves: true,
  });
  return filesIn(home, driver.logs, compresses.names).map((path) => [path, readFileSync(join(home, path))]);
}
