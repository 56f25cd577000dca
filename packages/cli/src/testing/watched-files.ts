import { resolve } from "node:path";
import { coveredFiles, findProject, homeFolder } from "@belay/engine/tools";
import type { CaseFile } from "./case-file.ts";
import type { Suite } from "./run-cases.ts";

/** The files whose change may change a result: the cases, what they name, the settings, and the scripts of their hooks. */
export function watchedFiles(files: readonly CaseFile[], { hooks }: Suite): string[] {
  const found = files.flatMap((file) => {
    const named = file.cases.flatMap(({ record }) =>
      record === undefined ? [] : resolve(file.folder, record),
    );
    const folders = { project: findProject(file.folder), cwd: file.folder, home: homeFolder() };
    const listed = hooks.get(file) ?? [];
    // For a file that names one hook, settings are made for each run, and are gone with it.
    const settings = file.data.hook === undefined ? listed.map(({ hook }) => hook.source.file) : [];
    const scripts = listed.flatMap(({ hook }) => coveredFiles(hook, folders, [folders.home]).files);
    return [file.file, ...named, ...settings, ...scripts];
  });
  return [...new Set(found)];
}
