import type { Mutable } from "@belay/core";
import { withVariables } from "../environment.ts";
import type { ProcessSpec } from "../process/run-process.ts";
import { warmHook } from "../warm/start.ts";
import { commandLine } from "./command-line.ts";
import { type Runner, variablesOf } from "./runner.ts";

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
  return request.launch(spec);
};
