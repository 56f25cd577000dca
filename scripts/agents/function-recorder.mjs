// The recorder for agents whose hooks are functions: a run copies it to hooks/NAME.mjs, and the driver's file calls its default export.
// Like recorder.mjs it imports nothing of ours.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const label = basename(self, ".mjs");
const folder = join(dirname(self), "..", "..", "seen");
let calls = 0;

/** A path into an object, its last name apart. @param {any} target @param {string} path @returns {[any, string]} */
function place(target, path) {
  const names = path.split(".");
  const last = names.pop() ?? "";
  return [names.reduce((object, name) => object[name], target), last];
}

/** What a run may say of `target`: by path, a value that is put there, or added. @type {Record<string, (object: any, name: string, value: any) => void>} */
const CHANGES = {
  set: (object, name, value) => {
    object[name] = value;
  },
  append: (object, name, value) => {
    object[name] += value;
  },
  push: (object, name, value) => object[name].push(value),
};

/** Each object once: what an agent gives its functions may refer to itself. @param {unknown} value */
function asText(value) {
  const seen = new WeakSet();
  return JSON.stringify(value ?? null, (_key, part) => {
    if (typeof part !== "object" || part === null) return part;
    if (seen.has(part)) return undefined;
    seen.add(part);
    return part;
  });
}

/**
 * Writes down the payload, then does with `target` what the run says.
 * @param {any} target @param {unknown} payload @param {any} [context]
 */
export default async function answer(target, payload, context) {
  const started = Date.now();
  calls += 1;
  const { answers } = JSON.parse(readFileSync(join(folder, "run.json"), "utf8"));
  const earlier = readdirSync(folder).filter((name) => name.endsWith(`.${label}.json`)).length;
  const file = join(folder, `${started}-${process.pid}-${calls}.${label}.json`);
  const text = asText(payload);
  /** @param {object} more */
  const write = (more) =>
    writeFileSync(file, JSON.stringify({ label, started, env: {}, payload: text, ...more }));
  write({});
  /** @type {Record<string, any>[]} */
  const known = answers[label] ?? [];
  const said = known.find(({ when, once }) => (!when || text.includes(when)) && !(once && earlier > 0)) ?? {};
  if (said.sleep) await new Promise((resolve) => setTimeout(resolve, said.sleep));
  for (const [verb, change] of Object.entries(CHANGES))
    for (const [path, value] of Object.entries(said[verb] ?? {})) change(...place(target, path), value);
  if (said.confirm && !(await context?.ui?.confirm("hook", said.confirm)))
    said.ret = { block: true, reason: "not confirmed" };
  if (existsSync(folder)) write({ finished: Date.now() });
  if (said.throw !== undefined) throw new Error(said.throw);
  return said.ret;
}
