import { join } from "node:path";
import { createEngine, type Engine, type EngineOptions } from "@belay/engine";
import { BELAY } from "../next.ts";
import { caseEnvironment } from "./case-environment.ts";
import type { CaseFile, TestCase } from "./case-file.ts";
import type { Planned } from "./plan.ts";
import { fillIn, type Places } from "./strings.ts";

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
