// Measures an agent's rows and payloads again, writes them, and says what changed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { installed, nodeOf } from "./install.mjs";
import { probesFor } from "./probes.mjs";
import { difference, measure, same } from "./rows.mjs";
import { run } from "./run.mjs";
import { scrubber, shorten } from "./scrub.mjs";
import { SESSION_PROMPT, sessionHooks, sessionScript } from "./session.mjs";
import { measureSettings } from "./settings.mjs";

/** @typedef {import("./driver.mjs").Driver} Driver */
/** @typedef {import("./rows.mjs").Row} Row */
/** @typedef {import("./probes.mjs").Probe} Probe */
/** @typedef {{ event: string, env: Record<string, string>, payload: unknown, version: string }} Payload */

const ATTEMPTS = 3;

/** The lines that rows were read from: a row that has not changed is written as it stood. @type {WeakMap<object, string>} */
const lines = new WeakMap();

/** @template {object} T @param {string} file @returns {T[]} */
export function readRows(file) {
  if (!existsSync(file)) return [];
  const read = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return read.map((line) => {
    const row = JSON.parse(line);
    lines.set(row, line);
    return row;
  });
}

/** @param {string} file @param {readonly object[]} rows */
function writeRows(file, rows) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, rows.map((row) => `${lines.get(row) ?? JSON.stringify(row)}\n`).join(""));
}

/** @param {Driver} driver */
const whereOf = (driver) => ({ installed: installed(driver.name, driver.version), node: nodeOf(driver) });

/** Measures the rows of an agent: those on disk, and probes that it lacks. Returns how many are as before, changed, new, made by hand, or could not be measured. @param {Driver} driver @param {string} file @param {readonly string[]} [only] */
export async function measureRows(driver, file, only) {
  /** @type {Row[]} */
  const disk = readRows(file);
  /** @param {Probe} probe */
  const asked = ({ event, hooks, approval }) => JSON.stringify([event, hooks, approval]);
  const known = new Set(disk.flatMap((row) => [row.id, asked(row)]));
  const wanted = (/** @type {{ id: string }} */ { id }) => !only || only.includes(id);
  const table = probesFor(driver);
  const says = (/** @type {Probe} */ { hooks }) => hooks.some((hook) => Object.keys(hook).length > 0);
  const probes = [
    // A row that does not say what its hooks did is asked again as the table has it.
    ...disk.map((row) => (says(row) ? row : (table.find(({ id }) => id === row.id) ?? row))),
    ...table.filter((probe) => !known.has(probe.id) && !known.has(asked(probe))),
  ];
  const where = whereOf(driver);
  const counts = { same: 0, changed: 0, new: 0, kept: 0, failed: 0 };
  /** @type {(Row | undefined)[]} */
  const rows = [];
  for (const probe of probes) {
    const before = disk.find(({ id }) => id === probe.id);
    // Where a hook stands is no output, and nobody sits before a terminal: such rows are made by hand.
    if (!wanted(probe) || before?.about || before?.surface || !(says(probe) || probe.id.endsWith("-none"))) {
      rows.push(before);
      if (wanted(probe)) counts.kept += 1;
      continue;
    }
    try {
      const after = await agreed(() => measure(driver, where, probe), before);
      const kind = before ? (same(before, after) ? "same" : "changed") : "new";
      rows.push(before && kind === "same" && before.version === after.version ? before : after);
      counts[kind] += 1;
      if (before && kind === "changed")
        process.stdout.write(`  ${probe.id}: ${difference(before, after)}${since(before, after)}\n`);
      if (kind === "new") process.stdout.write(`  ${probe.id}: new, ${after.step}\n`);
    } catch (error) {
      rows.push(before);
      counts.failed += 1;
      process.stdout.write(
        `  ${probe.id}: not measured, ${error instanceof Error ? error.message : error}\n`,
      );
    }
    writeRows(
      file,
      [...rows, ...disk.slice(rows.length)].filter((row) => row !== undefined),
    );
  }
  return counts;
}

/** @param {{ version: string }} before @param {{ version: string }} after */
const since = (before, after) => (before.version === after.version ? "" : ` (since ${before.version})`);

/**
 * A result that differs from the one on disk counts when it is measured twice: a slow machine can lose a hook.
 * @template {{ version: string }} R @param {() => Promise<R>} once @param {R | undefined} before
 */
async function agreed(once, before) {
  /** @type {R[]} */
  const seen = before ? [before] : [];
  for (let attempt = 1; ; attempt += 1) {
    const row = await once();
    if (seen.some((earlier) => same(earlier, row)) || attempt === ATTEMPTS) return row;
    seen.push(row);
  }
}

/** Measures which hooks of a bad settings file run, for an agent that says how it is asked. @param {Driver} driver @param {string} file */
export async function measureSettingsFiles(driver, file) {
  if (!driver.settingsFiles) return;
  /** @type {import("./settings.mjs").SettingsRow[]} */
  const disk = readRows(file);
  const where = whereOf(driver);
  const counts = { same: 0, changed: 0, new: 0 };
  /** @type {import("./settings.mjs").SettingsRow[]} */
  const rows = [];
  for (const [id, settings] of driver.settingsFiles.probes) {
    const before = disk.find((row) => row.id === id);
    const after = await agreed(() => measureSettings(driver, where, { id, settings }), before);
    const kind = before ? (same(before, after) ? "same" : "changed") : "new";
    rows.push(before && kind === "same" && before.version === after.version ? before : after);
    counts[kind] += 1;
    if (before && kind === "changed")
      process.stdout.write(`  ${id}: ${difference(before, after)}${since(before, after)}\n`);
  }
  writeRows(file, rows);
  process.stdout.write(
    `${driver.name} ${driver.version}: ${counts.same} settings files as before, ${counts.changed} changed, ${counts.new} new\n`,
  );
}

/** Records a session with a hook on every event, and keeps the first payload of each event and tool. @param {Driver} driver @param {string} file */
export async function recordPayloads(driver, file) {
  const started = Date.now();
  const answering = sessionHooks(driver);
  const all = [
    ...Object.values(driver.events).filter((event) => event !== undefined),
    ...(driver.others ?? []),
  ];
  const silent = all.filter((event) => !answering.some((hook) => hook.event === event));
  const ran = await run(driver, whereOf(driver), {
    hooks: [...answering, ...silent.map((event) => ({ event, name: `see-${event}` }))],
    script: sessionScript,
    prompt: SESSION_PROMPT,
    approves: true,
  });
  const eventOf = (/** @type {string} */ label) =>
    label.startsWith("see-") ? label.slice(4) : (answering.find(({ name }) => name === label)?.event ?? "");
  ran.forget();
  const scrub = scrubber(ran.home, started, driver.ids);
  /** @type {Map<string, Payload>} */
  const payloads = new Map();
  for (const { label, env, payload } of ran.fired) {
    const event = eventOf(label);
    const read = JSON.parse(scrub(payload) || "null");
    const key = [event, read?.tool_name ?? read?.toolName ?? "", read?.source ?? ""].join(" ");
    if (!payloads.has(key))
      payloads.set(key, {
        event,
        env: JSON.parse(scrub(JSON.stringify(env))),
        payload: read,
        version: driver.version,
      });
  }
  /** @type {Payload[]} */
  const before = readRows(file);
  /** @type {Payload[]} */
  const now = [...payloads.values()].map((payload) => JSON.parse(shorten(JSON.stringify(payload))));
  const changed = changes(before, now);
  for (const line of changed) process.stdout.write(`  ${line}\n`);
  // Process ids and durations differ each time, and say nothing.
  const isNew = before.length !== now.length || before.some(({ version }) => version !== driver.version);
  if (isNew || changed.length > 0) writeRows(file, now);
  process.stdout.write(
    `${driver.name} ${driver.version}: ${now.length} payloads of ${new Set(now.map(({ event }) => event)).size} events\n`,
  );
}

/** Which events, payload fields and variables have come and gone. @param {Payload[]} before @param {Payload[]} now */
function changes(before, now) {
  if (before.length === 0) return [];
  /** @param {Payload[]} all @returns {Set<string>} */
  const names = (all) =>
    new Set(
      all.flatMap(({ event, env, payload }) => [
        `event ${event}`,
        ...Object.keys(payload ?? {}).map((field) => `field ${event}.${field}`),
        ...Object.keys(env).map((variable) => `variable ${variable}`),
      ]),
    );
  const [old, current] = [names(before), names(now)];
  return [
    ...[...current].filter((name) => !old.has(name)).map((name) => `${name} has come`),
    ...[...old].filter((name) => !current.has(name)).map((name) => `${name} has gone`),
  ];
}
