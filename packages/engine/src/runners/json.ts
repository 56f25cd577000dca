import { type Runner, runWithoutProcess } from "./runner.ts";

/** Gives back the configured object; nothing is executed. */
export const runJson: Runner<"json"> = async ({ json, exitcode }) =>
  runWithoutProcess(performance.now(), { stdout: JSON.stringify(json), exitCode: exitcode });
