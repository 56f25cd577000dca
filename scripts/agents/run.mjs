// One run of a real agent: a scratch home, a scripted model, a recorder as each hook, and what is seen of it.
import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startModel } from "./model-server.mjs";
import { PROJECT } from "./probes.mjs";

/** @typedef {import("./driver.mjs").Driver} Driver */
/** What one hook says. @typedef {{ when?: string | undefined, once?: boolean | undefined, stdout?: string | undefined, stderr?: string | undefined, exit?: number | undefined, sleep?: number | undefined, throw?: string, set?: object, append?: object, push?: object, ret?: object, confirm?: string }} Answer */
/**
 * One hook of a run: who calls it, and what it says. `command` replaces the recorder.
 * @typedef {{ event: string, name?: string, answers?: Answer[], timeout?: number, setting?: string, localhost?: boolean, command?: string, http?: import("./model-server.mjs").HttpAnswer }} RunHook
 */
/** @typedef {{ label: string, started: number, finished?: number, env: Record<string, string>, payload: string }} Fired */
/** @typedef {{ home: string, project: string, exit: number | undefined, timedOut: boolean, stdout: string, stderr: string, fired: Fired[], asked: import("./model-server.mjs").Asked[], other: string[], forget: () => void }} Ran */

const RECORDER = fileURLToPath(new URL("recorder.mjs", import.meta.url));
const FUNCTION_RECORDER = fileURLToPath(new URL("function-recorder.mjs", import.meta.url));
const MAX_OUTPUT = 4_000_000;

/**
 * Runs an agent once in a scratch home, which stays until `forget` is called. `program` is the agent where it is not the installed one;
 * `prepare` comes when its files are written and it is not yet started.
 * @param {Driver} driver
 * @param {{ installed: string, node: string, program?: string }} where
 * @param {{ hooks: RunHook[], script: (tools: import("./driver.mjs").Tools, project: string) => import("./model-server.mjs").Script, prompt: string, approves: boolean, limit?: number, home?: string, prepare?: (place: { home: string, project: string, env: Record<string, string> }) => void }} plan
 * @returns {Promise<Ran>}
 */
export async function run(driver, where, plan) {
  const home = plan.home ?? join(mkdtempSync(join(tmpdir(), "belay-agents-")), "home");
  const project = join(home, "project");
  const seen = join(home, "..", "seen");
  for (const folder of [project, seen, join(home, ".tmp"), join(home, "hooks")])
    mkdirSync(folder, { recursive: true });

  const here = (/** @type {string} */ text) => text.replaceAll(PROJECT, project);
  const http = plan.hooks.flatMap(({ http: answer }) =>
    answer ? [{ ...answer, body: here(answer.body) }] : [],
  );
  const script = JSON.parse(here(JSON.stringify(plan.script(driver.tools, project))));
  const model = await startModel(script, http, driver.answers, driver.aside);
  const place = {
    home,
    project,
    url: model.url,
    port: new URL(model.url).port,
    installed: where.installed,
    approves: plan.approves,
  };
  const env = {
    HOME: home,
    LANG: "C.UTF-8",
    PATH: where.program ? (process.env.PATH ?? "") : `${dirname(where.node)}:/usr/local/bin:/usr/bin:/bin`,
    TERM: "dumb",
    TZ: "UTC",
    TMPDIR: join(home, ".tmp"),
  };

  /** @type {import("./driver.mjs").Hooks} */
  const hooks = {};
  /** @type {Record<string, Answer[]>} */
  const answers = {};
  let urls = 0;
  plan.hooks.forEach((hook, at) => {
    const label = hook.name ?? `${hook.event}-${at}`;
    answers[label] = hook.answers ?? [];
    const file = join(home, "hooks", `${label}.mjs`);
    if (!hook.http && !hook.command) copyFileSync(driver.functions ? FUNCTION_RECORDER : RECORDER, file);
    const target = hook.http
      ? { url: `${model.url}/hook/${urls++}` }
      : { command: hook.command ?? `node ${file}` };
    const timeout = hook.timeout && (driver.unit === "ms" ? hook.timeout * 1000 : hook.timeout);
    hooks[hook.event] = [
      ...(hooks[hook.event] ?? []),
      {
        ...target,
        ...(driver.functions ? { module: file } : {}),
        ...(timeout ? { timeout } : {}),
        ...(hook.setting ? { setting: hook.setting } : {}),
        ...(hook.localhost ? { localhost: true } : {}),
      },
    ];
  });
  Object.assign(env, driver.env(place, hooks));
  const shell = { PWD: "", OLDPWD: "", SHLVL: "", _: "" };
  writeFileSync(join(seen, "run.json"), here(JSON.stringify({ answers, given: { ...env, ...shell } })));
  for (const [path, text] of Object.entries(driver.files(place, hooks))) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text, { mode: 0o755 });
  }

  try {
    plan.prepare?.({ home, project, env });
  } catch (error) {
    model.close();
    throw error;
  }
  const program = where.program ?? join(where.installed, driver.program);
  const [command, ...args] = driver.node && !where.program ? [where.node, program] : [program];
  const ended = await finish(
    spawn(command, [...args, ...driver.args(place, plan.prompt)], {
      cwd: project,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    }),
    (plan.limit ?? driver.limit) * 1000,
  );
  model.close();
  return {
    home,
    project,
    ...ended,
    ...firedIn(seen),
    asked: model.asked,
    other: model.other,
    forget: () => rmSync(dirname(home), { recursive: true, force: true }),
  };
}

/**
 * Waits for a process, and kills its group when the time is up or when it leaves children behind.
 * @param {import("node:child_process").ChildProcess} child @param {number} limit @returns {Promise<Pick<Ran, "exit" | "timedOut" | "stdout" | "stderr">>}
 */
function finish(child, limit) {
  const text = { stdout: "", stderr: "" };
  for (const name of /** @type {const} */ (["stdout", "stderr"]))
    child[name]?.setEncoding("utf8").on("data", (chunk) => {
      if (text[name].length < MAX_OUTPUT) text[name] += chunk;
    });
  const killGroup = () => {
    try {
      if (child.pid) process.kill(-child.pid, "SIGKILL");
    } catch {
      // The group has ended by itself.
    }
  };
  return new Promise((resolve, reject) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup();
    }, limit);
    child.on("error", reject);
    child.on("exit", (code) => {
      clearTimeout(timer);
      killGroup();
      setImmediate(() => resolve({ exit: code ?? undefined, timedOut, ...text }));
    });
  });
}

/** What the recorders wrote down, in the order in which they were called. @param {string} folder @returns {{ fired: Fired[] }} */
function firedIn(folder) {
  if (!existsSync(folder)) return { fired: [] };
  const fired = readdirSync(folder)
    .filter((name) => name !== "run.json")
    .map((name) => /** @type {Fired} */ (JSON.parse(readFileSync(join(folder, name), "utf8"))));
  return { fired: fired.sort((a, b) => a.started - b.started) };
}
