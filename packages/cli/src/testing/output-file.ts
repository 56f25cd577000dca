import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "@belay/engine";
import type { CaseFile } from "./case-file.ts";
import { CASE_FILE } from "./find-files.ts";

/** Throws where a report would be written over a case file, one of these or another, or over what these name. */
export function refuseInput(output: string, cwd: string, files: readonly CaseFile[] = []): void {
  const file = realOf(resolve(cwd, output));
  if (CASE_FILE.test(file) || files.flatMap(namedIn).some((one) => realOf(one) === file))
    throw new UsageError(`--output ${output} is a file that cases are read from`, "name another file");
}

function namedIn({ hooks, cases, folder }: CaseFile): string[] {
  const ofHooks = "runnable" in hooks ? [hooks.runnable.script?.file ?? []] : [hooks.configFiles ?? []];
  const records = cases.flatMap(({ record }) => (record === undefined ? [] : resolve(folder, record)));
  return [...ofHooks.flat(), ...records];
}

/** By the one name that it has, where it is there. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
