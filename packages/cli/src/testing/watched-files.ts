import { resolve } from "node:path";
import { filesOf, findProject, homeFolder } from "@belay/engine/tools";
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
    const scripts = listed.flatMap(({ hook }) => [hook.source.file, ...filesOf(hook, folders)]);
    return [file.file, ...named, ...scripts];
  });
  return [...new Set(found)];
}
