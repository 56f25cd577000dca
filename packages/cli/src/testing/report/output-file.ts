import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf } from "@belay/core/internal";
import { UsageError } from "@belay/engine";
import { statOf } from "@belay/engine/internal";
import type { CaseFile } from "../read/case-file.ts";
import { CASE_FILE } from "../read/find-files.ts";

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

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Before a hook runs: a report must not be lost at the end. */
export function claimOutput(output: string, cwd: string, files: readonly CaseFile[]): void {
  refuseInput(output, cwd, files);
  writeOutput(resolve(cwd, output), "");
}

/**
 * Puts a report that nothing was run in the place of an earlier one, which a CI would take for this run's. Case files that
 * cannot be read do not say what they name, so what is no report stays as it is.
 */
export function replaceReport(file: string, text: string): void {
  if (mayBeReplaced(file)) writeOutput(file, text);
}

/** How a report of ours begins, of whatever reporter. */
const REPORT = /^(?:<\?xml|TAP version|::(?:error|warning) |[✓✗]|$)/;

function mayBeReplaced(file: string): boolean {
  return !statOf(file)?.isFile() || REPORT.test(readFileSync(file, "utf8"));
}

export function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(
      `--output ${file} cannot be written: ${messageOf(error)}`,
      "name a file in a folder that is there",
    );
  }
}
