import { type Runner, runWithoutProcess } from "./runner.ts";

/** Gives back the configured object; nothing is executed. */
export const runJson: Runner = async ({ hook }) => {
  if (hook.handler.type !== "json") throw new TypeError(`not a json hook: ${hook.name}`);
  const { json, exitcode } = hook.handler;
  return runWithoutProcess(performance.now(), { stdout: JSON.stringify(json), exitCode: exitcode });
};
