// npm run agents -- [name…]: asks the real agents again what they do with what a hook says.
// It is no part of the tests: it installs programs of hundreds of megabytes, and a whole agent takes some minutes.
//
// Each program is installed from npm into a cache folder outside the clone, then driven without a screen against a scripted model.
// It is driven in a network namespace that has loopback alone, with a scratch home and made-up keys. Linux only, for this reason.
import { spawnSync } from "node:child_process";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DRIVERS } from "./agents/drivers/index.mjs";
import { CACHE, installDriver } from "./agents/install.mjs";
import { saveLogs } from "./agents/logs.mjs";
import { measureRows, measureSettingsFiles, readRows, recordPayloads } from "./agents/matrix.mjs";

const HELP = `npm run agents -- [name…]     measures the real agents again: all, or those that are named
  --list             the agents, their versions, how many rows are on disk
  --probe ID         one probe alone; may be given again. Other rows stay as they are
  --version X        another version of one agent
  --logs             a driven session's logs instead, into fixtures/logs/NAME

npm run agents -- verify [name…]     belay verify for the programs in the cache: all, or those that are named

Rows are written to fixtures/agents/NAME.jsonl, payloads to fixtures/agents/payloads/NAME.jsonl, and which hooks of bad settings files run
to fixtures/agents/settings/NAME.jsonl.
Programs are kept in ~/.cache/belay-agents, or in the folder that BELAY_AGENTS_CACHE names.
`;

const self = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));
const INSIDE = "BELAY_AGENTS_INSIDE";

/** @param {string} text @returns {never} */
function refuse(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean" },
    list: { type: "boolean" },
    logs: { type: "boolean" },
    deaths: { type: "boolean" },
    json: { type: "boolean" },
    user: { type: "boolean" },
    probe: { type: "string", multiple: true },
    version: { type: "string" },
  },
});

if (values.help) {
  process.stdout.write(HELP);
  process.exit();
}
const verifies = positionals[0] === "verify";
if (verifies) positionals.shift();
const unknown = positionals.find((name) => !DRIVERS.some((driver) => driver.name === name));
if (unknown)
  refuse(`There is no agent ${unknown} here. There are ${DRIVERS.map(({ name }) => name).join(", ")}.`);
const chosen = DRIVERS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
if (values.version && chosen.length !== 1) refuse("--version is of one agent: name it.");
const drivers = chosen.map((driver) => ({ ...driver, version: values.version ?? driver.version }));

const fixtures = join(root, "fixtures");
const rowsOf = (/** @type {string} */ name) => join(fixtures, "agents", `${name}.jsonl`);

if (values.list) {
  for (const { name, package: own, version } of drivers)
    process.stdout.write(`${name.padEnd(12)} ${own}@${version}, ${readRows(rowsOf(name)).length} rows\n`);
  process.exit();
}

if (!process.env[INSIDE]) {
  try {
    for (const driver of drivers) installDriver(driver);
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
  if (verifies) {
    const flags = process.argv.slice(3).filter((arg) => arg.startsWith("--"));
    const belay = join(root, "packages/cli/bin/belay.js");
    const names = drivers.map(({ name }) => name);
    const { status } = spawnSync(process.execPath, [belay, "verify", ...names, ...flags], {
      stdio: "inherit",
      env: { ...process.env, BELAY_AGENTS_CACHE: CACHE },
    });
    process.exit(status ?? 1);
  }
  const up = 'ip link set lo up && exec "$@"';
  const args = ["-rnpf", "--kill-child", "--mount-proc", "sh", "-c", up, "sh", process.execPath, self];
  const { status, error } = spawnSync("unshare", [...args, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, [INSIDE]: "1" },
  });
  if (error) refuse(`Agents are driven on loopback alone, and unshare is not here: ${error.message}`);
  process.exit(status ?? 1);
}

// The first process of a namespace ends by no signal that it does not ask for; with it ends all that it has started.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

const outside = Object.entries(networkInterfaces()).filter(([, all]) =>
  all?.some(({ internal }) => !internal),
);
if (outside.length > 0)
  refuse(`Agents are driven on loopback alone, and there is ${outside.map(([name]) => name).join(", ")}.`);

/** @type {Record<string, unknown>[]} */
const table = [];
for (const driver of drivers) {
  const started = Date.now();
  try {
    const counts = await measureAgent(driver);
    const seconds = Math.round((Date.now() - started) / 1000);
    table.push({ agent: driver.name, version: driver.version, seconds, ...counts });
    if (counts?.failed) process.exitCode = 1;
  } catch (error) {
    table.push({ agent: driver.name, version: driver.version, error: String(error).slice(0, 80) });
    process.exitCode = 1;
  }
}
console.table(table);

/** @param {import("./agents/driver.mjs").Driver} driver */
async function measureAgent(driver) {
  if (values.logs) return saveLogs(driver, join(fixtures, "logs", driver.name));
  if (values.probe) return measureRows(driver, rowsOf(driver.name), values.probe);
  await recordPayloads(driver, join(fixtures, "agents", "payloads", `${driver.name}.jsonl`));
  const counts = await measureRows(driver, rowsOf(driver.name));
  await measureSettingsFiles(driver, join(fixtures, "agents", "settings", `${driver.name}.jsonl`));
  return counts;
}
