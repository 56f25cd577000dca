import type { Mutable } from "@belay/core";
import { withVariables } from "../environment.ts";
import type { ProcessSpec } from "../process/run-process.ts";
import { coveredFiles } from "../trust/covered-files.ts";
import { warmHook } from "../warm/from-hook.ts";
import { commandLine } from "./command-line.ts";
import { type Runner, variablesOf } from "./runner.ts";
import { unparsedBy } from "./unparsed.ts";

export const runCommand: Runner<"command"> = async (handler, request) => {
  const { hook, input, cwd, projectDir, limits, signal } = request;
  const { timeoutMs, source } = hook;
  if (handler.warm) {
    const asked = { input, timeoutMs, ...(signal && { signal }) };
    return request.warm.call(warmHook(hook, handler, request), asked);
  }
  const spec: Mutable<ProcessSpec> = {
    ...commandLine(handler, { project: projectDir, plugin: source.pluginRoot }),
    cwd,
    env: withVariables(request.env, variablesOf(request)),
    input,
    timeoutMs,
    graceMs: limits.killGraceMs,
    cap: limits.outputCap,
  };
  if (signal) spec.signal = signal;
  const run = await request.launch(spec);
  if (run.exitCode !== 2) return run;
  const folders = { ...request.folders, cwd, plugin: source.pluginRoot };
  const own = () => coveredFiles(hook, folders, [folders.home]).files;
  const unparsed = await unparsedBy(run, spec, { folders, own, launch: request.launch });
  return unparsed ? { ...run, unparsed } : run;
};
