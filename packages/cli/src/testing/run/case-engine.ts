import { mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createEngine, type Engine } from "@belay/engine";
import { BELAY } from "../../next-command.ts";
import type { CaseFile, TestCase } from "../read/case-file.ts";
import { type CaseFolders, fillIn } from "./case-folders.ts";
import type { Planned } from "./plan.ts";

/** Runs cases one after another. They have homes at the same path, each empty, so that cases of a file share an engine. */
export interface Worker {
  home: string;
  readonly engines: Map<CaseFile, Engine>;
  /** The engine of the case that runs. */
  current?: Engine;
}

export function openWorker(root: string, index: number): Worker {
  return { home: join(root, `home-${index + 1}`), engines: new Map() };
}

/** Ends the hooks that run, and the processes that were kept. */
export async function closeWorker({ engines, current }: Worker): Promise<void> {
  const open = new Set([...engines.values(), ...(current ? [current] : [])]);
  await Promise.all([...open].map((engine) => engine.close()));
}

/** Makes the home of the next case. One that is still there, because a process writes to it, is left to that process. */
export async function makeHome(worker: Worker): Promise<string> {
  try {
    mkdirSync(worker.home);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    await closeWorker(worker);
    worker.engines.clear();
    worker.home += "-again";
    mkdirSync(worker.home);
  }
  return worker.home;
}

/** The engine for a case; `endCase` gives it back. */
export async function engineFor(
  test: TestCase,
  planned: Planned,
  worker: Worker,
  folders: CaseFolders,
): Promise<Engine> {
  const isShared = test.folder === undefined && Object.keys(test.env).length === 0;
  const known = isShared ? worker.engines.get(test.file) : undefined;
  const engine = known ?? (await open(test, planned, folders));
  worker.current = engine;
  // An engine tells of its config's problems once, and each case is to hear of them.
  if (isShared && engine.problems.length === 0) worker.engines.set(test.file, engine);
  return engine;
}

/** Closes the engine of a case, unless later cases share it. */
export async function endCase(worker: Worker, { file }: TestCase): Promise<void> {
  const { current, engines } = worker;
  if (current && engines.get(file) !== current) await current.close();
  delete worker.current;
}

function open(test: TestCase, planned: Planned, folders: CaseFolders): Promise<Engine> {
  return createEngine({
    ...planned.hooks.get(test.file),
    cwd: test.folder === undefined ? test.file.folder : folders.cwd,
    home: folders.home,
    env: environment(test, folders),
    journal: false,
    reload: false, // all cases of a run are about the same hooks
    launcher: "off",
    program: BELAY,
    limits: { stopCap: Number.POSITIVE_INFINITY },
  });
}

function environment({ env }: TestCase, folders: CaseFolders): NodeJS.ProcessEnv {
  const result = caseEnvironment(folders);
  for (const [name, value] of Object.entries(env)) {
    if (value === null) delete result[name];
    else result[name] = fillIn(value, folders);
  }
  return result;
}

/**
 * What `git rev-parse --local-env-vars` lists, and the quarantine of a push. Git gives them to its own hooks: in a
 * pre-commit, cases would else initialise the user's repository, and add to what is being committed.
 */
export const LOCAL_TO_A_REPOSITORY: readonly string[] = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_CONFIG",
  "GIT_CONFIG_COUNT",
  "GIT_CONFIG_PARAMETERS",
  "GIT_DIR",
  "GIT_GRAFT_FILE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_REPLACE_REF_BASE",
  "GIT_SHALLOW_FILE",
  "GIT_WORK_TREE",
];

/** Programs look there before they look in HOME. */
const OTHER_HOMES = [
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "XDG_CACHE_HOME",
  "GIT_CONFIG_GLOBAL",
];

/** The environment that every case begins with: ours, but for what leads out of its folder and its home. */
export function caseEnvironment({ cwd, home }: CaseFolders): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = Object.create(null); // a variable may be named __proto__
  Object.assign(result, process.env, { HOME: home, USERPROFILE: home });
  for (const name of [...OTHER_HOMES, ...LOCAL_TO_A_REPOSITORY]) delete result[name];
  // The temporary folder may lie in a repository. The cases of a file share this: it is the root of them all.
  const ceilings = [dirname(dirname(cwd)), result.GIT_CEILING_DIRECTORIES ?? ""].filter(
    (folder) => folder !== "",
  );
  result.GIT_CEILING_DIRECTORIES = ceilings.join(delimiter);
  return result;
}
