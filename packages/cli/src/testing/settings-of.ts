import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { DIALECT_NAMES, type DialectName, type Hook } from "@belay/core";
import { configLoader, everyPlace, findProject, homeFolder, scriptsOf } from "@belay/engine/tools";

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
