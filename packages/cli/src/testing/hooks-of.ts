import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { EventName } from "@belay/core";
import { type EngineOptions, UsageError } from "@belay/engine";
import { configPlaces, statOf } from "@belay/engine/tools";
import { BELAY } from "../next.ts";
import type { CaseFile } from "./case-file.ts";
import { howToRun, settingsFor } from "./how-to-run.ts";

/** Which hooks a case file is about. Naming them is the consent: they are read as `belay run --config` reads its files. */
export type HookOptions = Pick<EngineOptions, "configFiles" | "pluginDirs" | "dialect">;

/** `scratch` takes the settings of a file that names one hook and no settings. */
export function hooksOf(
  { file, folder, data }: CaseFile,
  events: readonly EventName[],
  scratch: string,
): HookOptions {
  const dialect = data.dialect && { dialect: data.dialect };
  const all = (given: string | readonly string[] = []) => [given].flat().map((path) => resolve(folder, path));
  if (data.hook !== undefined) {
    writeFileSync(scratch, settingsFor(howToRun(data.hook, folder), events));
    return { configFiles: [scratch], ...dialect };
  }
  if (data.config !== undefined || data.plugin !== undefined)
    return { configFiles: all(data.config), pluginDirs: all(data.plugin), ...dialect };
  return { ...ofProject(file, folder, data.dialect), ...dialect };
}

/** The project's own layers. Those of the user are left out: a case must say the same whoever runs it. */
function ofProject(file: string, folder: string, dialect: CaseFile["data"]["dialect"]): HookOptions {
  const places = configPlaces({ cwd: folder, sessionId: "", ...(dialect && { dialect }) }).filter(
    (place) => place.layer !== "user" && statOf(place.file)?.isFile(),
  );
  if (places.length === 0)
    throw new UsageError(
      `${file} names no hooks, and the project has none`,
      `add config: settings.json, or hook: a script; or next: ${BELAY} init`,
    );
  const plugins = places.flatMap(({ pluginRoot }) => pluginRoot ?? []);
  return plugins.length > 0 ? { pluginDirs: plugins } : { configFiles: places.map((place) => place.file) };
}

export function scratchSettings(root: string, index: number): string {
  return join(root, `hook-${index}.json`);
}
