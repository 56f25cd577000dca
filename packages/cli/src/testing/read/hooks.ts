import { realpathSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import {
  DIALECT_NAMES,
  type DialectName,
  type EventName,
  type Hook,
  type RunReport,
  readConfig,
} from "@belay/core";
import { placeOf, shellWord } from "@belay/core/internal";
import type { CaseFileData } from "@belay/core/schema";
import { type EngineOptions, type ListedHook, UsageError } from "@belay/engine";
import {
  configLoader,
  configPlaces,
  everyPlace,
  findProject,
  homeFolder,
  readText,
  scriptsOf,
  shownPath,
  statOf,
} from "@belay/engine/internal";
import { BELAY } from "../../args/flags.ts";
import type { CaseFile } from "./case-file.ts";
import { type Asker, howToRun, type Runnable, settingsFor } from "./how-to-run.ts";

/** Which hooks a case file is about. Naming them is the consent: they are read as `belay run --config` reads its files. */
export type HookOptions = Pick<EngineOptions, "configFiles" | "pluginDirs" | "dialect" | "simulate">;

/** What a case file names, or means where it names nothing: one script or command, or settings and plugins. */
export type FoundHooks = { readonly runnable: Runnable } | Omit<HookOptions, "dialect" | "simulate">;

export const LOOKUP = "it is looked for from the folder of this file";

/** Throws a UsageError where a script cannot be run, or there are no hooks at all. */
export function findHooks({ hook, config, plugin, dialect }: CaseFileData, folder: string): FoundHooks {
  if (hook !== undefined) return { runnable: howToRun(hook, folder, inCaseFile(folder)) };
  if (config === undefined && plugin === undefined) return ofProject(folder, dialect);
  const all = (given: string | readonly string[] = []) => [given].flat().map((path) => resolve(folder, path));
  return { configFiles: all(config), pluginDirs: all(plugin) };
}

/** A case runs in a folder of its own, and finds the files of the project by a variable. */
function inCaseFile(folder: string): Asker {
  return {
    lookup: LOOKUP,
    command: (interpreter, file) => `hook: ${interpreter} ${fromProject(file, folder)}`,
  };
}

export function fromProject(file: string, folder: string): string {
  return `"$BELAY_PROJECT_DIR"/${shellWord(relative(findProject(folder), file))}`;
}

/** `scratch` takes the settings of a file that names one hook and no settings. */
export function hooksOf(
  { data, hooks }: CaseFile,
  events: readonly EventName[],
  scratch: string,
): HookOptions {
  const dialect = data.dialect && { dialect: data.dialect, simulate: true };
  if (!("runnable" in hooks)) return { ...hooks, ...dialect };
  writeFileSync(scratch, settingsFor(hooks.runnable, events));
  return { configFiles: [scratch], ...dialect };
}

export function hookOf(run: RunReport, event: EventName, hooks: readonly ListedHook[]): Hook | undefined {
  return hooks.find(({ hook }) => hook.event === event && isRunOf(run, hook))?.hook;
}

export function isRunOf(run: RunReport, { name, source }: Hook): boolean {
  return run.hook === name && run.source === placeOf(source);
}

/** The project's own layers. Those of the user are left out: a case must say the same whoever runs it. */
function ofProject(folder: string, dialect: CaseFileData["dialect"]): FoundHooks {
  const places = placesOf(folder, dialect);
  if (places.length === 0)
    throw new UsageError(
      "it names no hooks, and the project has none",
      inOtherDialect(folder) ?? `add config: settings.json, or hook: a script; or next: ${BELAY} init`,
    );
  const plugins = places.flatMap(({ pluginRoot }) => pluginRoot ?? []);
  return plugins.length > 0 ? { pluginDirs: plugins } : { configFiles: places.map((place) => place.file) };
}

function inOtherDialect(folder: string): string | undefined {
  const project = findProject(folder);
  for (const dialect of DIALECT_NAMES) {
    const found = placesOf(folder, dialect).find((place) => hasHooks(place.file, dialect));
    if (found) return `found ${shownPath(found.file, project)}; add dialect: ${dialect}`;
  }
  return undefined;
}

function hasHooks(file: string, fallbackDialect: DialectName): boolean {
  try {
    return readConfig({ file, layer: "config", text: readText(file), fallbackDialect }).hooks.length > 0;
  } catch {
    return false;
  }
}

function placesOf(folder: string, dialect: CaseFileData["dialect"]) {
  return configPlaces({ cwd: folder, sessionId: "", ...(dialect && { dialect }) }).filter(
    (place) => place.layer !== "user" && statOf(place.file)?.isFile(),
  );
}

export function scratchSettings(root: string, index: number): string {
  return join(root, `hook-${index}.json`);
}

/**
 * The hooks of a script's project that run it, all of one dialect: in the files of the wanted dialect, else in Belay's own, else in
 * those of the others. Runs nothing.
 */
export async function hooksThatRun(script: string, wanted?: DialectName): Promise<readonly Hook[]> {
  const project = findProject(dirname(script));
  const folders = { project, cwd: project, home: homeFolder() };
  const isScript = (file: string) => realPath(file) === realPath(script);
  for (const name of new Set([wanted, undefined, ...DIALECT_NAMES])) {
    const { places } = everyPlace({ cwd: project, project, ...(name && { dialect: name }) });
    const { hooks } = await configLoader().load(places);
    const [first, ...more] = hooks.filter((hook) =>
      scriptsOf(hook, folders).some(({ file }) => isScript(file)),
    );
    if (first) return [first, ...more.filter(({ dialect }) => dialect === first.dialect)];
  }
  return [];
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
