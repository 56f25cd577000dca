import { delimiter, dirname, join } from "node:path";
import { isObject } from "@belay/core/internal";
import { createEngine, type Engine, type EngineOptions } from "@belay/engine";
import { BELAY } from "../../next-command.ts";
import type { CaseFile, TestCase } from "../read/case-file.ts";
import type { Planned } from "./plan.ts";

/** A row of cases, one after another: they share a home, which each finds empty, and an engine per file. */
export interface Lane {
  readonly home: string;
  readonly engines: Map<CaseFile, Engine>;
  /** Those that are not closed yet. */
  readonly open: Set<Engine>;
}

export function openLane(root: string, index: number): Lane {
  return { home: join(root, `home-${index + 1}`), engines: new Map(), open: new Set() };
}

/** Ends the hooks that run in it. */
export async function closeLane({ open }: Lane): Promise<void> {
  await Promise.all([...open].map((engine) => engine.close()));
}

interface Lease extends AsyncDisposable {
  readonly engine: Engine;
}

/** The engine for a case; one of its own where it needs another environment, project or home than those before it. */
export async function engineFor(
  test: TestCase,
  planned: Planned,
  lane: Lane,
  places: Places,
): Promise<Lease> {
  const isOwn = test.folder !== undefined || Object.keys(test.env).length > 0 || places.home !== lane.home;
  const known = isOwn ? undefined : lane.engines.get(test.file);
  const engine = known ?? (await open(test, planned, places));
  lane.open.add(engine);
  // An engine tells of its config's problems once: each case is to hear of them.
  if (isOwn || engine.problems.length > 0) {
    const close = async () => {
      await engine.close();
      lane.open.delete(engine);
    };
    return { engine, [Symbol.asyncDispose]: close };
  }
  lane.engines.set(test.file, engine);
  return { engine, [Symbol.asyncDispose]: async () => {} };
}

async function open(test: TestCase, planned: Planned, places: Places): Promise<Engine> {
  const options: EngineOptions = {
    ...planned.hooks.get(test.file),
    cwd: test.folder === undefined ? test.file.folder : places.cwd,
    home: places.home,
    env: environment(test, places),
    journal: false,
    reload: false, // all cases of a run are about the same hooks
    launcher: "off",
    program: BELAY,
    limits: { stopCap: Number.POSITIVE_INFINITY },
  };
  return createEngine(options);
}

function environment({ env }: TestCase, places: Places): NodeJS.ProcessEnv {
  const result = caseEnvironment(places);
  for (const [name, value] of Object.entries(env)) {
    if (value === null) delete result[name];
    else result[name] = fillIn(value, places);
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
export function caseEnvironment({ cwd, home }: Places): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = Object.create(null); // a variable may be named __proto__
  Object.assign(result, process.env, { HOME: home, USERPROFILE: home });
  for (const name of [...OTHER_HOMES, ...LOCAL_TO_A_REPOSITORY]) delete result[name];
  // The temporary folder may lie in a repository.
  const ceilings = [dirname(cwd), result.GIT_CEILING_DIRECTORIES ?? ""].filter((folder) => folder !== "");
  result.GIT_CEILING_DIRECTORIES = ceilings.join(delimiter);
  return result;
}

/** The same value with every string in it changed. */
export function mapText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapText(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapText(item, change)]));
}

/** The folders of a case, by the names under which a case file speaks of them. */
export interface Places {
  readonly cwd: string;
  readonly home: string;
}

/** {cwd} and {home}, filled in. */
export function fillIn<T>(value: T, { cwd, home }: Places): T {
  return mapText(value, (text) => text.replaceAll("{cwd}", cwd).replaceAll("{home}", home)) as T;
}

/** The way back: a case must not depend on the folder it ran in. */
export function takeOut<T>(value: T, { cwd, home }: Places): T {
  return mapText(value, (text) => text.replaceAll(cwd, "{cwd}").replaceAll(home, "{home}")) as T;
}
