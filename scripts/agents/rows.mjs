// From a run to its row: what the agent made of the hooks' outputs. And from rows to what changed.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.mjs";

/** @typedef {import("./driver.mjs").Driver} Driver */
/** @typedef {import("./probes.mjs").Probe} Probe */
/** What a hook of a row does. @typedef {{ stdout?: string, stderr?: string, exit?: number, sleep?: number, timedOut?: boolean, notFound?: boolean, type?: string, status?: number, setting?: string, localhost?: boolean, throw?: string, set?: object, append?: object, push?: object, ret?: object, confirm?: string }} RowHook */
/** @typedef {Probe & { finished?: number[], about?: string, fired?: boolean, step: string, input?: string, told?: string[], shown?: string[], surface?: "terminal", turn?: string, version: string }} Row */

const TOKEN = /[A-Z]+_TOK\d*/g;
const REWRITES = ["updatedInput", "modifiedArgs", "tool_input", "updated_input", "overrideInput"];
/** What the tool touches, by the input that it ran with. */
const TOUCHED = ["rewritten", "first", "second", "ran"];
/** Milliseconds within which two hooks have finished together. */
const TOGETHER = 150;

/** The role that an event plays for an agent. @param {Driver} driver @param {string} event */
function roleOf({ events, aliases = {} }, event) {
  const name = aliases[event] ?? event;
  return Object.entries(events).find(([, own]) => own === name)?.[0];
}

/** @param {Driver} driver @param {{ installed: string, node: string }} where @param {Probe} probe @returns {Promise<Row>} */
export async function measure(driver, where, probe) {
  const role = roleOf(driver, probe.event);
  const always = probe.id.endsWith("-always");
  // A function that shapes every request is also asked before that for a title.
  const repeats = always || role === "prompt" || (driver.functions && role === undefined);
  const { post } = driver.events;
  const { compacts, shows } = driver;
  const isCompacting = compacts?.event === probe.event;
  // There must be a conversation before one can be made shorter.
  const before = isCompacting
    ? await run(driver, where, {
        prompt: "do it",
        approves: true,
        hooks: [],
        script: () => ({ "": [{ text: "It is done." }] }),
      })
    : undefined;
  const ran = await run(isCompacting ? { ...driver, args: compacts.args } : driver, where, {
    ...(before ? { home: before.home } : {}),
    prompt: "do it",
    approves: probe.approval !== "asks",
    ...(always ? { limit: 30 } : {}),
    script: (tools, project) => ({
      "": [
        {
          text: "I run it.",
          calls: [
            (probe.approval === "asks" && tools.asking ? tools.asking : tools.shell)(
              `touch ${project}/ran.txt`,
            ),
          ],
        },
        { text: "It is done." },
      ],
    }),
    hooks: [
      ...probe.hooks.map(({ timedOut, notFound, type, status, setting, localhost, ...answer }, at) => ({
        event: probe.event,
        name: `probe-${at}`,
        ...(setting ? { setting } : {}),
        ...(localhost ? { localhost } : {}),
        ...(timedOut ? { timeout: 1 } : {}),
        ...(notFound ? { command: "no-such-program-of-a-hook" } : {}),
        ...(type === "http" ? { http: { status: status ?? 200, body: answer.stdout ?? "" } } : {}),
        answers: [{ ...answer, once: !repeats }],
      })),
      ...(role === "post" ? [] : [{ event: post, name: "seen-after" }]),
    ],
  });
  const touched = TOUCHED.find((name) => existsSync(join(ran.project, `${name}.txt`)));
  ran.forget();
  before?.forget();
  if (ran.asked.length === 0 && ran.fired.length === 0)
    throw new Error(`the model was never asked (exit ${ran.exit}): ${printable(ran.stderr || ran.stdout)}`);
  const refused = {
    prompt: !touched,
    stop: ran.asked.length > 2,
    post: false,
    start: false,
    end: false,
    after: ran.asked.length <= 1,
    compact: ran.asked.length === 0,
  }[isCompacting ? "compact" : driver.after?.includes(probe.event) ? "after" : (role ?? "")];
  const input = touched && touched !== "ran" ? touched : rewritten(probe, ran, Boolean(touched));
  const said = ran.asked.map((asked) => asked.said).join("\n");
  const tokens = new Set(JSON.stringify(probe.hooks).match(TOKEN) ?? []);
  const found = (/** @type {string} */ text) =>
    [...tokens].filter((token) => new RegExp(`${token}(?!\\d)`).test(text)).sort();
  const finished = probe.hooks.map((_hook, at) => {
    const time = ran.fired.find(({ label }) => label === `probe-${at}`)?.finished;
    return { at, time: time === undefined ? Number.POSITIVE_INFINITY : time };
  });
  const recorded = probe.hooks.some(({ notFound, type }) => !notFound && type !== "http");
  const fired = ran.fired.some(({ label }) => label.startsWith("probe-"));
  const ends = !isCompacting && role !== "prompt" && role !== "stop" && ran.asked.length <= 1;
  return {
    id: probe.id,
    event: probe.event,
    hooks: probe.hooks,
    ...(finished.length > 1 ? { finished: finished.sort(together).map(({ at }) => at) } : {}),
    ...(probe.approval ? { approval: probe.approval } : {}),
    ...(recorded && !fired ? { fired: false } : {}),
    step: (refused ?? !touched) ? "refused" : "runs",
    ...(input ? { input } : {}),
    told: found(said),
    ...(shows && probe.id.endsWith("-systemMessage") ? { shown: found(shows(ran.stdout)) } : {}),
    ...(ends ? { turn: "ends" } : {}),
    version: driver.version,
  };
}

/** The end of what a program said, for a terminal. @param {string} text */
const printable = (text) => text.slice(-300).replace(/[^ -~]+/g, " ");

/** By time of finishing, and as configured where that is the same. @param {{ at: number, time: number }} a @param {{ at: number, time: number }} b */
const together = (a, b) =>
  a.time === b.time || Math.abs(a.time - b.time) < TOGETHER ? a.at - b.at : a.time - b.time;

/**
 * What became of an input that was given in part: the tool's own check refused it, or it was laid over the first.
 * @param {Probe} probe @param {import("./run.mjs").Ran} ran @param {boolean} touched
 */
function rewritten({ id, hooks }, { fired }, touched) {
  if (!id.includes("partial")) return undefined;
  if (!touched) return "invalid";
  const after = fired.find(({ label }) => label === "seen-after")?.payload ?? "";
  const answer = JSON.parse(hooks[0]?.stdout ?? "{}");
  const inputs = [answer, answer.hookSpecificOutput ?? {}].flatMap((fields) =>
    REWRITES.map((name) => fields[name]),
  );
  const part = JSON.stringify(inputs.find(Boolean) ?? {}).slice(1, -1);
  return part && after.includes(part) ? "merged" : undefined;
}

/** What a row says of the agent, without its version. @param {{ version: string }} row */
const result = ({ version: _version, ...row }) => JSON.stringify(Object.entries(row).sort());

/** @param {{ version: string }} a @param {{ version: string }} b */
export const same = (a, b) => result(a) === result(b);

/** The fields in which two rows differ, in words. @param {{ version: string }} before @param {{ version: string }} after */
export function difference(before, after) {
  const old = /** @type {Record<string, unknown>} */ (before);
  const now = /** @type {Record<string, unknown>} */ (after);
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => name !== "version" && JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    .map((name) => `${name} ${JSON.stringify(old[name]) ?? "–"} → ${JSON.stringify(now[name]) ?? "–"}`)
    .join(", ");
}
